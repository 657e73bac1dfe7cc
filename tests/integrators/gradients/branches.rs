//! Derivatives of random diagrams whose blocks branch without a witness function: kinks that a run crosses, jumps that
//! it crosses at a time that moves, staircases behind samples. Each is compared with differences of tight runs: within
//! 30 accuracies of its size, or said to be off.

use super::compositions::{build, contact};
use super::family::{Found, judge, report};
use super::scenes::{differences_of, tight};
use crate::common::Random;
use kinegraph::integrators::Options;
use kinegraph::prelude::*;
use kinegraph::simulate::Simulation;
use kinegraph::simulate::gradient::{By, Gradient, GradientRequest, NoteKind, Of};
use std::sync::Arc;

/// A block of a user that branches and says nothing of it: `low` below zero and `high` above, times the input if it is
/// continuous.
struct Branch {
    input: In<Dyn>,
    output: Out<Dyn>,
    sides: [f64; 2],
    is_continuous: bool,
    ports: Ports,
}

impl Branch {
    fn new(sides: [f64; 2], is_continuous: bool) -> Self {
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", 1), ports.output_of_width("output", 1));
        Branch { input, output, sides, is_continuous, ports }
    }
}

impl LeafSystem for Branch {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let u = ctx.get(self.input)[0];
        let side = self.sides[usize::from(u.value() > 0.0)];
        out.slice(self.output)[0] = if self.is_continuous { u * S::constant(side) } else { S::constant(side) };
    }
}

/// Text of a block by two numbers.
type Text = fn(f64, f64) -> String;

/// Blocks with a branch, by two numbers: what stands in the file, or a block of a user.
#[rustfmt::skip]
const BRANCHES: [(&str, Text); 14] = [
    ("abs", |_, _| "{type: function, function: abs}".into()),
    ("sign", |_, _| "{type: function, function: sign}".into()),
    ("floor", |_, _| "{type: function, function: floor}".into()),
    ("saturation", |a, b| format!("{{type: saturation, lower: {:?}, upper: {b:?}}}", -a)),
    ("dead zone", |a, b| format!("{{type: dead_zone, lower: {:?}, upper: {b:?}}}", -a)),
    ("quantizer", |a, _| format!("{{type: quantizer, interval: {a:?}}}")),
    ("table", |a, b| format!("{{type: table, arguments: [-9, {:?}, {b:?}, 9], values: [-1, 1, -0.5, 2]}}", -a)),
    ("max", |a, _| format!("{{type: expression, inputs: [input], expression: \"max(input, {a:?})\"}}")),
    ("clamp", |a, b| format!("{{type: expression, inputs: [input], expression: \"clamp(input, {:?}, {b:?})\"}}", -a)),
    ("if", |a, b| format!("{{type: expression, inputs: [input], expression: \"if(input > 0, {a:?}, -{b:?})\"}}")),
    ("steps", |a, _| format!("{{type: expression, inputs: [input], expression: \"floor(3*input)*{a:?}\"}}")),
    ("relay", |a, b| format!("{{type: relay, rise_at: {:?}, fall_at: {:?}}}", 0.2 * a, -0.2 * b)),
    ("own kink", |_, _| String::new()),
    ("own jump", |_, _| String::new()),
];

/// An oscillator with a branch in its feedback: x at the start, its rate, stiffness, damping, gain of the branch, level
/// at which it branches, and the two numbers of the branch.
fn diagram(kind: usize, p: &[f64], period: Option<f64>) -> Diagram {
    let (name, block) = BRANCHES[kind];
    let text = block(p[6], p[7]);
    let own = text.is_empty().then(|| Branch::new([-p[6], p[7]], name == "own kink"));
    let block = if text.is_empty() { "{type: gain, gain: 1, width: 1}" } else { &text };
    let sample = period
        .map_or("{type: gain, gain: 1}".to_owned(), |period| format!("{{type: zero_order_hold, period: {period:?}}}"));
    let text = format!(
        "kinegraph: 1
systems:
  x: {{type: integrator, initial: {:?}}}
  v: {{type: integrator, initial: {:?}}}
  shift: {{type: expression, inputs: [x], expression: \"x - {:?}\"}}
  sample: {sample}
  branch: {block}
  law: {{type: expression, inputs: [x, v, u], expression: \"0 - {:?}*x - {:?}*v + {:?}*u\"}}
connections: [v.output -> x.input, law.output -> v.input, x.output -> shift.x, shift.output -> sample.input,
  sample.output -> branch.input, x.output -> law.x, v.output -> law.v, branch.output -> law.u]
",
        p[0], p[1], p[5], p[2], p[3], p[4]
    );
    let built = build(&text);
    own.map_or(built.clone(), |own| built.replace("branch", Arc::new(own)).unwrap())
}

/// Derivatives of x at the end, by some of the numbers.
fn gradient(
    scene: impl Fn(&[f64]) -> Diagram + Clone + Send + Sync + 'static,
    (p, by): (&[f64], &[usize]),
    until: f64,
    options: &Options,
) -> Gradient {
    let simulation = Simulation::new(&scene(p), *options).unwrap();
    let by = by.iter().map(|&i| {
        let (scene, p) = (scene.clone(), p.to_vec());
        By::parameter(format!("p{i}"), "", p[i], move |value| {
            let mut p = p.clone();
            p[i] = value;
            Ok(scene(&p))
        })
    });
    let of: Vec<Of> = vec!["end(x.output)".parse().unwrap()];
    simulation.gradient(&GradientRequest { of, by: by.collect(), until, at: Vec::new(), second_look: true }).unwrap()
}

#[test]
fn branches_without_witnesses_are_not_silent() {
    let count = std::env::var("KINEGRAPH_SCENES").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let mut all = [1e-3, 1e-4].map(|accuracy| (accuracy, Vec::<Found>::new()));
    let mut random = Random(41);
    for scene in 0..count * BRANCHES.len() {
        let kind = scene % BRANCHES.len();
        let mut within = |low: f64, high: f64| random.between(low, high);
        let p = [
            within(-1.5, 1.5),
            within(-2.0, 2.0),
            within(2.0, 20.0),
            within(0.0, 0.6),
            within(-1.5, 1.5),
            within(-0.4, 0.4),
            within(0.2, 0.8),
            within(0.2, 0.8),
        ];
        let (until, sampled) = (within(0.7, 3.0), within(0.0, 1.0) < 0.2);
        let period = sampled.then(|| within(0.01, 0.2));
        let by = [0, 4, 5];
        let build = move |p: &[f64]| diagram(kind, p, period);
        let references =
            by.map(|by| [2e-4, 1e-4].map(|s| differences_of(&tight(), &build, &p, by, "x.output", until, s)));
        for (accuracy, found) in &mut all {
            for (name, options) in [("dopri5", Options::dopri5(*accuracy)), ("cenic", Options::cenic(*accuracy))] {
                let gradient = gradient(build, (&p, &by), until, &options);
                for (column, [coarse, fine]) in references.iter().enumerate() {
                    if (coarse - fine).abs() < *accuracy * fine.abs().max(1.0) {
                        let one = judge(&gradient, column, fine + (fine - coarse) / 3.0, *accuracy);
                        if one.is_silent() {
                            println!(
                                "{}, {name}, {period:?}, by {}, {accuracy:e}: {p:?}",
                                BRANCHES[kind].0, by[column]
                            );
                        }
                        found.push(one);
                    }
                }
            }
        }
    }
    for (accuracy, silent, within, count) in report("branches", &all) {
        assert_eq!(silent, 0, "{accuracy:e}");
        assert!(within * 100 >= count * 60, "{accuracy:e}: {within} of {count}");
    }
}

/// Derivatives of a measure of a file by a parameter of which `text` is the file.
fn by_parameter(text: fn(f64) -> String, value: f64, of: &str, options: &Options) -> Gradient {
    let make = move |value: f64| if value < 0.0 { Err("below zero".to_owned()) } else { Ok(build(&text(value))) };
    let by = vec![By::parameter("p", "", value, make)];
    let simulation = Simulation::new(&build(&text(value)), *options).unwrap();
    let of: Vec<Of> = vec![of.parse().unwrap()];
    simulation.gradient(&GradientRequest { of, by, until: 1.0, at: Vec::new(), second_look: true }).unwrap()
}

fn notes(gradient: &Gradient) -> Vec<(NoteKind, Option<f64>, &str)> {
    gradient.notes.iter().map(|note| (note.kind, note.time, &*note.text)).collect()
}

/// x' = 2 |x| - x from x = 0: e above zero and e^-3 below it.
#[test]
fn a_corner_at_which_a_run_rests_is_named() {
    let text = |x: f64| {
        format!(
            "kinegraph: 1
systems:
  x: {{type: integrator, initial: {x:?}}}
  bend: {{type: function, function: abs}}
  law: {{type: expression, inputs: [x, a], expression: \"2*a - x\"}}
connections: [x.output -> bend.input, x.output -> law.x, bend.output -> law.a, law.output -> x.input]
"
        )
    };
    for options in [Options::dopri5(1e-5), Options::cenic(1e-5)] {
        let make = move |x: f64| Ok(build(&text(x)));
        let by = vec![By::parameter("p", "", 0.0, make)];
        let simulation = Simulation::new(&build(&text(0.0)), options).unwrap();
        let of: Vec<Of> = vec!["end(x.output)".parse().unwrap()];
        let request = GradientRequest { of, by, until: 1.0, at: Vec::new(), second_look: true };
        let found = simulation.gradient(&request).unwrap();
        let mean = 0.5 * (1f64.exp() + (-3f64).exp());
        assert!((found.get(0, 0).value - mean).abs() < 1e-4, "{found:?}");
        let notes = notes(&found);
        assert!(matches!(notes[..], [(NoteKind::Kink, Some(0.0), text)] if text.contains("`bend`")), "{notes:?}");
        // Away from the corner there is nothing to say.
        let found = by_parameter(text, 0.1, "end(x.output)", &options);
        assert!((found.get(0, 0).value - 1f64.exp()).abs() < 1e-4 && found.notes.is_empty(), "{found:?}");
    }
}

/// A saturation at its limit and beyond it, a quantizer behind samples, and a number at the end of what it may be.
#[test]
fn blocks_that_hold_a_number_are_named() {
    let saturated = |value: f64| {
        format!(
            "kinegraph: 1
systems:
  one: {{type: constant, value: {value:?}}}
  cut: {{type: saturation, lower: -1, upper: 0.5}}
  y: {{type: integrator, initial: 0}}
connections: [one.output -> cut.input, cut.output -> y.input]
"
        )
    };
    let options = Options::dopri5(1e-5);
    let found = by_parameter(saturated, 0.8, "end(y.output)", &options);
    assert_eq!(found.get(0, 0).value, 0.0);
    assert!(matches!(notes(&found)[..], [(NoteKind::Held, None, text)] if text.contains("`cut`")), "{found:?}");
    let found = by_parameter(saturated, 0.5, "end(y.output)", &options);
    assert!((found.get(0, 0).value - 0.5).abs() < 1e-6, "{found:?}");
    assert!(matches!(notes(&found)[..], [(NoteKind::Kink, Some(0.0), text)] if text.contains("`cut`")), "{found:?}");
    let found = by_parameter(saturated, 0.3, "end(y.output)", &options);
    assert!((found.get(0, 0).value - 1.0).abs() < 1e-6 && found.notes.is_empty(), "{found:?}");
    let found = by_parameter(saturated, 0.0, "end(y.output)", &options);
    assert!((found.get(0, 0).value - 1.0).abs() < 1e-6, "{found:?}");
    assert!(matches!(notes(&found)[..], [(NoteKind::Held, None, text)] if text.contains("one side")), "{found:?}");
    let stepped = |value: f64| {
        format!(
            "kinegraph: 1
systems:
  wave: {{type: sine, amplitude: {value:?}, frequency: 9}}
  hold: {{type: zero_order_hold, period: 0.03}}
  grid: {{type: quantizer, interval: 0.2}}
  y: {{type: integrator, initial: 0}}
connections: [wave.output -> hold.input, hold.output -> grid.input, grid.output -> y.input]
"
        )
    };
    let found = by_parameter(stepped, 1.03, "end(y.output)", &options);
    assert!(matches!(notes(&found)[..], [(NoteKind::Held, None, text)] if text.contains("`grid`")), "{found:?}");
}

/// A force that jumps at a place: in free motion the change of its time is in the derivative; on a body that rubs it is
/// left out, and a note says so.
#[test]
fn jumps_of_forces_on_bodies_count_or_are_named() {
    let text = |height: f64, speed: f64| {
        let contact = contact(0.3, 1e5, 10.0);
        format!(
            "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    contact: {contact}
    gravity: [0, 0, {}]
    ground: {{height: 0}}
    models: [{{name: m, file: rubbed.xml}}]
    initial: {{m: {{x: {{v: {speed:?}}}, z: {{q: {height:?}}}}}}}
  push: {{type: expression, inputs: {{s: 4}}, expression: [\"6*floor(4*s[0])\", \"0\"]}}
connections: [plant.m.state -> push.s, push.output -> plant.m.applied_generalized_force]
",
            if height > 1.0 { 0.0 } else { -9.81 }
        )
    };
    for height in [2.0, 0.04997] {
        let scene = move |p: &[f64]| build(&text(height, p[0]));
        let p = [2.0];
        let [coarse, fine] = [2e-4, 1e-4].map(|s| differences_of(&tight(), &scene, &p, 0, "plant.m.x.q", 0.5, s));
        let reference = fine + (fine - coarse) / 3.0;
        let simulation = Simulation::new(&scene(&p), Options::cenic(1e-4)).unwrap();
        let by = vec![By::parameter("p", "", p[0], move |value| Ok(scene(&[value])))];
        let of: Vec<Of> = vec!["end(plant.m.x.q)".parse().unwrap()];
        let request = GradientRequest { of, by, until: 0.5, at: Vec::new(), second_look: true };
        let found = simulation.gradient(&request).unwrap();
        println!("{height}: {:?} for {reference}, {:?}", found.get(0, 0), found.notes);
        if height > 1.0 {
            assert!((found.get(0, 0).value - reference).abs() < 3e-3 && found.notes.is_empty(), "{found:?}");
        } else {
            let has_kink =
                notes(&found).iter().any(|(kind, _, text)| *kind == NoteKind::Kink && text.contains("`push`"));
            assert!(has_kink, "{found:?} for {reference}");
        }
    }
}
