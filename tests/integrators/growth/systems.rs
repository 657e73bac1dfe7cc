//! Random linear systems: blocks alone, blocks in a ring, sliders under feedback with a controller of its own state.
#![allow(non_snake_case)] // A, F, G: as the field writes them

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::systems::dynamics::StateSpace;
use kinegraph::systems::multibody::{Base, JointKind, Model};
use kinegraph::systems::{Context, Dyn, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};
use nalgebra::{DMatrix, DVector, Vector3};

/// `x' = A x + b` as a diagram, whose state is x.
pub struct System {
    pub diagram: Diagram,
    pub A: DMatrix<f64>,
    pub b: DVector<f64>,
    pub x0: DVector<f64>,
    /// The largest real part of a pole \[1/s\].
    pub abscissa: f64,
}

fn abscissa(A: &DMatrix<f64>) -> f64 {
    A.complex_eigenvalues().iter().map(|pole| pole.re).fold(f64::NEG_INFINITY, f64::max)
}

impl System {
    /// System number `case`: with a pole of positive real part, or stable.
    pub fn random(case: usize, unstable: bool) -> Self {
        let mut r = Random(0x9e37_79b9 + 977 * case as u64 + u64::from(unstable));
        for _ in 0..20 {
            r.part();
        }
        match case % 4 {
            0 | 1 => blocks(&mut r, 1 + case % 8, 1, unstable),
            2 => blocks(&mut r, 2 + case / 4 % 7, 2, unstable),
            _ => sliders(&mut r, 1 + case / 4 % 3, case / 12 % 3, unstable),
        }
    }

    /// The state at a time, by the exponential of a matrix.
    pub fn exact(&self, time: f64) -> DVector<f64> {
        let n = self.A.nrows();
        let mut whole = DMatrix::zeros(n + 1, n + 1);
        whole.view_mut((0, 0), (n, n)).copy_from(&(&self.A * time));
        whole.view_mut((0, n), (n, 1)).copy_from(&(&self.b * time));
        (whole.exp() * self.x0.push(1.0)).rows(0, n).into_owned()
    }

    /// Factor by which a deviation of one number at the start grows, in any number.
    pub fn gain(&self, time: f64) -> f64 {
        (&self.A * time).exp().row_iter().map(|row| row.iter().map(|x| x.abs()).sum()).fold(1.0, f64::max)
    }
}

/// A matrix with prescribed poles, in directions that are not orthogonal.
fn matrix(r: &mut Random, n: usize, unstable: bool) -> DMatrix<f64> {
    loop {
        let rate = r.log(0.5, 300.0);
        let mut poles = DMatrix::zeros(n, n);
        let mut i = 0;
        while i < n {
            let real = match i {
                0 if unstable => rate,
                _ if unstable && r.part() < 0.3 => rate * r.part(),
                _ => -rate * r.log(0.1, 10.0),
            };
            poles[(i, i)] = real;
            if i + 1 < n && r.part() < 0.5 {
                let turn = real.abs() * r.log(0.3, 3.0);
                (poles[(i + 1, i + 1)], poles[(i, i + 1)], poles[(i + 1, i)]) = (real, turn, -turn);
                i += 1;
            }
            i += 1;
        }
        let directions = DMatrix::from_fn(n, n, |i, j| f64::from(u8::from(i == j)) + r.between(-0.5, 0.5));
        let Some(inverse) = directions.clone().try_inverse() else { continue };
        if inverse.iter().all(|x| x.abs() < 4.0) {
            return directions * poles * inverse;
        }
    }
}

fn vector(r: &mut Random, n: usize, size: f64) -> DVector<f64> {
    DVector::from_fn(n, |_, _| r.between(-size, size))
}

/// One state space, or two that drive each other.
fn blocks(r: &mut Random, n: usize, count: usize, unstable: bool) -> System {
    let A = matrix(r, n, unstable);
    let (b, x0) = (vector(r, n, 1.0), vector(r, n, 1.0));
    let mut builder = DiagramBuilder::new("system");
    let first = if count == 1 { n } else { n / 2 };
    let part = |from: usize, to: usize| {
        let others: Vec<usize> = (0..n).filter(|i| !(from..to).contains(i)).collect();
        let size = to - from;
        // The numbers of the other block, then one.
        let mut B = DMatrix::zeros(size, others.len() + 1);
        others.iter().enumerate().for_each(|(at, &j)| B.set_column(at, &A.view((from, j), (size, 1)).column(0)));
        B.set_column(others.len(), &b.rows(from, size));
        let own = A.view((from, from), (size, size)).into_owned();
        let C = DMatrix::identity(size, size);
        StateSpace::new(own, B, C, DMatrix::zeros(size, others.len() + 1), x0.as_slice()[from..to].to_vec()).unwrap()
    };
    if count == 1 {
        let block = builder.add("block", part(0, n));
        builder.fix(block.input, [1.0]);
    } else {
        let (one, two) = (builder.add("one", part(0, first)), builder.add("two", part(first, n)));
        for (name, from, to, width) in [("a", one.output, two.input, first), ("b", two.output, one.input, n - first)] {
            let with_one = builder.add(name, WithOne::new(width));
            builder.connect(from, with_one.input);
            builder.connect(with_one.output, to);
        }
    }
    System { diagram: builder.build().unwrap(), abscissa: abscissa(&A), A, b, x0 }
}

/// A signal with a one behind it.
struct WithOne {
    input: In<Dyn>,
    output: Out<Dyn>,
    ports: Ports,
}

impl WithOne {
    fn new(width: usize) -> Self {
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width + 1));
        WithOne { input, output, ports }
    }
}

impl LeafSystem for WithOne {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let (last, rest) = out.slice(self.output).split_last_mut().expect("one");
        *last = S::one();
        rest.copy_from_slice(ctx.get(self.input));
    }
}

/// `f = F (q, v, z)`, `z' = G (q, v, z)`.
struct Controller {
    state: In<MultibodyState>,
    force: Out<Dyn>,
    F: DMatrix<f64>,
    G: DMatrix<f64>,
    ports: Ports,
}

impl Controller {
    fn new(F: DMatrix<f64>, G: DMatrix<f64>, z0: &[f64]) -> Self {
        let mut ports = Ports::new();
        let state = ports.input_of_width("state", 2 * F.nrows());
        let force = ports.output_of_width("force", F.nrows());
        ports.continuous_state("z", z0.to_vec());
        Controller { state, force, F, G, ports }
    }

    fn apply<S: Scalar>(&self, matrix: &DMatrix<f64>, ctx: &Context<S>, to: &mut [S]) {
        let x = ctx.get(self.state).iter().chain(ctx.continuous);
        to.fill(S::zero());
        for (column, x) in matrix.column_iter().zip(x) {
            to.iter_mut().zip(column.iter()).for_each(|(to, k)| *to += S::constant(*k) * *x);
        }
    }
}

impl LeafSystem for Controller {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.apply(&self.F, ctx, out.slice(self.force));
    }
    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        self.apply(&self.G, ctx, derivatives);
    }
}

/// A chain of `n` sliders along one line under proportional, derivative and (`nz` states) integral feedback, some of it
/// of the wrong sign.
fn sliders(r: &mut Random, n: usize, nz: usize, unstable: bool) -> System {
    loop {
        let masses: Vec<f64> = (0..n).map(|_| r.log(0.3, 3.0)).collect();
        let M = DMatrix::from_fn(n, n, |i, j| masses[i.max(j)..].iter().sum::<f64>());
        let rate = r.log(1.0, 60.0);
        let size = 2 * n + nz;
        // In units of the rate: accelerations, then the rates of z.
        let mut wanted = DMatrix::from_fn(n + nz, size, |_, _| 0.3 * r.between(-1.0, 1.0));
        for i in 0..n {
            wanted[(i, i)] -= if unstable { r.between(-1.0, 0.5) } else { 1.0 };
            wanted[(i, n + i)] -= if unstable { r.between(-0.3, 1.0) } else { 1.0 };
        }
        (0..nz).for_each(|k| wanted[(n + k, 2 * n + k)] -= 0.5);
        let scale = |i: usize, j: usize| match (i < n, j) {
            (true, j) if j < n => rate * rate,
            (false, j) if j >= n && j < 2 * n => 1.0,
            _ => rate,
        };
        let K = DMatrix::from_fn(n + nz, size, |i, j| wanted[(i, j)] * scale(i, j));
        let mut A = DMatrix::zeros(size, size);
        (0..n).for_each(|i| A[(i, n + i)] = 1.0);
        A.view_mut((n, 0), (n + nz, size)).copy_from(&K);
        let abscissa = abscissa(&A);
        // The pole is of the size of the other rates: errors over many other periods are not a matter of growth.
        let is_wanted = if unstable { abscissa > 0.1 * rate } else { abscissa < -0.1 * rate };
        if !is_wanted {
            continue;
        }
        let x0 = vector(r, size, 0.3);
        let mut model = Model { name: "chain".into(), links: vec![link("base", 1.0, [0.0; 3])], ..Model::default() };
        model.links[0].inertia = None;
        for (i, mass) in masses.iter().enumerate() {
            let parent = if i == 0 { "base".into() } else { format!("l{}", i - 1) };
            model.links.push(link(&format!("l{i}"), *mass, [0.0; 3]));
            model.joints.push(joint(&format!("j{i}"), JointKind::Prismatic, &parent, &format!("l{i}"), Vector3::x()));
        }
        let mut plant = weightless().model("s", model, Base::fixed());
        for i in 0..n {
            plant = plant.initial(format!("s/j{i}"), x0[i], x0[n + i]);
        }
        let mut builder = DiagramBuilder::new("sliders");
        let plant = builder.add("plant", plant.build().unwrap());
        let force = &M * K.rows(0, n);
        let controller = Controller::new(force, K.rows(n, nz).into_owned(), &x0.as_slice()[2 * n..]);
        let controller = builder.add("controller", controller);
        builder.connect(plant.state("s"), controller.state);
        builder.connect(controller.force, plant.applied_generalized_force("s"));
        let b = DVector::zeros(size);
        return System { diagram: builder.build().unwrap(), A, b, x0, abscissa };
    }
}

/// The equation of a system of one number, alone.
pub fn alone(system: &System) -> Diagram {
    let mut builder = DiagramBuilder::new("alone");
    let (A, B) = (system.A.clone(), DMatrix::from_element(1, 1, system.b[0]));
    let block = StateSpace::new(A, B, DMatrix::identity(1, 1), DMatrix::zeros(1, 1), [system.x0[0]]).unwrap();
    let block = builder.add("block", block);
    builder.fix(block.input, [1.0]);
    builder.build().unwrap()
}
