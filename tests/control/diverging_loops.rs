//! Random loops that diverge are named, within few steps; stable ones of the same kinds run to their end.

use crate::common::Random;
use kinegraph::files::load_str;
use kinegraph::scenario::Scenario;
use kinegraph::simulate::{DivergingLoop, RunError};
use std::f64::consts::PI;
use std::path::Path;
use std::sync::Once;

/// A rod of 2 kg and 1 m that turns about its end.
const ROD: &str = r#"<robot name="rod"><link name="base"/><link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
<inertia ixx="0.2" iyy="0.2" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="pivot" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>"#;
/// Its moment of inertia about the joint [kg m²].
const INERTIA: f64 = 0.7;

/// A diagram file, and the blocks that its loop goes through.
struct Case {
    text: String,
    blocks: &'static [&'static str],
}

fn on_rod(controller: String, before: &str, sign: f64, duration: f64, accuracy: f64) -> String {
    let (hold, measured) = match before {
        "" => (String::new(), "plant.arm.state -> controller.measured".to_owned()),
        hold => {
            (format!("  {hold}\n"), "plant.arm.state -> hold.input\n  - hold.output -> controller.measured".to_owned())
        }
    };
    format!(
        "kinegraph: 1\nsystems:\n  plant: {{type: multibody_plant, models: [{{name: arm, file: rod.urdf, base: fixed}}]}}\n\
         {hold}  controller: {{type: pid, {controller}}}\n  drive: {{type: gain, gain: {sign}}}\n  \
         goal: {{type: constant, value: [0.5, 0]}}\nconnections:\n  - {measured}\n  - goal.output -> controller.desired\n  \
         - controller.effort -> drive.input\n  - drive.output -> plant.arm.actuation\n\
         simulation: {{duration: {duration}, accuracy: {accuracy:e}}}\n"
    )
}

impl Case {
    fn new(number: usize, diverges: bool, r: &mut Random) -> Self {
        let accuracy = [1e-2, 1e-3, 1e-4][number / 4 % 3];
        match number % 4 {
            0 => {
                let w = r.between(3.0, 20.0);
                let (kp, kd) = (INERTIA * w * w + 20.0, 2.0 * INERTIA * w * r.between(0.3, 1.2));
                // Of the wrong sign, or with too much of the integral: k_i beyond k_p k_d / I.
                let (sign, ki) = match (diverges, number / 4 % 2) {
                    (true, 0) => (-1.0, 0.0),
                    (true, _) => (1.0, kp * kd / INERTIA * r.between(1.5, 4.0)),
                    (false, _) => (1.0, kp * kd / INERTIA * r.between(0.0, 0.3)),
                };
                let text = on_rod(format!("kp: {kp}, ki: {ki}, kd: {kd}"), "", sign, 20.0, accuracy);
                Case { text, blocks: &["plant", "controller", "drive"] }
            }
            1 => {
                let (delay, lag) = (r.between(0.05, 1.0), r.between(0.05, 1.0));
                // The gain at which the phase of delay and lag together is half a turn.
                let (mut low, mut high) = (0.0, PI / delay);
                for _ in 0..60 {
                    let w: f64 = 0.5 * (low + high);
                    if (w * lag).atan() + w * delay < PI { low = w } else { high = w }
                }
                let critical = (1.0 + (low * lag).powi(2)).sqrt();
                let gain = critical * if diverges { r.between(1.5, 4.0) } else { r.between(0.2, 0.7) };
                let text = format!(
                    "kinegraph: 1\nsystems:\n  lag: {{type: first_order_lag, time_constant: {lag}, initial: 0.1}}\n  \
                     gain: {{type: gain, gain: {}}}\n  delay: {{type: transport_delay, delay: {delay}, period: {}}}\n\
                     connections:\n  - lag.output -> gain.input\n  - gain.output -> delay.input\n  \
                     - delay.output -> lag.input\nsimulation: {{duration: {}, accuracy: {accuracy:e}}}\n",
                    -gain,
                    delay / 20.0,
                    100.0 * (delay + lag)
                );
                Case { text, blocks: &["lag", "gain", "delay"] }
            }
            2 => {
                // x1' = x2, x2' = a x1 + b x2 + u, y = x1 + c x2, u = -k y: the closed loop has the poles of
                // s² - (b - k c) s - (a - k).
                let (a, b, c) = (r.between(-2.0, 2.0), r.between(-1.0, 1.0), r.between(0.1, 1.0));
                let k = if diverges { -r.between(3.0, 20.0) } else { r.between(3.0, 20.0) + (1.0 + b.abs()) / c };
                let text = format!(
                    "kinegraph: 1\nsystems:\n  process: {{type: state_space, A: [[0, 1], [{a}, {b}]], B: [[0], [1]], \
                     C: [[1, {c}]], D: [[0]], initial: [0.1, 0]}}\n  gain: {{type: gain, gain: {}}}\n\
                     connections:\n  - process.output -> gain.input\n  - gain.output -> process.input\n\
                     simulation: {{duration: 30, accuracy: {accuracy:e}, integrator: {}}}\n",
                    -k,
                    ["cenic", "dopri5", "sdirk2"][number / 4 % 3]
                );
                Case { text, blocks: &["process", "gain"] }
            }
            _ => {
                let w = r.between(5.0, 20.0);
                let (kp, kd) = (INERTIA * w * w, 1.6 * INERTIA * w);
                // A damper that is held for longer than 2 I / k_d pushes beyond rest.
                let period = if diverges { r.between(2.5, 4.0) / (1.6 * w) } else { r.between(0.05, 0.3) / w };
                let hold = format!("hold: {{type: zero_order_hold, period: {period}, width: 2}}");
                let text = on_rod(format!("kp: {kp}, kd: {kd}"), &hold, 1.0, 100.0 * period, accuracy);
                Case { text, blocks: &["plant", "hold", "controller", "drive"] }
            }
        }
    }

    fn run(&self) -> Result<(), RunError> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diverging_loops");
        // Tests run beside each other: none reads the model while another writes it.
        static WRITTEN: Once = Once::new();
        WRITTEN.call_once(|| {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("rod.urdf"), ROD).unwrap();
        });
        let loaded = load_str(&folder.join("d.yaml"), &self.text, &[]).unwrap();
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader);
        let scenario = scenario.unwrap_or_else(|| panic!("{}\n{}", loaded.failed(), self.text));
        let mut simulation = scenario.simulation().unwrap();
        simulation.advance_to(scenario.duration)
    }
}

#[test]
fn loops_that_diverge_are_named() {
    let mut r = Random(28);
    for number in 0..52 {
        let case = Case::new(number, true, &mut r);
        let error = case.run().expect_err(&case.text);
        let RunError::Diverges(found) = error else { panic!("{number}: {error}\n{}", case.text) };
        let DivergingLoop { blocks, eigenvalue, rate, value, .. } = &*found;
        let mut names: Vec<&str> = blocks.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        let mut expected = case.blocks.to_vec();
        expected.sort_unstable();
        assert_eq!(names, expected, "{number}: {found}");
        assert!(value.abs() > 1e5, "{number}: {found}");
        // Continuous loops have an eigenvalue of growth, and sampled ones a rate that was seen.
        let grows = eigenvalue.is_some_and(|(re, _)| re > 0.0) || rate.is_some_and(|rate| rate > 0.0);
        assert!(grows && (number % 2 == 1 || eigenvalue.is_some()), "{number}: {found}");
        // The gain of the block that has one.
        let has_gain = blocks.iter().any(|(name, gain)| ["gain", "drive"].contains(&name.as_str()) && gain.is_some());
        assert!(has_gain, "{number}: {found}");
        assert!(!found.to_string().contains("accuracy"), "{found}");
    }
}

#[test]
fn stable_loops_run_to_their_end() {
    let mut r = Random(29);
    for number in 0..52 {
        let case = Case::new(number, false, &mut r);
        case.run().unwrap_or_else(|error| panic!("{number}: {error}\n{}", case.text));
    }
}
