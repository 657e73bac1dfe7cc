//! Models in discrete time beside runs event by event, which know the blocks' equations alone.

use super::random::Numbers;
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Sampling, Scalar, Tick};
use kinegraph_diagram::{Diagram, DiagramBuilder};
use kinegraph_engine::linearize::LinearizePorts;
use kinegraph_engine::linearize::state_space::{LinearContact, LinearModel, Period, SampledDiagram};
use kinegraph_systems::dynamics::{DiscreteStateSpace, StateSpace, TransportDelay, UnitDelay, ZeroOrderHold};
use kinegraph_systems::operators::Adder;
use nalgebra::{Complex, DMatrix, DVector};

/// x' = A x + b u, y = c x, or the same at samples, with y = c x + d u.
#[derive(Clone)]
struct Part {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    c: DMatrix<f64>,
    d: f64,
}

impl Part {
    fn random(numbers: &mut Numbers, size: f64, d: f64) -> Self {
        let n = 1 + numbers.below(3);
        let a = numbers.matrix(n, n, size);
        Part { a, b: numbers.matrix(n, 1, 1.0), c: numbers.matrix(1, n, 1.0), d }
    }

    /// x after `time` under a constant input, by a Taylor series in short steps.
    fn flow(&self, x: &DVector<f64>, u: f64, time: f64) -> DVector<f64> {
        let steps = (time * 20.0).ceil().max(1.0);
        let h = time / steps;
        (0..steps as usize).fold(x.clone(), |x, _| {
            let mut term = &self.a * &x + self.b.column(0) * u;
            let mut sum = x;
            for k in 1..20 {
                term *= h / f64::from(k);
                sum += &term;
                term = &self.a * &term;
            }
            sum
        })
    }
}

/// A loop of a sampled controller, maybe a delay, a plant, and a sampled sensor.
struct Loop {
    controller: Part,
    plant: Part,
    controller_at: Sampling,
    sensor_at: Sampling,
    delay: Option<f64>,
    /// True if the sensor shows the sample before.
    late: bool,
    common: f64,
}

impl Loop {
    fn random(numbers: &mut Numbers) -> Self {
        let base = numbers.between(0.02, 0.2);
        let (p, q) = [(1, 1), (1, 2), (2, 1), (2, 3), (3, 2), (1, 4), (4, 6)][numbers.below(7)];
        let offset = |numbers: &mut Numbers, period: f64| match numbers.below(3) {
            0 => numbers.between(0.05, 0.95) * period,
            1 => 0.5 * period,
            _ => 0.0,
        };
        let (first, second) = (base * f64::from(p), base * f64::from(q));
        let lcm = |a: i32, b: i32| (a.max(b)..).find(|n| n % a == 0 && n % b == 0).unwrap();
        let delay = match numbers.below(4) {
            0 => Some(base * (1.0 + numbers.below(5) as f64)),
            1 => Some(base * (1 + numbers.below(9)) as f64 / 3.0 + 0.02),
            _ => None,
        };
        let direct = numbers.between(-0.5, 0.5);
        Loop {
            controller: Part::random(numbers, 0.5, direct),
            plant: Part::random(numbers, 1.5, 0.0),
            controller_at: Sampling { period: first, offset: offset(numbers, first) },
            sensor_at: Sampling { period: second, offset: offset(numbers, second) },
            // Rational multiples of the periods keep the number of instants small.
            delay: delay.map(|delay| (delay / base * 6.0).round() / 6.0 * base),
            late: numbers.next() < 0.5,
            common: base * f64::from(lcm(p, q)),
        }
    }

    fn diagram(&self) -> Diagram {
        let mut b = DiagramBuilder::new("loop");
        let sum = b.add("sum", Adder::new(1, vec![1.0, -1.0]).unwrap());
        let Part { a, b: of_input, c, d } = self.controller.clone();
        let n = a.nrows();
        let controller =
            DiscreteStateSpace::new(a, of_input, c, DMatrix::from_element(1, 1, d), vec![0.0; n], self.controller_at);
        let controller = b.add("controller", controller.unwrap());
        let Part { a, b: of_input, c, .. } = self.plant.clone();
        let n = a.nrows();
        let plant = b.add("plant", StateSpace::new(a, of_input, c, DMatrix::zeros(1, 1), vec![0.0; n]).unwrap());
        b.connect(sum.output, controller.input);
        match self.delay {
            None => b.connect(controller.output, plant.input),
            Some(delay) => {
                let pipe = b.add("pipe", TransportDelay::new(1, delay, delay / 3.0, 0.0).unwrap());
                b.connect(controller.output, pipe.input);
                b.connect(pipe.output, plant.input);
            }
        }
        if self.late {
            let sensor = b.add("sensor", UnitDelay::new(1, self.sensor_at, 0.0).unwrap());
            b.connect(plant.output, sensor.input);
        } else {
            let sensor = b.add("sensor", ZeroOrderHold::new(1, self.sensor_at, 0.0).unwrap());
            b.connect(plant.output, sensor.input);
        }
        b.connect_paths("sensor.output", "sum.input1");
        b.fix_path("sum.input0", vec![0.0]);
        b.build().unwrap()
    }

    /// Outputs of the plant and of the controller just after the events at multiples of the period, under inputs that
    /// change there.
    fn run(&self, inputs: &[f64]) -> Vec<[f64; 2]> {
        const TOLERANCE: f64 = 1e-9;
        let (mut plant, mut memory) = (DVector::zeros(self.plant.a.nrows()), DVector::zeros(self.controller.a.nrows()));
        let (mut command, mut arrived, mut shown, mut sample) = (0.0, 0.0, 0.0, 0.0);
        let mut on_the_way: Vec<(f64, f64)> = Vec::new();
        let mut found = Vec::new();
        let times = |sampling: &Sampling| {
            let Sampling { period, offset } = *sampling;
            let count = (inputs.len() as f64 * self.common / period) as usize + 1;
            (0..count).map(move |k| offset + k as f64 * period).collect::<Vec<f64>>()
        };
        let (controls, senses) = (times(&self.controller_at), times(&self.sensor_at));
        let mut now = 0.0;
        let mut k = 0;
        loop {
            // The next time of anything.
            let mut next = k as f64 * self.common;
            let ahead = |time: &&f64| **time > now + TOLERANCE || (now == 0.0 && k == 0 && **time >= 0.0);
            for list in [&controls, &senses] {
                next = list.iter().find(ahead).map_or(next, |time| next.min(*time));
            }
            next = on_the_way.first().map_or(next, |(time, _)| next.min(*time));
            plant = self.plant.flow(&plant, arrived, next - now);
            now = next;
            let is_now = |time: &f64| (time - now).abs() < TOLERANCE;
            let starts = is_now(&(k as f64 * self.common));
            let input = inputs[if starts { k } else { k - 1 }];
            // All read what was just before.
            let (seen, error) = ((&self.plant.c * &plant)[0], input - shown);
            if controls.iter().any(is_now) {
                let before = command;
                command = (&self.controller.c * &memory)[0] + self.controller.d * error;
                memory = &self.controller.a * &memory + self.controller.b.column(0) * error;
                if let Some(delay) = self.delay
                    && command != before
                {
                    on_the_way.push((now + delay, command));
                }
            }
            if senses.iter().any(is_now) {
                (shown, sample) = if self.late { (sample, seen) } else { (seen, seen) };
            }
            while on_the_way.first().is_some_and(|(time, _)| *time < now + TOLERANCE) {
                arrived = on_the_way.remove(0).1;
            }
            if self.delay.is_none() {
                arrived = command;
            }
            if starts {
                found.push([(&self.plant.c * &plant)[0], command]);
                k += 1;
                if k == inputs.len() {
                    return found;
                }
            }
        }
    }
}

fn model(diagram: &Diagram, ports: &LinearizePorts, period: Period) -> LinearModel {
    let sampled = SampledDiagram::new(diagram, &diagram.initial_state(), ports, LinearContact::Law).unwrap();
    let inputs = sampled.start_inputs().unwrap();
    sampled.model(period, &inputs, 4).unwrap().model
}

/// Outputs of a model from rest.
fn outputs(model: &LinearModel, inputs: &[f64]) -> Vec<Vec<f64>> {
    let mut x = DVector::zeros(model.a.nrows());
    let step = |u: &f64| {
        let y = &model.c * &x + model.d.column(0) * *u;
        x = &model.a * &x + model.b.column(0) * *u;
        y.iter().copied().collect()
    };
    inputs.iter().map(step).collect()
}

#[test]
fn models_over_common_periods_are_runs_event_by_event() {
    let mut numbers = Numbers(20_261_201);
    for draw in 0..200 {
        let system = Loop::random(&mut numbers);
        let diagram = system.diagram();
        let ports = LinearizePorts {
            inputs: vec!["sum.input0".into()],
            outputs: vec!["plant.output".into(), "controller.output".into()],
            cuts: Vec::new(),
        };
        let model = model(&diagram, &ports, Period::Common);
        let period = model.period.unwrap();
        assert!((period / system.common - 1.0).abs() < 1e-9, "draw {draw}: {period} instead of {}", system.common);
        let inputs: Vec<f64> = (0..12).map(|_| numbers.between(-1.0, 1.0)).collect();
        let expected = system.run(&inputs);
        let size = expected.iter().flatten().fold(1e-3, |most: f64, y| most.max(y.abs()));
        for (k, (found, expected)) in outputs(&model, &inputs).iter().zip(&expected).enumerate() {
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-8 * size, "draw {draw}, {k}: {found} instead of {expected}");
            }
        }
        // Values wait in other queues of a delay, where there are several periods.
        if system.delay.is_some() {
            continue;
        }
        // Over three common periods the map is that of three, under an input that is held.
        let of_three = self::model(&diagram, &ports, Period::Of(3.0 * system.common));
        let cubed = &model.a * &model.a * &model.a;
        let held = (&model.a * &model.a + &model.a + DMatrix::identity(cubed.nrows(), cubed.nrows())) * &model.b;
        assert!((&of_three.a - &cubed).norm() < 1e-8 * cubed.norm().max(1.0), "draw {draw}");
        assert!((&of_three.b - &held).norm() < 1e-8 * held.norm().max(1.0), "draw {draw}");
    }
}

#[test]
fn a_plant_alone_becomes_its_exact_discretization() {
    let mut numbers = Numbers(7);
    for _ in 0..100 {
        let (plant, period) = (Part::random(&mut numbers, 2.0, 0.0), numbers.between(0.01, 0.5));
        let mut b = DiagramBuilder::new("plant");
        let n = plant.a.nrows();
        let Part { a, b: of_input, c, .. } = plant.clone();
        b.add("plant", StateSpace::new(a, of_input, c, DMatrix::zeros(1, 1), vec![0.0; n]).unwrap());
        b.fix_path("plant.input", vec![0.0]);
        let ports = LinearizePorts {
            inputs: vec!["plant.input".into()],
            outputs: vec!["plant.output".into()],
            cuts: Vec::new(),
        };
        let model = model(&b.build().unwrap(), &ports, Period::Of(period));
        for i in 0..n {
            let unit = DVector::from_fn(n, |j, _| f64::from(u8::from(i == j)));
            assert!((model.a.column(i) - plant.flow(&unit, 0.0, period)).norm() < 1e-12);
        }
        assert!((model.b.column(0) - plant.flow(&DVector::zeros(n), 1.0, period)).norm() < 1e-12);
        // The response is the sum of the answers to a sine that is held, over many periods of a stable plant.
        let w = 0.3 / period;
        let z = Complex::from_polar(1.0, w * period);
        let a = model.a.map(|x| Complex::new(x, 0.0));
        let solved = (DMatrix::identity(n, n) * z - a).try_inverse().unwrap() * model.b.map(|x| Complex::new(x, 0.0));
        let expected = (model.c.map(|x| Complex::new(x, 0.0)) * solved)[(0, 0)];
        assert!((model.response(w)[(0, 0)] - expected).norm() < 1e-9 * expected.norm().max(1.0));
    }
}

/// `next = sin(input) + held²/4 - held x`, `output = held x`, `x' = held - x³`.
struct Curved {
    input: In<Dyn>,
    output: Out<Dyn>,
    ports: Ports,
}

impl Curved {
    fn new() -> Self {
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", 1), ports.output_of_width("output", 1));
        ports.no_feedthrough(output);
        ports.periodic(Sampling::every(0.1));
        ports.continuous_state("x", vec![0.7]);
        ports.discrete_state("held", vec![0.4]);
        Curved { input, output, ports }
    }
}

impl LeafSystem for Curved {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        out.set(self.output, [S::constant(ctx.discrete[0]) * ctx.continuous[0]]);
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        derivatives[0] = S::constant(ctx.discrete[0]) - ctx.continuous[0].powi(3);
    }

    fn update(&self, _tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        let held = ctx.discrete[0];
        next[0] = ctx.get(self.input)[0].sin() + 0.25 * held * held - held * ctx.continuous[0];
    }
}

#[test]
fn updates_that_are_not_linear_have_their_derivatives() {
    let mut b = DiagramBuilder::new("curved");
    let curved = b.add("curved", Curved::new());
    b.fix(curved.input, [0.3]);
    let diagram = b.build().unwrap();
    let ports =
        LinearizePorts { inputs: vec!["curved.input".into()], outputs: vec!["curved.output".into()], cuts: Vec::new() };
    let mut state = diagram.initial_state();
    state.started = true;
    let sampled = SampledDiagram::new(&diagram, &state, &ports, LinearContact::Law).unwrap();
    let model = sampled.model(Period::Common, &[0.3], 4).unwrap().model;
    let (x, held, u, period) = (0.7_f64, 0.4, 0.3_f64, 0.1);
    // The event: of (x, held, u); then the flow of x' = held - 3 x² (x - x0).
    let next = [-held, 0.5 * held - x, u.cos()];
    let rate = -3.0 * x * x;
    let (decay, gain) = ((rate * period).exp(), ((rate * period).exp() - 1.0) / rate);
    let expected = [
        (model.a[(0, 0)], decay + gain * next[0]),
        (model.a[(0, 1)], gain * next[1]),
        (model.b[(0, 0)], gain * next[2]),
        (model.a[(1, 0)], next[0]),
        (model.a[(1, 1)], next[1]),
        (model.b[(1, 0)], next[2]),
        (model.c[(0, 0)], held + x * next[0]),
        (model.c[(0, 1)], x * next[1]),
        (model.d[(0, 0)], x * next[2]),
    ];
    for (found, expected) in expected {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }
}
