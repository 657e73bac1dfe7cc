//! Chains of MJCF, `<composite type="cable|rope|loop">`: a rope that hangs and a loop that spins against closed forms;
//! random ones, many of them impossible.

use crate::common::Random;
use crate::mjcf_plants::{diagram, plant};
use kinegraph::diagram::DiagramBuilder;
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::models::{LoadOptions, parse_mjcf};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use std::f64::consts::PI;

/// Eight links of length l and mass m hang between a fixed point and one that is pulled along x by H, both at one
/// height: link i leans by `tan θ_i = m g (7/2 - i)/H` (moments about its ends; its mass is in its middle).
#[test]
fn a_rope_hangs_as_a_catenary_of_links() {
    let (count, length, mass, pull) = (8, 0.1, 0.05, 1.3);
    let text = format!(
        r#"<mujoco><worldbody>
        <body name="B3"><freejoint/><composite type="rope" count="{count} 1 1" spacing="{length}">
            <joint kind="main" damping="0.02"/><geom type="capsule" size="0.005 0.04" mass="{mass}"/></composite></body>
        <body name="slider" pos="0.45 0 0"><joint name="x" type="slide" axis="1 0 0" damping="2"/>
            <geom size="0.01" mass="0.1" contype="0" conaffinity="0"/></body></worldbody>
        <equality><connect body1="B0" anchor="-0.05 0 0" solref="5e-4 1"/>
            <connect body1="B7" body2="slider" anchor="0.05 0 0" solref="5e-4 1"/></equality>
        <actuator><motor joint="x"/></actuator></mujoco>"#
    );
    let lean = |i: usize| (mass * 9.81 * (3.5 - i as f64) / pull).atan();
    let span: f64 = (0..count).map(|i| length * lean(i).cos()).sum();
    let diagram = diagram(&text, &[pull]);
    let mut simulation = Simulation::new(&diagram, Options::icf(0.01)).unwrap();
    simulation.advance_to(20.0).unwrap_or_else(|e| panic!("{e}"));
    let mut at = |name: &str| simulation.channel(&format!("plant.m.{name}")).unwrap_or_else(|e| panic!("{e}"));
    // The left end is at -0.35.
    let found = at("slider.pose.px") + 0.35;
    assert!((found / span - 1.0).abs() < 1e-5, "{found} instead of {span}");
    let (mut x, mut z) = (-0.35, 0.0);
    for i in 0..count {
        let half = [0.5 * length * lean(i).cos(), -0.5 * length * lean(i).sin()];
        (x, z) = (x + half[0], z + half[1]);
        let found = [at(&format!("B{i}.pose.px")), at(&format!("B{i}.pose.pz"))];
        assert!((found[0] - x).hypot(found[1] - z) < 1e-5, "link {i}: {found:?} instead of {x} {z}");
        (x, z) = (x + half[0], z + half[1]);
    }
}

/// A loop of n links spins in its plane as a regular polygon, and turns by ω t; its corners hold
/// `m ω² r/(2 sin(π/n))`.
#[test]
fn a_loop_spins_as_a_regular_polygon() {
    let (count, spacing, spin) = (7, 0.1, 3.0);
    let text = format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="B2"><freejoint/>
        <composite type="loop" count="{count} 1 1" spacing="{spacing}">
            <geom type="capsule" size="0.005 0.03" mass="0.05"/></composite></body></worldbody></mujoco>"#
    );
    let apothem = 0.5 * spacing / (PI / count as f64).tan();
    let mut b = DiagramBuilder::new("loop");
    b.add("plant", plant(&text));
    let diagram = b.build().unwrap();
    let mut simulation = Simulation::new(&diagram, Options::cenic(1e-6)).unwrap();
    let mut state = simulation.state().clone();
    // Quaternion, place, two hinges between each two; then velocities, the angular one first.
    let positions = 7 + 2 * (count - 1);
    (state.continuous[positions + 2], state.continuous[positions + 3]) = (spin, spin * apothem);
    simulation.set_state(state).unwrap();
    let time = 0.7;
    simulation.advance_to(time).unwrap_or_else(|e| panic!("{e}"));
    let mut at = |name: String| simulation.channel(&name).unwrap_or_else(|e| panic!("{e}"));
    for i in 0..count {
        let angle = 2.0 * PI * (i as f64 - 2.0) / count as f64 + spin * time;
        let expected = [apothem * angle.sin(), apothem * (1.0 - angle.cos())];
        let found = ["px", "py"].map(|c| at(format!("plant.m.B{i}.pose.{c}")));
        let off = (found[0] - expected[0]).hypot(found[1] - expected[1]);
        assert!(off < 1e-4, "link {i}: {found:?} instead of {expected:?}");
    }
    // Two forces at the ends of a link hold it on its circle.
    let force = 0.05 * spin * spin * apothem / (2.0 * (PI / count as f64).sin());
    let found = ["fx", "fy", "fz"].map(|c| at(format!("plant.constraints.m.connect.{c}")));
    let found = found.iter().map(|f| f * f).sum::<f64>().sqrt();
    assert!((found / force - 1.0).abs() < 1e-3, "the loop is closed by {found} N instead of {force}");
}

/// The text of a chain, and true if it is impossible.
fn random(random: &mut Random) -> (String, bool) {
    let mut uniform = |low: f64, high: f64| random.between(low, high);
    let mut impossible = false;
    let mut one_in = |n: f64, uniform: &mut dyn FnMut(f64, f64) -> f64| {
        let wrong = uniform(0.0, n) < 1.0;
        impossible |= wrong;
        wrong
    };
    let kind = ["cable", "cable", "rope", "loop"][uniform(0.0, 4.0) as usize];
    let count = if one_in(20.0, &mut uniform) { 1 } else { uniform(3.0, 9.0) as usize };
    let radius = if one_in(20.0, &mut uniform) { 0.0 } else { uniform(2e-3, 0.02) };
    let density = 10f64.powf(uniform(1.0, 4.0));
    let damping = uniform(0.0, 0.02);
    let composite = if kind == "cable" {
        let form = ["capsule", "cylinder", "box"][uniform(0.0, 3.0) as usize];
        let size = if form == "box" { format!("0.01 {radius} {}", 0.5 * radius) } else { format!("{radius}") };
        let place = if uniform(0.0, 1.0) < 0.5 {
            let mut points: Vec<[f64; 3]> = (0..count + 1).map(|_| [(); 3].map(|()| uniform(-0.3, 0.3))).collect();
            if one_in(12.0, &mut uniform) {
                points[1] = points[0];
            }
            let numbers: Vec<String> = points.iter().flatten().map(|x| x.to_string()).collect();
            format!(r#"vertex="{}""#, if count < 2 { "0 0 0".into() } else { numbers.join(" ") })
        } else {
            let words = ["s", "cos(s)", "sin(s)", "0"];
            let mut curve = vec!["s"];
            curve.extend((0..2).map(|_| words[uniform(0.0, 4.0) as usize]));
            if one_in(15.0, &mut uniform) {
                curve[1] = "tan(s)";
            }
            let size = [uniform(0.2, 1.0), uniform(0.05, 0.3), uniform(0.2, 3.0)];
            format!(r#"curve="{}" count="{count} 1 1" size="{} {} {}""#, curve.join(" "), size[0], size[1], size[2])
        };
        let initial = ["free", "ball", "none"][uniform(0.0, 3.0) as usize];
        // A free chain is a child of the world itself.
        let (open, close) = if initial == "free" { ("", "") } else { ("<body>", "</body>") };
        let bend = 10f64.powf(uniform(5.0, 10.0));
        let flat = uniform(0.0, 1.0) < 0.5;
        let plugin = format!(
            r#"<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="{}"/>
            <config key="bend" value="{bend}"/><config key="flat" value="{flat}"/></plugin>"#,
            0.4 * bend
        );
        format!(
            r#"{open}<composite type="cable" prefix="c" {place} initial="{initial}" offset="0 0 0.4">{plugin}
            <joint kind="main" damping="{damping}"/><geom type="{form}" size="{size}" density="{density}"/>
            </composite>{close}"#
        )
    } else {
        let own = if one_in(15.0, &mut uniform) { count + 3 } else { uniform(0.0, count as f64) as usize };
        let spacing = if one_in(15.0, &mut uniform) { uniform(-0.1, 0.0) } else { uniform(0.03, 0.1) };
        let stretch = if uniform(0.0, 1.0) < 0.5 { r#"<joint kind="stretch"/>"# } else { "" };
        let twist = if uniform(0.0, 1.0) < 0.5 { r#"<joint kind="twist"/>"# } else { "" };
        format!(
            r#"<body name="B{own}" pos="0 0 {}"><freejoint/><composite type="{kind}" count="{count} 1 1"
            spacing="{spacing}"><joint kind="main" damping="{damping}"/>{stretch}{twist}
            <geom type="capsule" size="{radius} {}" density="{density}"/></composite></body>"#,
            uniform(0.03, 0.4),
            uniform(0.01, 0.02)
        )
    };
    let text =
        format!("<mujoco>\n<worldbody><geom type=\"plane\" size=\"1 1 1\"/>\n{composite}\n</worldbody>\n</mujoco>\n");
    (text, impossible)
}

/// Each is a fault with file, line and reason, or a plant that moves by numbers until it is bent too far.
#[test]
fn random_chains_are_faults_or_move() {
    let mut generator = Random(26);
    let (mut faults, mut moved) = (0, 0);
    for case in 0..200 {
        let (text, impossible) = random(&mut generator);
        let model = match parse_mjcf(&text, "chain.xml", &LoadOptions::default()) {
            Ok(loaded) => loaded.model,
            Err(error) => {
                for fault in &error.faults {
                    assert!(fault.file.contains("chain.xml") && fault.line > 1, "{case}: {fault}\n{text}");
                }
                assert!(impossible, "{case}: {error}\n{text}");
                faults += 1;
                continue;
            }
        };
        assert!(!impossible, "{case}: no fault in\n{text}");
        let plant = PlantBuilder::new().model("m", model, Base::fixed()).build();
        let plant = plant.unwrap_or_else(|error| panic!("{case}: {error}\n{text}"));
        let mut b = DiagramBuilder::new("chain");
        b.add("plant", plant);
        let diagram = b.build().unwrap();
        let options = if case % 2 == 0 { Options::icf(2e-3) } else { Options::cenic(1e-2) };
        let mut simulation = Simulation::new(&diagram, options).unwrap_or_else(|e| panic!("{case}: {e}"));
        match simulation.advance_to(0.02) {
            Ok(()) => moved += 1,
            // Random vertices turn back on themselves.
            Err(error) => assert!(error.to_string().contains("refine"), "{case}: {error}\n{text}"),
        }
        let state = &simulation.state().continuous;
        assert!(state.iter().all(|x| x.is_finite()), "{case}: {state:?}\n{text}");
    }
    assert!(faults > 20 && moved > 80, "{faults} faults, {moved} moved");
}
