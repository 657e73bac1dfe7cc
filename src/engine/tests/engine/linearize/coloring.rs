//! Columns taken together give what they give one by one, in as few passes as the structure allows.

use kinegraph_convex::contact::Problem;
use kinegraph_core::{Context, Dyn, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};
use kinegraph_diagram::{Diagram, DiagramBuilder};
use kinegraph_engine::linearize::coloring::Coloring;
use kinegraph_engine::linearize::external_plan::ExternalPlan;
use kinegraph_engine::linearize::groups::Groups;
use kinegraph_engine::linearize::{External, Feedback, Law, LawStep, Linearization, LoopRate, Sparsity};
use kinegraph_multibody::{Base, Inertia, Joint, JointKind, Link, Model, PlantBuilder};
use kinegraph_systems::control::Pid;
use kinegraph_systems::operators::Gain;
use nalgebra::{Isometry3, Matrix3, Vector3};
use std::sync::Arc;

/// A chain of `n` links.
fn arm(n: usize) -> Model {
    let inertia = Inertia { mass: 1.0, p_BoBcm: Vector3::new(0.0, 0.1, -0.2), I_BBcm: Matrix3::identity() * 0.1 };
    let link = |i: usize| Link { name: format!("l{i}"), inertia: (i > 0).then_some(inertia), ..Link::default() };
    let joint = |i: usize| Joint {
        X_PF: Isometry3::translation(0.0, 0.1, -0.3),
        axis: if i.is_multiple_of(2) { Vector3::x() } else { Vector3::y() },
        damping: 0.1,
        ..Joint::new(format!("j{i}"), JointKind::Continuous, format!("l{}", i - 1), format!("l{i}"))
    };
    Model {
        name: "arm".into(),
        links: (0..=n).map(link).collect(),
        joints: (1..=n).map(joint).collect(),
        ..Model::default()
    }
}

/// A coupled law with state: every force and every rate takes part of every measured number, not linearly.
struct Mixer {
    measured: In<MultibodyState>,
    other: In<Dyn>,
    force: Out<Dyn>,
    ports: Ports,
    n: usize,
}

impl Mixer {
    fn new(n: usize) -> Self {
        let mut ports = Ports::new();
        let measured = ports.input_of_width("measured", 2 * n);
        let other = ports.input_of_width("other", n);
        ports.continuous_state("z", (0..n).map(|i| 0.1 * i as f64).collect());
        Mixer { measured, other, force: ports.output_of_width("force", n), ports, n }
    }

    fn mix<S: Scalar>(&self, ctx: &Context<S>, i: usize) -> S {
        let all = ctx.get(self.measured).iter().chain(ctx.get(self.other)).chain(ctx.continuous);
        let weighted = all.enumerate().map(|(k, x)| (*x * S::constant(1.0 + (3 * k + i) as f64 / 7.0)).sin());
        weighted.fold(S::zero(), |sum, x| sum + x)
    }
}

impl LeafSystem for Mixer {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        for i in 0..self.n {
            out.slice(self.force)[i] = self.mix(ctx, i);
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        derivatives.iter_mut().enumerate().for_each(|(i, d)| *d = self.mix(ctx, i + 5));
    }
}

/// Source of the second input of a mixer.
#[derive(Clone, Copy, PartialEq)]
enum Other {
    Fixed,
    /// The force of the mixer before.
    Before,
    /// A twentieth of its own force: an algebraic loop.
    Own,
}

/// `count` arms of `n` joints with a mixer each, in one plant or in one each.
fn arms(count: usize, n: usize, plants: bool, other: Other) -> Diagram {
    let mut b = DiagramBuilder::new("arms");
    let start = |plant: PlantBuilder, name: &str, k: usize| {
        let plant = plant.model(name, arm(n), Base::fixed());
        (1..=n).fold(plant, |p, i| p.initial(format!("{name}/j{i}"), 0.1 * (k + i) as f64, 0.2 * k as f64 - 0.3))
    };
    let names: Vec<String> = (0..count).map(|k| format!("a{k}")).collect();
    let handles: Vec<_> = if plants {
        let plant = |k: usize| start(PlantBuilder::new(), &names[k], k).build().unwrap();
        (0..count).map(|k| b.add(format!("plant{k}"), plant(k))).collect()
    } else {
        let all = (0..count).fold(PlantBuilder::new(), |p, k| start(p, &names[k], k));
        let one = b.add("plant", all.build().unwrap());
        vec![one; count]
    };
    let mut before = None;
    for (k, plant) in handles.iter().enumerate() {
        let mixer = b.add(format!("mixer{k}"), Mixer::new(n));
        b.connect(plant.state(&names[k]), mixer.measured);
        b.connect(mixer.force, plant.actuation(&names[k]));
        match (other, before) {
            (Other::Before, Some(force)) => b.connect(force, mixer.other),
            (Other::Own, _) => {
                let gain = b.add(format!("gain{k}"), Gain::new(n, 0.05).unwrap());
                b.connect(mixer.force, gain.input);
                b.connect(gain.output, mixer.other)
            }
            _ => b.fix(mixer.other, vec![0.3; n]),
        };
        before = Some(mixer.force);
    }
    b.solve_algebraic_loops();
    b.build().unwrap()
}

fn linearize(external: &mut External, x: &[f64]) -> Linearization {
    let mut linear = Linearization::default();
    external.linearize(0.3, x, &mut linear);
    assert!(external.loop_fault().is_none() && linear.is_finite());
    assert!(linear.actuation.q.values().iter().chain(linear.applied.q.values()).any(|x| *x != 0.0));
    linear
}

/// Linearizes with the coloring and without; returns the passes with it.
fn check(diagram: &Diagram) -> usize {
    let mut colored = External::new(diagram);
    let mut single = colored.clone();
    let sensed = colored.plan.sensed.iter().filter(|&&sensed| sensed).count();
    let (nv, nz) = (colored.layout().num_velocities, colored.layout().external.len());
    let mut plan = ExternalPlan::new(diagram);
    plan.coloring = Coloring::none(2 * sensed + nz, nv + nz);
    single.plan = Arc::new(plan);
    let x = diagram.initial_state().continuous;
    assert_eq!(linearize(&mut colored, &x), linearize(&mut single, &x));
    colored.linearization_passes()
}

#[test]
fn ten_arms_cost_as_many_passes_as_one() {
    // 7 positions, 7 velocities, 7 states: 3 passes of 7.
    let one = check(&arms(1, 7, false, Other::Fixed));
    assert_eq!(one, 3);
    for plants in [false, true] {
        assert_eq!(check(&arms(10, 7, plants, Other::Fixed)), one);
    }
}

/// Sparse columns give what dense blocks give: derivatives, gains, forces, rates.
#[test]
fn sparse_groups_have_the_values_of_dense_ones() {
    for other in [Other::Fixed, Other::Before, Other::Own] {
        let diagram = arms(4, 3, true, other);
        let mut dense = External::new(&diagram);
        let mut sparse = dense.clone();
        let mut plan = ExternalPlan::new(&diagram);
        let (nv, nz) = (plan.layout.num_velocities, plan.layout.external.len());
        let columns: Vec<usize> = (0..nv).filter(|&i| plan.sensed[i]).collect();
        let always = Sparsity { max_dense_rows: 0, empty_per_entry: 0 };
        plan.groups = Arc::new(Groups::new(&plan.coloring, &columns, nv, nz, always));
        assert!(plan.groups.all().iter().all(|group| group.sparse_rates && group.sparse_forces));
        sparse.plan = Arc::new(plan);
        let x = diagram.initial_state().continuous;
        let of = |external: &mut External| {
            let linear = linearize(external, &x);
            let mut problem = Problem::default();
            for _ in 0..nv / 3 {
                let mass = [1.0, 0.1, 0.0, 0.1, 1.2, 0.2, 0.0, 0.2, 0.9];
                problem.add_clique(&mass, &[0.1; 3], &[0.0; 3], &[0.3, -0.2, 0.1]);
            }
            problem.step_terms.force.resize(nv, 0.0);
            let mut law = Law::new(false);
            law.couple(external, &linear, Feedback::Full, &mut problem);
            let guess = problem.start_velocity().to_vec();
            let step = LawStep { time: 0.3, continuous: &x, dt: 0.01, guess: &guess };
            law.apply(external, &linear, Feedback::Full, step, &mut problem).unwrap();
            let mut next = x.clone();
            let v: Vec<f64> = problem.start_velocity().iter().map(|v| 1.1 * v).collect();
            law.advance_external(external, &linear, &problem, &v, &x, &mut next);
            let rates = [LoopRate::default().bound(&problem, &linear, 0.0)];
            let gains = problem.feedback.iter().flat_map(|block| block.gain.clone());
            let matrices = [&linear.actuation, &linear.applied, &linear.external];
            let matrices = matrices.into_iter().flat_map(|part| [&part.q, &part.v, &part.z]);
            let matrices: Vec<f64> = matrices.flat_map(|m| m.to_dense().iter().copied().collect::<Vec<_>>()).collect();
            matrices
                .into_iter()
                .chain(gains)
                .chain(problem.step_terms.force.clone())
                .chain(next)
                .chain(rates)
                .collect::<Vec<_>>()
        };
        let (dense, sparse) = (of(&mut dense), of(&mut sparse));
        assert_eq!(dense.len(), sparse.len());
        for (dense, sparse) in dense.iter().zip(&sparse) {
            assert!((dense - sparse).abs() <= 1e-12 * dense.abs().max(1.0), "{sparse} instead of {dense}");
        }
    }
}

#[test]
fn what_meets_downstream_is_kept_apart() {
    // The last arm feels them all, so that no columns can share.
    for plants in [false, true] {
        assert_eq!(check(&arms(5, 2, plants, Other::Before)), (5_usize * 6).div_ceil(7));
    }
}

#[test]
fn separate_algebraic_loops_are_taken_together() {
    for plants in [false, true] {
        assert_eq!(check(&arms(5, 2, plants, Other::Own)), 1);
    }
}

/// A force on a link acts through the Jacobian; a free body moves four numbers of a quaternion with three velocities; a
/// controller without connection to any plant has columns of its own.
#[test]
fn forces_on_links_free_bodies_and_separate_loops() {
    let mut b = DiagramBuilder::new("mixed");
    let body = Model { name: "body".into(), links: vec![arm(1).links.swap_remove(1)], ..Model::default() };
    let pose = Isometry3::new(Vector3::new(1.0, 0.2, 0.3), Vector3::new(0.3, -0.5, 0.7));
    let plant = PlantBuilder::new().model("arm", arm(3), Base::fixed()).model("body", body, Base::floating(pose));
    let plant = b.add("plant", plant.initial("arm/j1", 0.4, -0.2).initial("arm/j3", 0.9, 0.5).build().unwrap());
    let pid = b.add("pid", Pid::new(3, 80.0, 10.0, 9.0).unwrap());
    b.connect(plant.state("arm"), pid.measured);
    b.connect(pid.effort, plant.actuation("arm"));
    b.fix(pid.desired, [0.1; 6]);
    b.fix(plant.applied_spatial_force("body"), [1.0, 2.0, 3.0, -4.0, 5.0, 6.0]);
    let lone = b.add("lone", Mixer::new(2));
    b.fix(lone.measured, [0.1; 4]);
    b.fix(lone.other, [0.2; 2]);
    let turned = b.add("turned", FromPose::new());
    b.connect(plant.state("body"), turned.measured);
    b.connect(turned.force, plant.applied_generalized_force("body"));
    check(&b.build().unwrap());
}

/// A force on a free body from all 13 numbers of its state.
struct FromPose {
    measured: In<MultibodyState>,
    force: Out<Dyn>,
    ports: Ports,
}

impl FromPose {
    fn new() -> Self {
        let mut ports = Ports::new();
        FromPose { measured: ports.input_of_width("measured", 13), force: ports.output_of_width("force", 6), ports }
    }
}

impl LeafSystem for FromPose {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let x = ctx.get(self.measured);
        for (i, force) in out.slice(self.force).iter_mut().enumerate() {
            *force = x[i % 4] * x[7 + i] - x[4 + i % 3].sin();
        }
    }
}
