//! Regulators that linearize a plant themselves, free bodies in minimal coordinates, and the section `trim`.

use super::command::kinegraph;
use super::derivatives::json;
use kinegraph::systems::control::{discrete_lqr_gain, discretized, lqr_gain};
use nalgebra::DMatrix;
use std::path::Path;

/// A file of this name with the models beside it, in a folder of its own: tests run at the same time.
fn file(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("regulating").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cart_pole/cart_pole.urdf");
    std::fs::copy(examples, folder.join("cart_pole.urdf")).expect("a copy");
    std::fs::write(folder.join("body.urdf"), BODY).expect("a model");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_string_lossy().into_owned()
}

const BODY: &str = "<robot name='body'><link name='body'><inertial><mass value='2'/>\
<inertia ixx='0.1' iyy='0.2' izz='0.4' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";

fn matrix(report: &serde_json::Value, name: &str) -> DMatrix<f64> {
    let rows: Vec<Vec<f64>> = serde_json::from_value(report[name].clone()).expect("a matrix");
    let columns = rows.first().map_or(0, Vec::len);
    DMatrix::from_row_iterator(rows.len(), columns, rows.into_iter().flatten())
}

fn names(report: &serde_json::Value, key: &str) -> Vec<String> {
    serde_json::from_value(report[key].clone()).expect("names")
}

fn cart_pole(more: &str) -> String {
    format!(
        "\
kinegraph: 1
systems:
  plant:
    type: multibody_plant
    models: [{{name: cp, file: cart_pole.urdf, base: fixed}}]
    initial: {{cp: {{pivot: {{q: 0.2}}, slide: {{q: 0.5}}}}}}
  law: {{type: lqr, of: plant.cp, Q: [10, 20, 1, 2], R: 0.1{more}}}
connections: [plant.cp.state -> law.state, law.effort -> plant.cp.slide]
trim: {{near: {{plant.cp.slide.q: 0}}}}
simulation: {{integrator: dopri5, accuracy: 1e-9, duration: 12}}
"
    )
}

/// A and B of the upright pole, in closed form: mass M on the rail, mass m with the inertia I at height l.
fn upright() -> (DMatrix<f64>, DMatrix<f64>) {
    let (M, m, l, I, g) = (1.0, 0.2, 0.5, 1e-6, 9.81);
    let inertia = DMatrix::from_row_slice(2, 2, &[M + m, m * l, m * l, I + m * l * l]);
    let inverse = inertia.try_inverse().expect("an inertia");
    let mut a = DMatrix::zeros(4, 4);
    (a[(0, 2)], a[(1, 3)]) = (1.0, 1.0);
    a.view_mut((2, 1), (2, 1)).copy_from(&(inverse.column(1) * (m * g * l)));
    let mut b = DMatrix::zeros(4, 1);
    b.view_mut((2, 0), (2, 1)).copy_from(&inverse.column(0));
    (a, b)
}

/// The gain that backward steps of the cost lead to, one sample after the other.
fn by_steps(a: &DMatrix<f64>, b: &DMatrix<f64>, q: &DMatrix<f64>, r: f64) -> DMatrix<f64> {
    let mut cost = q.clone();
    let mut gain = DMatrix::zeros(1, a.nrows());
    for _ in 0..20_000 {
        let weight = (b.transpose() * &cost * b)[0] + r;
        gain = b.transpose() * &cost * a / weight;
        cost = q + a.transpose() * &cost * (a - b * &gain);
    }
    gain
}

#[test]
fn a_regulator_of_a_plant_has_the_gains_of_its_closed_form() {
    let (a, b) = upright();
    let q = DMatrix::from_diagonal(&vec![10.0, 20.0, 1.0, 2.0].into());
    let r = DMatrix::from_element(1, 1, 0.1);
    let continuous = lqr_gain(&a, &b, &q, &r).expect("a gain");
    let sampled = discretized(&a, &b, 0.01).expect("sizes");
    let stepped = by_steps(&sampled.0, &sampled.1, &q, 0.1);
    let known = discrete_lqr_gain(&sampled.0, &sampled.1, &q, &r).expect("a gain");
    assert!((&known - &stepped).amax() < 1e-9 * stepped.amax(), "{known} instead of {stepped}");
    for (name, more, extra, expected) in
        [("continuous.yaml", "", &[][..], continuous), ("sampled.yaml", ", period: 10 ms", &["--sampled"], stepped)]
    {
        let path = file(name, &cart_pole(more));
        let ask = ["linearize", &path, "--cut", "law.state", "--output", "law.effort"];
        let found = -matrix(&json(&[&ask, extra].concat()), "D");
        assert!((&found - &expected).amax() < 1e-8 * expected.amax(), "{name}: {found} instead of {expected}");
        // The pole is caught, and the cart returns.
        let (code, out, err) = kinegraph(&["run", &path, "--json"]);
        assert_eq!(code, 0, "{err}");
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        let last = &report["final_state"];
        for state in ["plant.cp.slide.q", "plant.cp.pivot.q"] {
            let value = last[state].as_f64().unwrap_or_else(|| panic!("{state}: {report}"));
            assert!(value.abs() < 1e-3, "{name}: {state} = {value}");
        }
    }
}

/// A body of 2 kg that hovers on a thrust along its own z, in a turned pose or not.
fn hovering(orientation: &str) -> String {
    format!(
        "\
kinegraph: 1
systems:
  plant:
    type: multibody_plant
    models: [{{name: b, file: body.urdf, base: floating, pose: {{xyz: [0, 0, 3]{orientation}}}}}]
  lift:
    type: expression
    inputs: {{s: 13, f: 1}}
    expression:
      - \"0\"
      - \"0\"
      - \"0\"
      - 2*f*(s[1]*s[3] + s[0]*s[2])
      - 2*f*(s[2]*s[3] - s[0]*s[1])
      - f*(1 - 2*s[1]^2 - 2*s[2]^2)
  thrust: {{type: constant, value: 0}}
connections:
  - plant.b.state -> lift.s
  - thrust.output -> lift.f
  - lift.output -> plant.b.applied_generalized_force
trim: {{free: [lift.f]}}
simulation: {{duration: 1}}
"
    )
}

#[test]
fn a_hovering_body_has_twelve_states() {
    let path = file("hovering.yaml", &hovering(""));
    let report = json(&["linearize", &path, "--trim", "--input", "lift.f", "--output", "plant.b.state"]);
    let states = names(&report, "states");
    assert_eq!(states.len(), 12, "{states:?}");
    assert_eq!(states[..3], ["plant.b.body.rx", "plant.b.body.ry", "plant.b.body.rz"]);
    let g = 9.81;
    assert!((report["input_values"][0].as_f64().expect("a thrust") - 2.0 * g).abs() < 1e-9, "{report}");
    let (a, b) = (matrix(&report, "A"), matrix(&report, "B"));
    // The states: rotation, position, angular velocity, velocity.
    let mut expected = DMatrix::zeros(12, 12);
    (0..6).for_each(|i| expected[(i, 6 + i)] = 1.0);
    (expected[(9, 1)], expected[(10, 0)]) = (g, -g);
    assert!((&a - expected).amax() < 1e-9, "{a}");
    let mut expected = DMatrix::zeros(12, 1);
    expected[11] = 0.5;
    assert!((&b - expected).amax() < 1e-12, "{b}");
    // A small turn moves half of itself into the quaternion that is measured.
    let c = matrix(&report, "C");
    assert!((c[(1, 0)] - 0.5).abs() < 1e-12 && c.row(0).amax() < 1e-12, "{c}");
    assert_eq!(report["poles"].as_array().map(Vec::len), Some(12));
    // Held over 0.1 s, the turn moves the body by g T²/2, its rate by g T³/6.
    let sampled =
        json(&["linearize", &path, "--trim", "--input", "lift.f", "--output", "plant.b.state", "--sampled", "0.1"]);
    let a = matrix(&sampled, "A");
    assert_eq!(a.shape(), (12, 12));
    assert!((a[(3, 1)] - g * 0.005).abs() < 1e-9 && (a[(3, 7)] - g * 1e-3 / 6.0).abs() < 1e-9, "{a}");
    // The thrust moves the height alone: two states.
    let minimal = json(&["linearize", &path, "--trim", "--input", "lift.f", "--output", "plant.b.body.z", "--minimal"]);
    assert_eq!(names(&minimal, "states").len(), 2, "{minimal}");
    // Turned by 90 degrees about z, a turn about the world's y still leans the thrust along the world's x.
    let path = file("turned.yaml", &hovering(", quat: [0.7071067811865476, 0, 0, 0.7071067811865476]"));
    let report = json(&["linearize", &path, "--trim", "--input", "lift.f"]);
    let a = matrix(&report, "A");
    assert!((a[(9, 1)] - g).abs() < 1e-9 && (a[(10, 0)] + g).abs() < 1e-9, "{a}");
}

const HELD_BODY: &str = "\
kinegraph: 1
systems:
  plant:
    type: multibody_plant
    models: [{name: b, file: body.urdf, base: floating, pose: {xyz: [0, 0, 3]}}]
  law: {type: lqr, of: plant.b, Q: [4, 4, 4, 4, 4, 4, 1, 1, 1, 1, 1, 1], R: 1}
connections: [plant.b.state -> law.state, law.effort -> plant.b.applied_generalized_force]
trim: {free: [plant.b.applied_generalized_force]}
simulation: {integrator: dopri5, accuracy: 1e-9, duration: 20}
";

/// For each axis u = -k x - d v, with k² = q/r and d² = (q_v + 2 k r m)/r.
#[test]
fn a_free_body_is_held_by_a_regulator_of_twelve_states() {
    let path = file("held_body.yaml", HELD_BODY);
    let report = json(&["linearize", &path, "--cut", "law.state", "--output", "law.effort"]);
    let gain = -matrix(&report, "D");
    assert_eq!(gain.shape(), (6, 13));
    for (axis, inertia) in [0.1, 0.2, 0.4, 2.0, 2.0, 2.0].into_iter().enumerate() {
        let (k, d) = (2.0, f64::sqrt(1.0 + 4.0 * inertia));
        // The vector part of the quaternion is half of the turn.
        let found = if axis < 3 { 0.5 * gain[(axis, 1 + axis)] } else { gain[(axis, 1 + axis)] };
        assert!((found - k).abs() < 1e-8 && (gain[(axis, 7 + axis)] - d).abs() < 1e-8, "{axis}: {gain}");
    }
    // The weight is held from the start, and a push and a turn by 2 rad come to rest.
    let outputs = matrix(&report, "C");
    assert!(outputs.amax() == 0.0);
    let value = &report["output_values"][5];
    assert!((value.as_f64().expect("a force") - 2.0 * 9.81).abs() < 1e-9, "{report}");
    let turned = HELD_BODY.replace("xyz: [0, 0, 3]", "xyz: [0, 0, 3], rpy: [2, 0, 0]");
    let upright = turned.replace("trim: {", "trim: {near: {plant.b.body.qw: 1, plant.b.body.qx: 0}, ");
    let path = file("turned_body.yaml", &upright);
    let (code, out, err) = kinegraph(&["run", &path, "--json"]);
    assert_eq!(code, 0, "{err}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let at = |name: &str| report["final_state"][name].as_f64().unwrap_or_else(|| panic!("{name}: {report}"));
    assert!((at("plant.b.body.z") - 3.0).abs() < 1e-6 && at("plant.b.body.qx").abs() < 1e-6, "{report}");
}

#[test]
fn a_block_that_is_no_plant_is_linearized_as_well() {
    let text = "\
kinegraph: 1
systems:
  motor: {type: state_space, A: [[0, 1], [3, -1]], B: [[0], [2]], C: [[1, 0], [0, 1]], initial: [0.3, 0]}
  law: {type: lqr, of: motor, Q: [2, 1], R: 3}
connections: [motor.output -> law.state, law.effort -> motor.input]
simulation: {duration: 1}
";
    let path = file("motor.yaml", text);
    let report = json(&["linearize", &path, "--cut", "law.state", "--output", "law.effort"]);
    let (a, b) = (DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 3.0, -1.0]), DMatrix::from_row_slice(2, 1, &[0.0, 2.0]));
    let q = DMatrix::from_diagonal(&vec![2.0, 1.0].into());
    let expected = lqr_gain(&a, &b, &q, &DMatrix::from_element(1, 1, 3.0)).expect("a gain");
    assert!((matrix(&report, "D") + expected).amax() < 1e-12);
}

/// A pole that leans at 0.3 rad at rest needs a force, which the cart's acceleration would have to balance: with both
/// joints driven and the pose held there is one.
#[test]
fn the_section_trim_holds_frees_bounds_and_begins() {
    let bare = |trim: &str| {
        format!(
            "kinegraph: 1\nsystems:\n  plant:\n    type: multibody_plant\n    models: [{{name: cp, file: \
             cart_pole.urdf, base: fixed}}]\nconnections: []\n{trim}\nsimulation: {{duration: 1}}\n"
        )
    };
    let held = "trim: {hold: {plant.cp.pivot.q: 0.3, plant.cp.slide.q: 0.1}, free: [plant.cp.actuation]}";
    let path = file("held.yaml", &bare(held));
    let report = json(&["linearize", &path, "--trim"]);
    let values: Vec<f64> = serde_json::from_value(report["state_values"].clone()).expect("values");
    assert!((values[0] - 0.1).abs() < 1e-12 && (values[1] - 0.3).abs() < 1e-12, "{report}");
    let chosen = &report["chosen_inputs"];
    assert_eq!(chosen[1]["name"], "plant.cp.actuation[1]");
    let moment = chosen[1]["value"].as_f64().expect("a moment");
    assert!((moment + 0.2 * 9.81 * 0.5 * 0.3_f64.sin()).abs() < 1e-9, "{report}");
    assert_eq!(report["inputs"].as_array().map(Vec::len), Some(0));
    let (code, out, _) = kinegraph(&["linearize", &path, "--trim"]);
    assert!(code == 0 && out.contains("inputs that the search chose"), "{out}");
    // Hanging, in whole turns: the start says which.
    for near in ["3.0", "-3.3", "190 deg"] {
        let path = file("near.yaml", &bare(&format!("trim: {{near: {{plant.cp.pivot.q: {near}}}}}")));
        let report = json(&["linearize", &path, "--trim"]);
        let angle = report["state_values"][1].as_f64().expect("an angle");
        assert!((angle.abs() - std::f64::consts::PI).abs() < 1e-9, "{near}: {angle}");
        assert_eq!(angle < 0.0, near.starts_with('-'));
    }
    // With bounds that leave it out, there is none.
    let path = file("bounds.yaml", &bare("trim: {near: {plant.cp.pivot.q: 1}, bounds: {plant.cp.pivot.q: [0.5, 2]}}"));
    let (code, _, err) = kinegraph(&["linearize", &path, "--trim"]);
    assert!(code != 0 && err.contains("no equilibrium"), "{err}");
    // What the command line says of a name counts.
    let report = json(&["linearize", &path, "--trim", "--bound", "plant.cp.pivot.q=-1:2"]);
    assert!(report["state_values"][1].as_f64().expect("an angle").abs() < 1e-9, "{report}");
}

/// Text that is replaced, its replacement, the text at the place of the fault, the reason and the remedy.
type Mistake = [&'static str; 5];

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    ["of: plant.cp", "of: plnt.cp", "plnt.cp", "unknown block `plnt`", "did you mean `plant`?"],
    ["of: plant.cp", "of: plant.pc", "plant.pc", "unknown model of plant `pc`", "did you mean `cp`?"],
    ["of: plant.cp", "of: goal.cp", "goal.cp", "`goal` is no multibody_plant", "write `of: goal`"],
    ["of: plant.cp", "of: goal", "goal, Q", "`goal`: it has no inputs", "that could be driven"],
    ["of: plant.cp, ", "", "{type: lqr", "systems.law lacks the key `A`", "a square matrix"],
    ["of: plant.cp", "of: plant.cp, A: [[1]]", "[[1]]", "`of` says that already", "keep one of the two"],
    ["of: plant.cp", "A: [[1]], B: [[1]], at: trim", "trim, Q", "only with `of`", "which names what is linearized"],
    ["of: plant.cp", "of: plant.cp, at: triim", "triim", "unknown operating point `triim`", "did you mean `trim`?"],
    ["of: plant.cp", "of: plant.cp, at: initial", "initial, Q", "is no equilibrium: the rate of plant.cp.pivot.v", "Write `at: trim`"],
    ["of: plant.cp", "of: plant.cp, inputs: [slid]", "slid]", "unknown effort of plant.cp `slid`", "valid here: plant.cp.slide or plant.cp.pivot"],
    ["of: plant.cp", "of: plant.cp, inputs: [slide, slide]", "slide]", "`slide` is named twice", "systems.law.inputs"],
    ["Q: [10, 20, 1, 2]", "Q: [10, 20, 1]", "[10, 20, 1]", "weights of 3, but `plant.cp` has 4 states", "plant.cp.slide.q, plant.cp.pivot.q"],
    ["R: 0.1", "R: [1, 1]", "[1, 1]", "weights of 2, but `plant.cp` has 1 effort", "plant.cp.slide"],
    ["R: 0.1", "R: 0", "0}", "R has the eigenvalue 0", "must be positive definite"],
    ["R: 0.1", "R: much", "much", "expected a symmetric matrix with one row per effort, its diagonal", "one number for all of it"],
    ["Q: [10, 20, 1, 2]", "Q: [10, -20, 1, 2]", "[10, -20", "Q has the eigenvalue -2.000e1", "must be positive semidefinite"],
    ["R: 0.1", "R: 0.1, offset: 1", "1}", "only with `period`", "there are no samples"],
    ["R: 0.1", "R: 0.1, period: 0", "0}", "expected a number above 0", "found 0"],
    ["near: {plant.cp.slide.q: 0}", "near: {plant.cp.slid.q: 0}", "plant.cp.slid.q", "unknown state or input `plant.cp.slid.q`", "did you mean `plant.cp.slide.q`?"],
    ["near: {plant.cp.slide.q: 0}", "near: {plnt.cp.slide.q: 0}", "plnt.cp", "trim.near: unknown block `plnt`", "did you mean `plant`?"],
    ["near: {plant.cp.slide.q: 0}", "near: {plant.cp.slide.q: far}", "far", "expected a number, with or without its unit", "found the text `far`"],
    ["near: {plant.cp.slide.q: 0}", "free: [plant.cp.actuatoin]", "plant.cp.actuatoin", "unknown input `plant.cp.actuatoin`", "did you mean `plant.cp.actuation`?"],
    ["near: {plant.cp.slide.q: 0}", "hold: [plant.cp.slide]", "[plant.cp.slide]}", "unknown state `plant.cp.slide`", "did you mean `plant.cp.slide.q`?"],
    ["near: {plant.cp.slide.q: 0}", "hold: 3", "3}", "expected a list of states, or a map of states and values", "found 3"],
    ["near: {plant.cp.slide.q: 0}", "bounds: {plant.cp.slide.q: [1, -1]}", "[1, -1]", "1 is above -1", "the least comes first"],
    ["near: {plant.cp.slide.q: 0}", "bounds: {plant.cp.slide.q: 1}", "1}}", "expected two numbers [least, largest]", "found 1"],
    ["near: {plant.cp.slide.q: 0}", "naer: {plant.cp.slide.q: 0}", "naer", "unknown key `naer` in trim", "did you mean `near`?"],
    ["near: {plant.cp.slide.q: 0}", "hold: [plant.cp.pivot.q]", "plant.cp, Q", "`plant.cp`: no equilibrium", "`trim: {free: [plant.cp.actuation]}` lets the search choose them"],
    ["law.effort -> plant.cp.slide]", "law.effort -> plant.cp.slide, law.effort -> plant.cp.slid]", "law.effort -> plant.cp.slid]", "unknown input of plant `cp.slid`", "did you mean `cp.slide`?"],
];

#[test]
fn mistakes_have_their_line_reason_and_remedy() {
    let right = cart_pole("").replace("connections:", "  goal: {type: constant, value: 1}\nconnections:");
    let mut wrong = Vec::new();
    for (i, [old, new, place, reason, remedy]) in MISTAKES.iter().enumerate() {
        assert!(right.contains(old), "{old}");
        let text = right.replacen(old, new, 1);
        let path = file(&format!("mistake{i}.yaml"), &text);
        let (code, _, err) = kinegraph(&["check", &path]);
        let at = text.find(place).unwrap_or_else(|| panic!("{place}: {text}"));
        let line = text[..at].matches('\n').count() + 1;
        let place = format!("mistake{i}.yaml:{line}:");
        if code != 2 || !err.contains(&place) || !err.contains(reason) || !err.contains(remedy) {
            wrong.push(format!("{new}, exit code {code}, expected {place} {reason} … {remedy}:\n{err}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A cart and a pole that does not ride on it.
const LOCKED: &str = "\
<robot name='r'><link name='rail'/>
<link name='cart'><inertial><mass value='1'/>
<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>
<link name='pole'><inertial><origin xyz='0 0 0.5'/><mass value='1'/>
<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>
<joint name='slide' type='prismatic'><parent link='rail'/><child link='cart'/><axis xyz='1 0 0'/>
<limit lower='-9' upper='9' effort='9' velocity='9'/></joint>
<joint name='pivot' type='continuous'><parent link='rail'/><child link='pole'/><axis xyz='0 1 0'/></joint></robot>";

/// A pole without its cart's force: nothing moves what falls.
#[test]
fn what_cannot_be_moved_is_named_with_its_poles() {
    let text = cart_pole("").replace("type: lqr", "type: lqr, inputs: [slide]");
    let text = text.replace("cart_pole.urdf", "locked.urdf");
    let path = file("locked.yaml", &text);
    std::fs::write(Path::new(&path).with_file_name("locked.urdf"), LOCKED).expect("a model");
    let (code, _, err) = kinegraph(&["check", &path]);
    // ω² = m g l/(I + m l²).
    let pole = f64::sqrt(9.81 * 0.5 / 1.25);
    assert!(code == 2 && err.contains("no gain makes `plant.cp` stable: plant.cp.slide does not move"), "{err}");
    assert!(err.contains(&format!("{pole:.4}")), "{err}");
}

const LEG: &str = "<robot name='leg'>
<link name='foot'><inertial><mass value='5'/><inertia ixx='0.05' iyy='0.05' izz='0.05' ixy='0' ixz='0' iyz='0'/>
</inertial><collision><geometry><box size='0.3 0.2 0.04'/></geometry></collision></link>
<link name='shank'><inertial><origin xyz='0 0 0.25'/><mass value='2'/>
<inertia ixx='0.05' iyy='0.05' izz='0.05' ixy='0' ixz='0' iyz='0'/></inertial></link>
<link name='trunk'><inertial><origin xyz='0 0 0.2'/><mass value='6'/>
<inertia ixx='0.2' iyy='0.2' izz='0.2' ixy='0' ixz='0' iyz='0'/></inertial></link>
<joint name='ankle' type='continuous'><parent link='foot'/><child link='shank'/><origin xyz='0 0 0.05'/><axis xyz='0 1 0'/>
</joint><joint name='hip' type='continuous'><parent link='shank'/><child link='trunk'/><origin xyz='0 0 0.5'/>
<axis xyz='0 1 0'/></joint></robot>";

/// A leg that balances a trunk on its foot, which stands on the ground or is fixed.
fn leg(name: &str, base: &str, regulator: &str) -> String {
    let text = format!(
        "\
kinegraph: 1
systems:
  plant:
    type: multibody_plant
    ground: {{height: 0}}
    models: [{{name: leg, file: leg.urdf, {base}, actuated: all}}]
    initial: {{leg: {{ankle: {{q: 0.03}}, hip: {{q: -0.05}}}}}}
  balance: {{type: lqr, of: plant.leg, {regulator}}}
connections: [plant.leg.state -> balance.state, balance.effort -> plant.leg.actuation]
trim: {{near: {{plant.leg.ankle.q: 0, plant.leg.hip.q: 0}}}}
simulation: {{integrator: cenic, accuracy: 1e-5, duration: 5}}
"
    );
    let path = file(name, &text);
    std::fs::write(Path::new(&path).with_file_name("leg.urdf"), LEG).expect("a model");
    path
}

#[test]
fn a_leg_is_balanced_on_a_foot_that_sticks() {
    let standing = "base: floating, pose: {xyz: [0, 0, 0.02]}";
    let weights = "Q: [10, 10, 1, 1], R: 0.01";
    let path = leg("standing.yaml", standing, &format!("contact: hold, {weights}"));
    let fixed = leg("fixed.yaml", "base: fixed", weights);
    let gain =
        |path: &str| matrix(&json(&["linearize", path, "--cut", "balance.state", "--output", "balance.effort"]), "D");
    // The gains are those of the leg on a fixed foot; the numbers of the foot, which comes first, count for nothing.
    let (found, expected) = (gain(&path), gain(&fixed));
    let (positions, velocities) = (found.columns(7, 2), found.columns(15, 2));
    let own = DMatrix::from_fn(2, 4, |i, j| if j < 2 { positions[(i, j)] } else { velocities[(i, j - 2)] });
    assert!((&own - &expected).amax() < 1e-6 * expected.amax(), "{own} instead of {expected}");
    assert!((found.norm() - own.norm()).abs() < 1e-9 * own.norm(), "{found}");
    // The foot neither slips nor tips as the trunk comes to rest above it.
    let (code, out, err) = kinegraph(&["run", &path, "--json"]);
    assert_eq!(code, 0, "{err}");
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    for (state, most) in [("ankle.q", 1e-5), ("hip.q", 1e-5), ("foot.x", 1e-3), ("foot.qy", 1e-5)] {
        let value = report["final_state"][format!("plant.leg.{state}")].as_f64().expect("a state");
        assert!(value.abs() < most, "{state} = {value}");
    }
    // Regularized friction holds no place; a misspelt model of contact is a fault.
    for (name, regulator, message) in [
        ("creeps.yaml", "Q: 1, R: 0.01", "with `contact: hold` what sticks stays where it is"),
        ("sizes.yaml", "contact: hold, Q: [1, 2], R: 0.01", "has 4 states: plant.leg.ankle.q, plant.leg.hip.q, "),
        ("misspelt.yaml", "contact: held, Q: 1, R: 0.01", "did you mean `hold`?"),
    ] {
        let (code, _, err) = kinegraph(&["check", &leg(name, standing, regulator)]);
        assert!(code == 2 && err.contains(message), "{err}");
    }
}
