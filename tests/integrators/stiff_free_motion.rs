//! Free motion that is stiff: damped joints with a weld and a stop. Steps of the explicit method are short there for
//! the sake of stability, and yield to convex ones as soon as these are longer.

use kinegraph::files::load_str;
use kinegraph::integrators::Rule;
use kinegraph::scenario::Scenario;
use std::fmt::Write;
use std::path::Path;

/// An arm with damped joints and a light hand, welded to a body that starts elsewhere: the scene, and where it starts.
fn arm(seed: u32) -> (String, [f64; 2]) {
    let mut state = 0x9e37_79b9_u32.wrapping_mul(seed + 1);
    let mut between = |low: f64, high: f64| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        low + (high - low) * f64::from(state) / f64::from(u32::MAX)
    };
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
            let steps = |free: bool| {
                let mut options = scenario.options;
                options.accuracy = accuracy;
                if !free {
                    options.rules = options.rules.without(Rule::FreeMotion);
                }
                let mut simulation = kinegraph::simulate::Simulation::new(&scenario.diagram, options).unwrap();
                simulation.advance_to(4.0).unwrap();
                simulation.statistics().steps
            };
            let (with, without) = (steps(true), steps(false));
            assert!(with <= 3 * without, "{seed} at {accuracy}: {with} steps, {without} without free motion");
        }
    }
}
