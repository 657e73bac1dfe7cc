//! Algebraic loops solved on request.

use super::blocks::Mixer;
use kinegraph::diagram::{Diagram, DiagramBuilder, LoopCause};
use kinegraph_systems::operators::{Adder, Gain, Integrator};
use kinegraph_systems::scalar::{partial, seed};
use kinegraph_systems::{Context, Fixed, In, Jet, LeafSystem, Out, Outputs, Ports, Scalar};
use proptest::prelude::*;

/// y = f(u) + w of one number each.
struct Function {
    u: In<Fixed<1>>,
    w: In<Fixed<1>>,
    y: Out<Fixed<1>>,
    kind: Kind,
    ports: Ports,
}

#[derive(Clone, Copy)]
enum Kind {
    Cos,
    Identity,
    Square,
    Root,
}

impl Function {
    fn new(kind: Kind) -> Self {
        let mut ports = Ports::new();
        Function { u: ports.input("u"), w: ports.input("w"), y: ports.output("y"), kind, ports }
    }
}

impl LeafSystem for Function {
    fn ports(&self) -> &Ports {
        &self.ports
    }
    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let ([u], [w]) = (ctx.get(self.u), ctx.get(self.w));
        let f = match self.kind {
            Kind::Cos => u.cos(),
            Kind::Identity => u,
            Kind::Square => u * u,
            Kind::Root => u.sqrt(),
        };
        out.set(self.y, [f + w]);
    }
}

/// y = f(y) + w.
fn own(kind: Kind, w: f64) -> (Diagram, Out<Fixed<1>>) {
    let mut b = DiagramBuilder::new("own");
    let f = b.add("f", Function::new(kind));
    b.connect(f.y, f.u);
    b.fix(f.w, [w]);
    b.solve_algebraic_loops();
    (b.build().unwrap(), f.y)
}

fn value(diagram: &Diagram, path: &str, time: f64, state: &[f64]) -> f64 {
    let mut values = diagram.values::<f64>();
    diagram.evaluate(time, state, &mut values);
    assert_eq!(values.fault(), None);
    values.get(diagram.output(path).unwrap().range)[0]
}

/// y = u - k y, with u a state.
fn linear(k: f64) -> Diagram {
    let mut b = DiagramBuilder::new("linear");
    let sum = b.add("sum", Adder::new(1, [1.0, -1.0]).unwrap());
    let gain = b.add("gain", Gain::new(1, k).unwrap());
    let u = b.add("u", Integrator::new([3.0]).unwrap());
    b.connect(u.output, sum.inputs[0]);
    b.connect(sum.output, gain.input);
    b.connect(gain.output, sum.inputs[1]);
    b.connect(sum.output, u.input);
    b.solve_algebraic_loops();
    b.build().unwrap()
}

#[test]
fn a_linear_loop_has_its_closed_form_values_and_derivatives() {
    for k in [0.5, 4.0, -3.0, 1e6] {
        let diagram = linear(k);
        let expected = 3.0 / (1.0 + k);
        assert!((value(&diagram, "sum.output", 0.0, &[3.0]) - expected).abs() <= 1e-14 * expected.abs());
        let mut values = diagram.values::<Jet>();
        let state = [seed(3.0, 2, 1.0)];
        diagram.evaluate(Jet::constant(0.0), &state, &mut values);
        let mut rate = [Jet::constant(0.0)];
        diagram.derivatives(Jet::constant(0.0), &state, &values, &mut rate);
        assert!((partial(&rate[0], 2) - 1.0 / (1.0 + k)).abs() <= 1e-14 / (1.0 + k).abs());
        let gain = values.get(diagram.output("gain.output").unwrap().range)[0];
        assert!((partial(&gain, 2) - k / (1.0 + k)).abs() < 1e-13);
        assert_eq!(partial(&gain, 0), 0.0);
    }
}

#[test]
fn the_fixed_point_of_the_cosine_is_found() {
    let (diagram, _) = own(Kind::Cos, 0.0);
    let dottie = 0.739_085_133_215_160_6;
    assert!((value(&diagram, "f.y", 0.0, &[]) - dottie).abs() < 2e-16);
}

#[test]
fn the_derivative_follows_from_the_implicit_function_theorem() {
    // y = cos y + w: dy/dw = 1 / (1 + sin y).
    let (diagram, y) = own(Kind::Cos, 0.4);
    let mut values = diagram.values::<Jet>();
    values.arena_mut()[1] = seed(0.4, 5, 1.0);
    diagram.evaluate(Jet::constant(0.0), &[], &mut values);
    let [y] = diagram.read(y, &values).unwrap();
    assert!((y.value() - y.value().cos() - 0.4).abs() < 1e-15);
    assert!((partial(&y, 5) - 1.0 / (1.0 + y.value().sin())).abs() < 1e-14);
}

#[test]
fn the_start_of_the_iteration_does_not_show() {
    let (diagram, _) = own(Kind::Cos, 0.1);
    let cold = value(&diagram, "f.y", 0.0, &[]);
    for start in [-20.0, 0.3, 1e8, f64::NAN, f64::INFINITY] {
        let mut values = diagram.values::<f64>();
        values.arena_mut()[0] = start;
        diagram.evaluate(0.0, &[], &mut values);
        assert!((values.arena()[0] - cold).abs() < 4e-16, "{start}");
    }
}

#[test]
fn a_loop_without_solution_is_reported_with_its_residual() {
    let (diagram, _) = own(Kind::Identity, 1.0);
    let mut values = diagram.values::<f64>();
    diagram.evaluate(2.5, &[], &mut values);
    let fault = values.fault().expect("y = y + 1 has no solution").clone();
    assert_eq!((fault.cause, fault.residual, fault.time), (LoopCause::NoProgress, 1.0, 2.5));
    assert_eq!((fault.ports.as_slice(), fault.worst.as_str()), (&["f.y".to_string()][..], "f.y"));
    assert!(values.arena()[0].is_nan());
    let text = fault.to_string();
    assert!(text.contains("t = 2.5 s") && text.contains("f.y") && text.contains("1.000e0"), "{text}");
    // y = y^2 + 1 has none either, and Newton's method wanders.
    let (diagram, _) = own(Kind::Square, 1.0);
    let mut values = diagram.values::<f64>();
    diagram.evaluate(0.0, &[], &mut values);
    assert!(values.fault().is_some_and(|fault| fault.residual >= 0.75));
}

#[test]
fn a_fault_is_gone_when_the_loop_closes_again() {
    // y = y^2 + w closes for w <= 1/4.
    let (diagram, _) = own(Kind::Square, 0.0);
    let mut values = diagram.values::<f64>();
    for (w, solvable) in [(0.0, true), (1.0, false), (0.16, true)] {
        values.arena_mut()[1] = w;
        diagram.evaluate(0.0, &[], &mut values);
        assert_eq!(values.fault().is_none(), solvable, "{w}");
        assert_eq!(values.arena()[0].is_finite(), solvable);
    }
    assert!((values.arena()[0] - 0.2).abs() < 1e-14 || (values.arena()[0] - 0.8).abs() < 1e-14);
}

#[test]
fn a_block_that_is_undefined_is_reported() {
    // y = sqrt(y) - 1 leads below zero.
    let (diagram, _) = own(Kind::Root, -1.0);
    let mut values = diagram.values::<f64>();
    diagram.evaluate(0.0, &[], &mut values);
    assert!(values.fault().is_some());
}

#[test]
fn two_loops_that_share_a_block_are_solved_together() {
    // s = 1 - 2 s + 0.5 s through two gains: s = 1 / 2.5.
    let mut b = DiagramBuilder::new("two");
    let sum = b.add("sum", Adder::new(1, [1.0, -1.0, 1.0]).unwrap());
    let first = b.add("first", Gain::new(1, 2.0).unwrap());
    let second = b.add("second", Gain::new(1, 0.5).unwrap());
    b.fix(sum.inputs[0], [1.0]);
    b.connect(sum.output, first.input);
    b.connect(sum.output, second.input);
    b.connect(first.output, sum.inputs[1]);
    b.connect(second.output, sum.inputs[2]);
    b.solve_algebraic_loops();
    let diagram = b.build().unwrap();
    // One unknown closes both.
    assert_eq!(diagram.schedule().loops.len(), 1);
    assert_eq!(diagram.schedule().loops[0].tears, [(0, 0)]);
    assert!((value(&diagram, "second.output", 0.0, &[]) - 0.2).abs() < 1e-15);
}

#[test]
fn a_loop_that_feeds_a_loop_comes_first() {
    // a = cos a; b = cos b + a.
    let mut builder = DiagramBuilder::new("chain");
    let b = builder.add("b", Function::new(Kind::Cos));
    let a = builder.add("a", Function::new(Kind::Cos));
    builder.connect(a.y, a.u);
    builder.fix(a.w, [0.0]);
    builder.connect(b.y, b.u);
    builder.connect(a.y, b.w);
    builder.solve_algebraic_loops();
    let diagram = builder.build().unwrap();
    let order: Vec<usize> = diagram.schedule().calls.iter().map(|call| call.block).collect();
    assert_eq!((diagram.schedule().loops.len(), order), (2, vec![1, 0]));
    let (a, b) = (value(&diagram, "a.y", 0.0, &[]), value(&diagram, "b.y", 0.0, &[]));
    assert!((b - b.cos() - a).abs() < 4e-16 && (a - a.cos()).abs() < 2e-16);
}

#[test]
fn a_ring_of_five_needs_one_unknown() {
    let mut b = DiagramBuilder::new("ring");
    let ring: Vec<_> = (0..5).map(|i| b.add(format!("f{i}"), Function::new(Kind::Cos))).collect();
    for (i, f) in ring.iter().enumerate() {
        b.connect(f.y, ring[(i + 1) % 5].u);
        b.fix(f.w, [0.1 * i as f64]);
    }
    b.solve_algebraic_loops();
    let diagram = b.build().unwrap();
    assert_eq!(diagram.schedule().loops[0].tears.len(), 1);
    let y: Vec<f64> = (0..5).map(|i| value(&diagram, &format!("f{i}.y"), 0.0, &[])).collect();
    for i in 0..5 {
        assert!((y[(i + 1) % 5] - y[i].cos() - 0.1 * ((i + 1) % 5) as f64).abs() < 1e-15);
    }
}

#[test]
fn replacing_and_nesting_keep_the_request() {
    let diagram = linear(1.0);
    let replaced = diagram.replace("gain", std::sync::Arc::new(Gain::new(1, 2.0).unwrap())).unwrap();
    assert!((value(&replaced, "sum.output", 0.0, &[3.0]) - 1.0).abs() < 1e-15);
    let mut outer = DiagramBuilder::new("outer");
    outer.nest("inner", diagram.to_builder());
    assert!((value(&outer.build().unwrap(), "inner/sum.output", 0.0, &[3.0]) - 1.5).abs() < 1e-15);
}

#[test]
fn solving_does_not_allocate() {
    let diagram = linear(2.0);
    let (ring, _) = own(Kind::Cos, 0.3);
    let (mut values, mut jets) = (diagram.values::<f64>(), diagram.values::<Jet>());
    let mut own = ring.values::<f64>();
    let mut run = |x: f64| {
        diagram.evaluate(0.0, &[x], &mut values);
        diagram.evaluate(Jet::constant(0.0), &[seed(x, 0, 1.0)], &mut jets);
        own.arena_mut()[1] = x;
        ring.evaluate(0.0, &[], &mut own);
    };
    run(1.0);
    assert_eq!(allocation_counter::measure(|| run(2.0)).count_total, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Random wires between gently coupled blocks: every solution agrees with itself, and its derivative with central
    /// differences.
    #[test]
    fn random_loops_close(
        wires in prop::collection::vec((0..8usize, 0..3usize), 24),
        shapes in prop::collection::vec(prop::collection::vec(proptest::sample::subsequence(vec![0, 1, 2], 0..=3), 1..3), 8),
        time in -1.0..1.0f64,
    ) {
        let mut b = DiagramBuilder::new("random");
        let mixers: Vec<_> = shapes.iter().enumerate()
            .map(|(i, s)| b.add(format!("m{i}"), Mixer::new(3, s, Some(0.1 * i as f64), false))).collect();
        // Every wire passes a gain small enough that there is one solution.
        for (k, &(from, port)) in wires.iter().enumerate() {
            let gain = b.add(format!("g{k}"), Gain::new(2, 0.05).unwrap());
            let from = &mixers[from % mixers.len()];
            b.connect(from.outputs[port % from.outputs.len()], gain.input);
            b.connect(gain.output, mixers[(k / 3) % mixers.len()].inputs[k % 3]);
        }
        b.solve_algebraic_loops();
        let diagram = b.build().unwrap();
        let mut state = diagram.initial_state().continuous;
        let mut values = diagram.values::<f64>();
        diagram.evaluate(time, &state, &mut values);
        prop_assert_eq!(values.fault(), None);
        for (block, mixer) in mixers.iter().enumerate() {
            let entry = &diagram.blocks()[block];
            for port in 0..mixer.outputs.len() {
                let input = |i: usize| values.get(entry.inputs[i].clone().unwrap()).to_vec();
                let expected = mixer.formula(port, time, &state[entry.state.clone()], input);
                for (a, e) in values.get(entry.outputs[port].clone()).iter().zip(expected) {
                    prop_assert!((a - e).abs() < 1e-13);
                }
            }
        }
        let mut jets = diagram.values::<Jet>();
        let seeded: Vec<Jet> = state.iter().enumerate().map(|(i, &x)| if i == 4 { seed(x, 0, 1.0) } else { Jet::constant(x) }).collect();
        diagram.evaluate(Jet::constant(time), &seeded, &mut jets);
        let h = 1e-5;
        let (mut above, mut below) = (diagram.values::<f64>(), diagram.values::<f64>());
        state[4] += h;
        diagram.evaluate(time, &state, &mut above);
        state[4] -= 2.0 * h;
        diagram.evaluate(time, &state, &mut below);
        for ((jet, a), b) in jets.arena().iter().zip(above.arena()).zip(below.arena()) {
            prop_assert!((partial(jet, 0) - (a - b) / (2.0 * h)).abs() < 1e-8);
        }
    }
}
