//! Derivatives of random compositions, written as files: arms under feedback that strike and push a block, loops of
//! rigid bodies, sampled laws with stops, relays, blocks on belts, thrown capsules. Each is compared with differences
//! of tight runs.

use super::family::{Found, add, report};
use crate::common::Random;
use kinegraph::files::load_str;
use kinegraph::prelude::*;
use std::path::{Path, PathBuf};

/// A composition: its file by some numbers, ranges of these, which of them is differentiated by, a channel, the end.
struct Composition {
    name: &'static str,
    text: fn(&[f64]) -> String,
    ranges: &'static [(f64, f64)],
    by: &'static [usize],
    channel: &'static str,
    until: (f64, f64),
}

/// The diagram of a file in the folder of the models.
pub fn build(text: &str) -> Diagram {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/gradients");
    let file: PathBuf = folder.join("composition.yaml");
    let text =
        if text.contains("simulation:") { text.to_owned() } else { format!("{text}simulation: {{duration: 1}}\n") };
    let loaded = load_str(&file, &text, &[]).unwrap();
    let built = Scenario::build(&loaded.diagram, &loaded.loader).map(|scenario| scenario.diagram);
    built.ok_or_else(|| loaded.failed()).unwrap()
}

/// Contact of a plant: friction, stiffness, dissipation.
pub fn contact(mu: f64, stiffness: f64, dissipation: f64) -> String {
    format!(
        "{{stiffness: {stiffness:?}, dissipation: {dissipation:?}, static_friction: {mu:?}, dynamic_friction: {mu:?}, \
         stiction_tolerance: 1.0e-3}}"
    )
}

fn arm(p: &[f64]) -> String {
    let contact = contact(p[2], 2e4, 1.0);
    format!(
        "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    contact: {contact}
    ground: {{height: 0}}
    models: [{{name: m, file: arm.xml}}]
    initial: {{m: {{shoulder: {{q: {:?}}}, elbow: {{q: 0.2}}, z: {{q: -6.0e-5}}}}}}
  law:
    type: expression
    inputs: {{s: 8}}
    expression: [\"{kp:?}*(-0.7 - s[0]) - {kd:?}*s[4]\", \"{kp:?}*(0.3 - s[1]) - {kd:?}*s[5]\", \"0\", \"0\"]
connections: [plant.m.state -> law.s, law.output -> plant.m.applied_generalized_force]
",
        p[3],
        kp = p[0],
        kd = p[1],
    )
}

fn crank(p: &[f64]) -> String {
    include_str!("../../data/gradients/crank.yaml")
        .replace("{k: 1, c: 1}", &format!("{{k: {:?}, c: {:?}}}", p[0], p[1]))
}

fn sampled(p: &[f64]) -> String {
    format!(
        "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    models: [{{name: m, file: stop.xml}}]
    stops: {{m: {{hinge: {{stiffness: {:?}, dissipation: 0.2}}}}}}
    initial: {{m: {{hinge: {{q: {:?}}}}}}}
  hold: {{type: zero_order_hold, period: 0.013, width: 2}}
  law: {{type: expression, inputs: {{s: 2}}, expression: \"{:?}*(0.1 - s[0]) - {:?}*s[1]\"}}
connections:
  - plant.m.state -> hold.input
  - hold.output -> law.s
  - law.output -> plant.m.applied_generalized_force
",
        p[0], p[1], p[2], p[3]
    )
}

fn relay(p: &[f64]) -> String {
    format!(
        "kinegraph: 1
systems:
  relay: {{type: relay, rise_at: {:?}, fall_at: {:?}, high: 0, low: 1}}
  power: {{type: gain, gain: {:?}}}
  first: {{type: first_order_lag, time_constant: {:?}, initial: 0.2}}
  second: {{type: first_order_lag, time_constant: 0.3, initial: 0.1}}
  used: {{type: integrator}}
connections:
  - second.output -> relay.input
  - relay.output -> power.input
  - power.output -> first.input
  - first.output -> second.input
  - relay.output -> used.input
",
        p[0],
        p[0] - p[1],
        p[2],
        p[3]
    )
}

fn belt(p: &[f64]) -> String {
    let contact = contact(p[2], 1e5, 10.0);
    format!(
        "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    contact: {contact}
    ground: {{height: 0}}
    models: [{{name: m, file: rubbed.xml}}]
    springs: [{{joint: m/x, stiffness: {:?}}}]
    belts: [{{name: belt, link: ground, axis: [0, 1, 0], speed: {:?}}}]
    initial: {{m: {{z: {{q: 0.04997}}}}}}
",
        p[1], p[0]
    )
}

/// A thrown capsule with two coefficients and a direction.
fn grain(p: &[f64]) -> String {
    let materials = format!("friction: {:?}, friction_across: {:?}, friction_along: [1, {:?}, 0.2]", p[7], p[8], p[9]);
    thrown(p).replace("velocity:", &format!("materials: {{body: {{{materials}}}}}, velocity:"))
}

fn thrown(p: &[f64]) -> String {
    let contact = contact(p[2], p[3], p[4]);
    format!(
        "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    contact: {contact}
    ground: {{height: 0}}
    models:
      - {{name: m, file: thrown.urdf, base: floating, pose: {{xyz: [0, 0, {:?}], rpy: [0, {:?}, 0.2]}},
         velocity: {{linear: [{:?}, 0.3, -0.5], angular: [0.5, {:?}, 1]}}}}
",
        p[0], p[5], p[1], p[6]
    )
}

/// A bob with dry friction that strikes a stop with restitution, between a stiff rope and a capsule that slides.
fn struck(p: &[f64]) -> String {
    let contact = contact(0.4, 2e4, 1.0);
    format!(
        "kinegraph: 1
systems:
  plant:
    type: multibody_plant
    contact: {contact}
    ground: {{height: 0}}
    models:
      - {{name: m, file: stop.xml, pose: {{xyz: [0, 2, 2]}}, joints: {{hinge: {{friction: {:?}, damping: 0.05}}}}}}
      - {{name: body, file: thrown.urdf, base: floating, pose: {{xyz: [0, 0, 0.0595]}}, velocity: {{linear: [1, 0, 0]}}}}
    stops: {{m: {{hinge: {{restitution: {:?}}}}}}}
    constraints:
      - {{name: rope, type: distance, a: {{link: m/bob, pose: {{xyz: [0, 0, -0.5]}}}}, b: {{link: world, pose: {{xyz: [0, 2.4, 2]}}}},
        length: 0.6, stiffness: {:?}, damping: 2}}
    initial: {{m: {{hinge: {{q: {:?}}}}}}}
",
        p[2], p[0], p[3], p[1]
    )
}

const ALL: [Composition; 8] = [
    Composition {
        name: "arm",
        text: arm,
        ranges: &[(40.0, 90.0), (2.0, 6.0), (0.1, 0.6), (0.0, 0.5)],
        by: &[0, 2],
        channel: "plant.m.x.q",
        until: (0.3, 0.8),
    },
    Composition {
        name: "crank",
        text: crank,
        ranges: &[(0.3, 3.0), (0.3, 3.0)],
        by: &[0, 1],
        channel: "sum.output",
        until: (0.5, 1.5),
    },
    Composition {
        name: "sampled",
        text: sampled,
        ranges: &[(3e3, 5e4), (0.8, 1.6), (0.0, 20.0), (0.0, 2.0)],
        by: &[0, 2],
        channel: "plant.m.hinge.q",
        until: (0.5, 1.5),
    },
    Composition {
        name: "relay",
        text: relay,
        ranges: &[(0.4, 0.8), (0.05, 0.3), (1.2, 3.0), (0.2, 0.8)],
        by: &[0, 2],
        channel: "used.output",
        until: (1.0, 4.0),
    },
    Composition {
        name: "belt",
        text: belt,
        ranges: &[(0.1, 0.5), (40.0, 200.0), (0.2, 0.6)],
        by: &[0, 1],
        channel: "plant.m.x.q",
        until: (0.3, 1.0),
    },
    Composition {
        name: "struck",
        text: struck,
        ranges: &[(0.3, 0.9), (0.3, 1.2), (0.0, 0.1), (50.0, 500.0)],
        by: &[0, 1, 2],
        channel: "plant.m.hinge.q",
        until: (0.5, 1.2),
    },
    Composition {
        name: "thrown",
        text: thrown,
        ranges: &[(0.2, 0.5), (-1.0, 1.0), (0.1, 0.7), (5e3, 5e4), (0.1, 3.0), (-0.6, 0.6), (-3.0, 3.0)],
        by: &[0, 2],
        channel: "plant.m.body.x",
        until: (0.3, 0.6),
    },
    Composition {
        name: "grain",
        text: grain,
        ranges: &[
            (0.1, 0.3),
            (-1.0, 1.0),
            (0.3, 0.7),
            (5e3, 5e4),
            (0.1, 3.0),
            (-0.6, 0.6),
            (-3.0, 3.0),
            (0.02, 1.0),
            (0.02, 1.0),
            (0.1, 2.0),
        ],
        by: &[7, 8, 9],
        channel: "plant.m.body.x",
        until: (0.3, 0.6),
    },
];

#[test]
fn random_compositions_have_derivatives_that_say_how_far_off_they_are() {
    let count = std::env::var("KINEGRAPH_SCENES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let only = std::env::var("KINEGRAPH_COMPOSITION").unwrap_or_default();
    let mut all = [1e-3, 1e-4].map(|accuracy| (accuracy, Vec::<Found>::new()));
    for kind in ALL.iter().filter(|kind| kind.name.contains(&only)) {
        let mut random = Random(kind.name.len() as u64 * 31 + 5);
        let mut own = [1e-3, 1e-4].map(|accuracy| (accuracy, Vec::new()));
        for _ in 0..count {
            let p: Vec<f64> = kind.ranges.iter().map(|&(low, high)| random.between(low, high)).collect();
            let until = random.between(kind.until.0, kind.until.1);
            let text = kind.text;
            let scene = move |p: &[f64]| build(&text(p));
            let references: Vec<[f64; 2]> = kind
                .by
                .iter()
                .map(|&by| {
                    let size = p[by].abs();
                    [2e-4, 1e-4]
                        .map(|part| super::scenes::differences(&scene, &p, by, kind.channel, until, part * size))
                })
                .collect();
            add(scene, &p, kind.by, (kind.channel, until), &references, &mut own);
        }
        report(kind.name, &own);
        for ((_, all), (_, own)) in all.iter_mut().zip(own) {
            all.extend(own);
        }
    }
    for (accuracy, silent, within, count) in report("all", &all) {
        assert_eq!(silent, 0, "{accuracy:e}");
        assert!(within * 100 >= count * 90, "{accuracy:e}: {within} of {count}");
    }
}
