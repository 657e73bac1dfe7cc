//! Stiff free motion: damped joints with a weld and a stop, and feedback on joints that turn against each other. Steps
//! of explicit methods are short there for the sake of stability, and are replaced by convex steps as soon as these are
//! longer.

use kinegraph::files::load_str;
use kinegraph::integrators::{Options, Rule};
use kinegraph::scenario::Scenario;
use kinegraph::simulate::Simulation;
use std::fmt::Write;
use std::path::Path;

/// Pseudorandom numbers.
fn generator(seed: u32) -> impl FnMut(f64, f64) -> f64 {
    let mut state = 0x9e37_79b9_u32.wrapping_mul(seed + 1);
    move |low: f64, high: f64| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        low + (high - low) * f64::from(state) / f64::from(u32::MAX)
    }
}

/// An arm with damped joints and a light hand, welded to a body that starts elsewhere: the scene, and its initial
/// positions.
fn arm(seed: u32) -> (String, [f64; 2]) {
    let mut between = generator(seed);
    let damping = [5, 10, 20][seed as usize % 3];
    let apart = r#"contype="0" conaffinity="0""#;
    let mut text = String::new();
    let _ = write!(
        text,
        r#"<mujoco><worldbody><body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping="{damping}"/>
<geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="{:.3}" {apart}/>
<body name="fore" pos=".4 0 0"><joint name="elbow" axis="0 1 0" damping="{damping}" range="-1.5 1.5" limited="true"/>
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass="{:.3}" {apart}/>
<body name="wrist" pos=".3 0 0"><joint name="wrist" axis="1 0 0" damping="{damping}"/>
<joint name="twist" axis="0 0 1" damping="{damping}"/>
<geom type="box" size="{:.3} .03 .03" mass="{:.3}" {apart}/></body></body></body>
<body name="hand" pos=".75 .1 1"><freejoint/><geom type="box" size=".03 .03 .03" mass="{:.3}" {apart}/></body></worldbody>
<equality><weld body1="wrist" body2="hand"/></equality></mujoco>"#,
        between(1.0, 3.0),
        between(0.3, 1.0),
        between(0.02, 0.05),
        between(0.2, 1.0),
        between(0.1, 0.5)
    );
    (text, [between(-1.0, 1.0), if seed % 4 == 3 { 1.0 } else { 1.5 }])
}

/// Number of steps of a run to `end` at an accuracy, without a rule if one is named.
fn steps(scenario: &Scenario, accuracy: f64, without: Option<Rule>, end: f64) -> usize {
    let mut options = Options { accuracy, ..scenario.options };
    if let Some(rule) = without {
        options.rules = options.rules.without(rule);
    }
    let mut simulation = Simulation::new(&scenario.diagram, options).unwrap();
    simulation.advance_to(end).unwrap();
    simulation.statistics().steps
}

/// With the explicit method no run takes many more steps than without it: they were up to 140 times as many.
#[test]
fn stiff_free_motion_yields_to_convex_steps() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stiff_free_motion");
    std::fs::create_dir_all(&folder).unwrap();
    for seed in 0..8 {
        let (model, [shoulder, elbow]) = arm(seed);
        let file = format!("arm{seed}.xml");
        std::fs::write(folder.join(&file), model).unwrap();
        let text = format!(
            "kinegraph: 1\nsystems: {{plant: {{type: multibody_plant, models: [{{name: m, file: {file}}}], \
             initial: {{m: {{shoulder: {shoulder}, elbow: {elbow}}}}}}}}}\nsimulation: {{duration: 4}}\n"
        );
        let loaded = load_str(&folder.join("d.yaml"), &text, &[]).unwrap();
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader).unwrap();
        for accuracy in [1e-2, 1e-3, 1e-4] {
            let [with, without] = [None, Some(Rule::FreeMotion)].map(|rule| steps(&scenario, accuracy, rule, 4.0));
            assert!(with <= 3 * without, "{seed} at {accuracy}: {with} steps, {without} without free motion");
        }
    }
}

/// Four joints about one axis, the last with a load far from it: what they turn against each other is light, what they
/// turn together is not. Stiff gains on it are followed by convex steps: refinement by an explicit method made a
/// hundred times as many.
#[test]
fn stiff_feedback_on_joints_that_turn_against_each_other_takes_convex_steps() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stiff_feedback");
    std::fs::create_dir_all(&folder).unwrap();
    for seed in 0..4 {
        let mut between = generator(seed);
        let mut model = String::from(r#"<robot name="arm"><link name="l0"/>"#);
        for i in 1..=4 {
            let (mass, inertia, away) = (between(0.5, 1.5), between(0.003, 0.006), if i == 4 { 0.4 } else { 0.0 });
            let _ = write!(
                model,
                r#"<link name="l{i}"><inertial><origin xyz="{away} 0 0"/><mass value="{mass:.3}"/>
<inertia ixx="0.02" iyy="0.02" izz="{inertia:.4}" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j{i}" type="continuous"><parent link="l{}"/><child link="l{i}"/><axis xyz="0 0 1"/></joint>"#,
                i - 1
            );
        }
        let goal: Vec<String> = (0..4).map(|_| format!("{:.3}", between(-1.0, 1.0))).collect();
        std::fs::write(folder.join(format!("arm{seed}.urdf")), model + "</robot>").unwrap();
        let text = format!(
            "kinegraph: 1\nsystems:\n  plant: {{type: multibody_plant, models: [{{name: arm, file: arm{seed}.urdf, \
             base: fixed}}]}}\n  controller: {{type: pid, kp: [2000, 2000, 2000, 2000], kd: [80, 80, 80, 80]}}\n  \
             path: {{type: trajectory, times: [0, 1], values: [[0, 0, 0, 0], [{}]]}}\nconnections:\n  \
             - plant.arm.state -> controller.measured\n  - path.state -> controller.desired\n  \
             - controller.effort -> plant.arm.actuation\nsimulation: {{duration: 1}}\n",
            goal.join(", ")
        );
        let loaded = load_str(&folder.join("d.yaml"), &text, &[]).unwrap();
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader).unwrap();
        for accuracy in [1e-4, 1e-5] {
            let [with, without] = [None, Some(Rule::Refinement)].map(|rule| steps(&scenario, accuracy, rule, 1.0));
            assert!(with <= without + without / 5, "{seed} at {accuracy}: {with} steps, {without} without refinement");
        }
    }
}
