//! A body that falls through its support is reported, with the time and the reason; one that falls for another reason
//! is not.

use super::small_models::{folder, scenario};
use crate::command::kinegraph;
use kinegraph::simulate::Lost;

/// A seed's numbers between 0 and 1.
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Bodies lost after `time`.
fn lost(name: &str, fall: &Fall, time: f64) -> Vec<Lost> {
    let folder = folder(name, &[("m.xml", &fall.scene())]);
    let mut simulation = scenario(&folder, "file: m.xml").expect("a scenario").simulation().expect("an integrator");
    let mut state = simulation.state().clone();
    // After seven positions and the angular velocity.
    state.continuous[10..13].copy_from_slice(&fall.velocity);
    simulation.set_state(state).expect("a state");
    simulation.advance_to(time).expect("a run");
    simulation.lost_bodies()
}

/// Initial height of a body, and contact settings of its shape.
struct Fall {
    shape: &'static str,
    bits: &'static str,
    at: [f64; 3],
    velocity: [f64; 3],
    exclude: bool,
}

impl Fall {
    /// Over a table of thickness 0.1 m whose top is at z = 0, and a shelf beside it.
    fn scene(&self) -> String {
        let Fall { shape, bits, at: [x, y, z], exclude, .. } = self;
        let exclude = if *exclude { r#"<contact><exclude body1="thing" body2="table"/></contact>"# } else { "" };
        format!(
            r#"<mujoco><worldbody>
<body name="table"><geom type="box" size="1 1 .05" pos="0 0 -.05"/></body>
<body name="shelf" pos="3 0 1"><geom type="box" size=".5 .5 .05"/></body>
<body name="thing" pos="{x} {y} {z}"><freejoint name="thing"/><geom {shape} {bits}/></body></worldbody>{exclude}</mujoco>"#
        )
    }
}

/// Shapes, and half their heights \[m\].
const SHAPES: [(&str, f64); 3] = [
    (r#"type="sphere" size=".1""#, 0.1),
    (r#"type="box" size=".2 .1 .05""#, 0.05),
    (r#"type="cylinder" size=".1 .15""#, 0.15),
];
const APART: &str = r#"contype="2" conaffinity="2""#;

#[test]
fn a_body_that_falls_through_its_table_is_reported_with_time_and_reason() {
    for seed in 0..12 {
        let mut next = random(seed + 1);
        let (shape, half) = SHAPES[seed as usize % 3];
        let height = next();
        let [exclude, bits] = [seed % 2 == 0, seed % 2 == 1];
        let at = [next() - 0.5, next() - 0.5, half + height];
        let fall = Fall { shape, bits: if bits { APART } else { "" }, at, velocity: [0.0; 3], exclude };
        let found = lost(&format!("lost{seed}"), &fall, 1.2);
        let [Lost { plant, body, through, time, why }] = &found[..] else { panic!("{seed}: {found:?}") };
        assert_eq!((&plant[..], &body[..], &through[..]), ("plant", "m/thing", "m/table"));
        assert!(why.contains(if exclude { "by name" } else { "contype" }), "{why}");
        // Its top passes the lower side of the table.
        let expected = (2.0 * (height + 2.0 * half + 0.1) / 9.81).sqrt();
        assert!((time - expected).abs() < 2e-3, "{seed}: {time} s, expected {expected} s");
    }
}

#[test]
fn bodies_that_rest_or_fall_beside_the_table_are_not_lost() {
    for seed in 0..12 {
        let mut next = random(seed + 100);
        let (shape, half) = SHAPES[seed as usize % 3];
        let mut z = half + 0.5 * next();
        let (mut x, mut velocity, mut bits) = (next() - 0.5, [0.0; 3], "");
        match seed % 4 {
            // Rests on the table.
            0 => {}
            // Is thrown over the edge, though nothing would hold it.
            1 => (velocity, bits) = ([6.0, 0.0, 4.0], APART),
            // Begins beside the table.
            2 => x = 1.6,
            // Begins below the shelf, beside the table.
            _ => (x, z) = (3.0, 0.5),
        }
        let fall = Fall { shape, bits, at: [x, 0.0, z], velocity, exclude: false };
        let found = lost(&format!("kept{seed}"), &fall, 1.2);
        assert!(found.is_empty(), "{seed}: {found:?}");
    }
}

/// Two tables with a gap between them: a ball that was above the right one and bounced off the edge of the left one in
/// the gap; a chain of three links, which folds up on both edges and spreads again below. They are lost only if nothing
/// holds them and they fall through a table.
#[test]
fn bodies_that_fall_through_a_gap_are_not_lost() {
    let ball = |bits: &str| {
        format!(r#"<body name="thing" pos=".4 0 .3"><freejoint/><geom type="sphere" size=".05" {bits}/></body>"#)
    };
    let chain = |bits: &str| {
        let link = |side: f64| {
            format!(
                r#"<body pos="{} 0 0"><joint type="hinge" axis="0 1 0" pos="{} 0 0" stiffness=".3" damping=".05"/>
<geom type="sphere" size=".05" pos="{} 0 0" {bits}/></body>"#,
                0.1 * side,
                -0.1 * side,
                0.15 * side
            )
        };
        let [right, left] = [1.0, -1.0].map(link);
        format!(
            r#"<body name="thing" pos="0 0 1"><freejoint/><geom type="sphere" size=".05" {bits}/>{right}{left}</body>"#
        )
    };
    // The pose and the linear velocity to go on from, where the angles and the angular velocity are zero.
    let cases = [
        ("ball", ball(""), [0.0, 0.0, -0.2], [0.5, 0.0, -2.4], 0),
        ("chain", chain(""), [0.0, 0.0, 1.0], [0.0; 3], 0),
        ("ball_through", ball(APART), [0.4, 0.0, 0.3], [0.0; 3], 1),
        ("chain_through", chain(APART), [0.0, 0.0, 1.0], [0.8, 0.0, 0.0], 1),
    ];
    for (name, thing, position, velocity, expected) in cases {
        let scene = format!(
            r#"<mujoco><worldbody><body name="left"><geom type="box" size="1 1 .25" pos="-1.2 0 -.25"/></body>
<body name="right"><geom type="box" size="1 1 .25" pos="1.2 0 -.25"/></body>{thing}</worldbody></mujoco>"#
        );
        let folder = folder(&format!("gap_{name}"), &[("m.xml", &scene)]);
        let mut simulation = scenario(&folder, "file: m.xml").expect("a scenario").simulation().expect("an integrator");
        let mut state = simulation.state().clone();
        let linear = if name.starts_with("chain") { 12 } else { 10 };
        state.continuous[4..7].copy_from_slice(&position);
        state.continuous[linear..linear + 3].copy_from_slice(&velocity);
        simulation.set_state(state).expect("a state");
        simulation.advance_to(1.5).expect("a run");
        let found = simulation.lost_bodies();
        assert_eq!(found.len(), expected, "{name}: {found:?}");
    }
}

#[test]
fn a_pair_that_is_excluded_and_holds_something_up_is_noted() {
    let scene = |exclude, z| {
        let shape = r#"type="box" size=".2 .1 .05""#;
        Fall { shape, bits: "", at: [0.0, 0.0, z], velocity: [0.0; 3], exclude }.scene()
    };
    for (k, (exclude, z, noted)) in
        [(true, 0.05, true), (false, 0.05, false), (true, 0.5, false)].into_iter().enumerate()
    {
        let folder = folder(&format!("support{k}"), &[("m.xml", &scene(exclude, z))]);
        std::fs::write(
            folder.join("d.yaml"),
            "kinegraph: 1\nsystems: {plant: {type: multibody_plant, models: [{name: m, file: m.xml}]}}\n\
             simulation: {duration: 1}\n",
        )
        .expect("a file");
        let file = folder.join("d.yaml");
        let (_, text, _) = kinegraph(&["check", file.to_str().expect("a path"), "--notes"]);
        assert_eq!(text.contains("`m/thing` starts on `m/table`, which does not hold it"), noted, "{k}: {text}");
        // A run says it in full, too, whatever else it says of the models.
        let (_, _, said) = kinegraph(&["run", file.to_str().expect("a path")]);
        assert_eq!(said.contains("`m/thing` starts on `m/table`, which does not hold it"), noted, "{k}: {said}");
    }
}

/// The summary, the report and the recording contain the lost body.
#[test]
fn lost_bodies_are_in_summary_report_and_recording() {
    let (shape, bits) = (SHAPES[0].0, APART);
    let scene = Fall { shape, bits, at: [0.0, 0.0, 0.2], velocity: [0.0; 3], exclude: false }.scene();
    let folder = folder("lost_run", &[("m.xml", &scene)]);
    let diagram = folder.join("d.yaml");
    std::fs::write(
        &diagram,
        "kinegraph: 1\nsystems: {plant: {type: multibody_plant, models: [{name: m, file: m.xml}]}}\n\
         simulation: {duration: 1}\n",
    )
    .expect("a file");
    let recording = folder.join("r.mcap");
    let run = |options: &[&str]| {
        let (code, text, err) = kinegraph(&[&["run", diagram.to_str().expect("a path")], options].concat());
        assert_eq!(code, 0, "{err}");
        text
    };
    let said = "m/thing fell through m/table";
    let text = run(&["--record", recording.to_str().expect("a path")]);
    assert!(text.contains(said), "{text}");
    let json: serde_json::Value = serde_json::from_str(&run(&["--json", "--quiet"])).expect("JSON");
    assert_eq!(json["lost"][0]["body"], "m/thing");
    let read = kinegraph::record::mcap::read(&recording).expect("a recording");
    assert!(read.notes.len() == 1 && read.notes[0].contains(said), "{:?}", read.notes);
}
