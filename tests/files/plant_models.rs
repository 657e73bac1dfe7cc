//! A controller takes its model from the plant: the robot with its load, at its pose.

use kinegraph::files::load;
use kinegraph::simulate::Scenario;
use std::path::{Path, PathBuf};

fn link(name: &str, mass: f64, x: f64) -> String {
    format!(
        r#"<link name="{name}"><inertial><origin xyz="{x} 0 0"/><mass value="{mass}"/>
           <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
    )
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, x: f64) -> String {
    format!(
        r#"<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="{x} 0 0"/>
           <axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="1000" velocity="1000"/></joint>"#
    )
}

fn robot(parts: &[String]) -> String {
    format!("<robot name=\"r\">{}</robot>", parts.concat())
}

/// An arm of two joints at a wall, a hand with a finger on its end; `controller` names the model that is taken.
fn scene(name: &str, models: &str, controller: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plant_models").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let arm = [
        link("base", 1.0, 0.0),
        link("upper", 2.0, 0.2),
        link("lower", 1.0, 0.2),
        joint("shoulder", "revolute", "base", "upper", 0.1),
        joint("elbow", "revolute", "upper", "lower", 0.4),
    ];
    let hand = [link("palm", 0.5, 0.05), link("finger", 0.2, 0.1), joint("knuckle", "revolute", "palm", "finger", 0.1)];
    // The same model by hand: the finger is at 0.4 rad, about y.
    let (sine, cosine) = 0.4f64.sin_cos();
    let carried = [
        link("palm", 0.5, 0.05),
        joint("wrist", "fixed", "lower", "palm", 0.35),
        format!(
            r#"<link name="finger"><inertial><origin xyz="{} 0 {}" rpy="0 0.4 0"/><mass value="0.2"/>
               <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>"#,
            0.1 * cosine,
            -0.1 * sine,
        ),
        joint("knuckle", "fixed", "palm", "finger", 0.1),
    ];
    let text = format!(
        "kinegraph: 1\nsystems:\n  plant:\n    type: multibody_plant\n    gravity: [0.5, 0, -9]\n    models: [{models}]\n    \
         locked: [hand/knuckle]\n    initial: {{arm: {{shoulder: 0.3}}, hand: {{knuckle: 0.4}}}}\n  \
         controller: {{{controller}}}\n  goal: {{type: constant, value: [0.8, -0.5, 0, 0]}}\nconnections:\n  \
         - goal.output -> controller.desired_state\n  - plant.arm.state -> controller.estimated_state\n  \
         - controller.generalized_force -> plant.arm.actuation\nsimulation: {{duration: 1}}\n"
    );
    for (file, text) in [
        ("arm.urdf", robot(&arm)),
        ("hand.urdf", robot(&hand)),
        ("arm_with_hand.urdf", robot(&[&arm[..], &carried[..]].concat())),
        ("scene.yaml", text),
    ] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    folder.join("scene.yaml")
}

const MODELS: &str = "{name: arm, file: arm.urdf, base: fixed, pose: {xyz: [1, 0, 2], rpy: [0.3, 0.2, 0.1]}}, \
    {name: hand, file: hand.urdf, base: arm/lower, pose: {xyz: [0.35, 0, 0]}}";
const GAINS: &str = "type: inverse_dynamics_controller, kp: 100, kd: 20";

/// The joints of the arm at the end.
fn end(path: &Path) -> Result<Vec<f64>, String> {
    let loaded = load(path, &[]).map_err(|error| error.to_string())?;
    let Some(scenario) = Scenario::build(&loaded.diagram, &loaded.loader) else {
        return Err(loaded.loader.finish().expect_err("a fault").to_string());
    };
    let mut simulation = scenario.simulation().map_err(|error| error.to_string())?;
    simulation.advance_to(1.0).map_err(|error| error.to_string())?;
    let coordinates = ["shoulder.q", "elbow.q", "shoulder.v", "elbow.v"];
    Ok(coordinates.map(|q| simulation.channel(&format!("plant.arm.{q}")).expect("a joint")).into())
}

/// With the load lumped into the model the loop is `e'' + 20 e' + 100 e = 0`; a model without it has an error.
#[test]
fn a_controller_knows_what_its_robot_carries_and_how_it_is_mounted() {
    let exact = 0.8 - 0.5 * 11.0 * (-10.0f64).exp();
    let lumped = scene("lumped", MODELS, &format!("{GAINS}, plant_model: {{of: plant.arm, lump: [hand]}}"));
    let found = end(&lumped).expect("a run");
    assert!((found[0] - exact).abs() < 1e-4, "{found:?}");
    let bare = scene("bare", MODELS, &format!("{GAINS}, plant_model: {{of: plant.arm}}"));
    assert!((end(&bare).expect("a run")[0] - exact).abs() > 1e-3);
    let by_hand = format!(
        "{GAINS}, model: {{file: arm_with_hand.urdf}}, gravity: [0.5, 0, -9], \
         base_pose: {{xyz: [1, 0, 2], rpy: [0.3, 0.2, 0.1]}}"
    );
    let by_hand = end(&scene("by_hand", MODELS, &by_hand)).expect("a run");
    for (a, b) in found.iter().zip(&by_hand) {
        assert!((a - b).abs() < 1e-9, "{found:?}, by hand {by_hand:?}");
    }
}

/// Cartesian controllers, too; the pose of an arm on a fixed table is found.
#[test]
fn an_arm_on_a_table_knows_where_it_stands() {
    let on_table = "{name: table, file: arm_with_hand.urdf, base: fixed, pose: {xyz: [1, 0, 0]}, actuated: none}, \
        {name: arm, file: arm.urdf, base: table/base, pose: {xyz: [0, 0, 2], rpy: [0.3, 0.2, 0.1]}}, \
        {name: hand, file: hand.urdf, base: arm/lower, pose: {xyz: [0.35, 0, 0]}}";
    let controller = format!("{GAINS}, plant_model: {{of: plant.arm, lump: [hand]}}");
    let found = end(&scene("on_table", on_table, &controller)).expect("a run");
    let exact = 0.8 - 0.5 * 11.0 * (-10.0f64).exp();
    assert!((found[0] - exact).abs() < 1e-4, "{found:?}");
    let gains = "link: lower, translational_stiffness: 1, translational_damping: 1, rotational_stiffness: 0, \
        rotational_damping: 0";
    let cartesian = format!("type: impedance_controller, {gains}, plant_model: {{of: plant.arm, lump: [hand]}}");
    let fault = end(&scene("cartesian", MODELS, &cartesian)).expect_err("its ports have other names");
    assert!(fault.contains("controller.desired_pose (width 7)") && !fault.contains("systems.controller"), "{fault}");
}

#[test]
fn invalid_plant_models_are_faults_at_their_place() {
    let faults = |name: &str, models: &str, model: &str| {
        end(&scene(name, models, &format!("{GAINS}, {model}"))).expect_err("a fault")
    };
    for (name, model, said) in [
        ("no_model", "kp: 1", "`model`"),
        ("both", "model: {file: arm.urdf}, plant_model: {of: plant.arm}", "keep one of the two"),
        ("pose", "base_pose: {xyz: [1, 0, 0]}, plant_model: {of: plant.arm}", "keep one of the two"),
        ("word", "plant_model: {of: arm}", "expected a model of a plant, as `PLANT.MODEL`"),
        ("unknown", "plant_model: {of: plant.amr}", "`arm`"),
        ("lump", "plant_model: {of: plant.arm, lump: [hnad]}", "`hand`"),
        ("block", "plant_model: {of: goal.arm}", "`goal` is no multibody_plant"),
        ("carried", "plant_model: {of: plant.arm, lump: [arm]}", "`arm` is not carried by `arm`"),
    ] {
        let model = model.strip_prefix("kp: 1").unwrap_or(model);
        let fault = faults(name, MODELS, model);
        assert!(fault.contains(said), "{name}: {fault}");
    }
    let free = MODELS.replace("base: fixed", "base: floating");
    let fault = faults("free", &free, "plant_model: {of: plant.arm}");
    assert!(fault.contains("the root link of `arm` moves") && fault.contains("scene.yaml:"), "{fault}");
}
