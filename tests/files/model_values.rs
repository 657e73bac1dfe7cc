//! Values of a model file that a diagram file replaces, against model files written with these values.

use crate::command::kinegraph;
use kinegraph::files::{Catalog, Override};
use kinegraph::simulate::Scenario;
use std::fs;
use std::path::{Path, PathBuf};

/// An arm of two links on a slide; `{…}` are the values that are replaced.
const ARM: &str = r#"<robot name="arm">
  <link name="rail"/>
  <link name="frame"/>
  <link name="box">
    <inertial><mass value="{mass}"/>
      <inertia ixx="0.02" iyy="0.02" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision name="body"><geometry><box size="0.2 0.2 0.2"/></geometry></collision>
  </link>
  <link name="rod">
    <inertial><origin xyz="{com}"/><mass value="1"/>
      <inertia ixx="{ixx}" iyy="{iyy}" izz="0.001" ixy="{ixy}" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="slide" type="prismatic"><parent link="rail"/><child link="box"/><axis xyz="1 0 0"/>
    <limit lower="{lower}" upper="{upper}" effort="{effort}" velocity="10"/>
    <dynamics damping="{damping}" friction="{friction}"/></joint>
  <joint name="hinge" type="continuous"><parent link="box"/><child link="rod"/><axis xyz="0 1 0"/></joint>
  <joint name="weld" type="fixed"><parent link="rail"/><child link="frame"/></joint>
</robot>
"#;

const FILE: [(&str, &str); 10] = [
    ("mass", "2"),
    ("com", "0 0 -0.2"),
    ("ixx", "0.01"),
    ("iyy", "0.01"),
    ("ixy", "0"),
    ("lower", "-1"),
    ("upper", "1"),
    ("effort", "100"),
    ("damping", "0"),
    ("friction", "0"),
];

const DIAGRAM: &str = "\
kinegraph: 1
parameters: {m: 3 kg}
systems:
  push: {type: sine, amplitude: 20, frequency: 1}
  plant:
    type: multibody_plant
    models:
      - {name: arm, file: arm.urdf, base: fixed, actuated: [slide], CHANGES}
    initial: {arm: {hinge: 1.2}}
connections: [push.output -> plant.arm.actuation]
simulation: {duration: 1, accuracy: 1.0e-4}
record: {every: 0.1, channels: [plant.state]}
";

/// A diagram file with `changes` beside a model file with `values` in place of its own.
fn saved(folder: &str, changes: &str, values: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model_values").join(folder);
    fs::create_dir_all(&folder).expect("a folder");
    let value = |name: &str, old: &'static str| {
        values.iter().find(|(other, _)| *other == name).map_or(old, |(_, new)| new).to_owned()
    };
    let model =
        FILE.iter().fold(ARM.to_owned(), |text, (name, old)| text.replace(&format!("{{{name}}}"), &value(name, old)));
    fs::write(folder.join("arm.urdf"), model).expect("a file");
    fs::write(folder.join("arm.yaml"), DIAGRAM.replace(", CHANGES", changes)).expect("a file");
    folder.join("arm.yaml")
}

/// State after a second.
fn state_of(file: &Path, set: &[&str]) -> Vec<u64> {
    let set: Vec<Override> = set.iter().map(|one| Override::set(one).expect("path=value")).collect();
    let loaded = Catalog::standard().load(file, &set).unwrap_or_else(|error| panic!("{error}"));
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).unwrap_or_else(|| panic!("{}", loaded.failed()));
    let mut simulation = scenario.simulation().expect("a simulation");
    simulation.advance_to(1.0).expect("an end");
    simulation.state().continuous.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn replaced_values_equal_a_model_file_with_them() {
    let plain = state_of(&saved("plain", "", &[]), &[]);
    type Case<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);
    let cases: [Case<'_>; 8] = [
        ("mass", "links: {box: {mass: $m}}", &[("mass", "3")]),
        ("com", "links: {rod: {com: [0.1, 0, -0.2]}}", &[("com", "0.1 0 -0.2")]),
        (
            "inertia",
            "links: {rod: {inertia: [0.02, 0.02, 0.001, 0.001, 0, 0]}}",
            &[("ixx", "0.02"), ("iyy", "0.02"), ("ixy", "0.001")],
        ),
        ("limits", "joints: {slide: {limits: [-0.1, 0.05]}}", &[("lower", "-0.1"), ("upper", "0.05")]),
        ("effort", "joints: {slide: {effort: 5}}", &[("effort", "5")]),
        ("damping", "joints: {slide: {damping: \"=$m*2\"}}", &[("damping", "6")]),
        ("friction", "joints: {slide: {friction: 4}}", &[("friction", "4")]),
        ("all", "links: {box: {mass: 3}}, joints: {slide: {damping: 6}}", &[("mass", "3"), ("damping", "6")]),
    ];
    for (name, changes, values) in cases {
        let changed = state_of(&saved(name, &format!(", {changes}"), &[]), &[]);
        assert_eq!(changed, state_of(&saved(&format!("{name}_by_hand"), "", values), &[]), "{name}");
        assert_ne!(changed, plain, "{name}");
    }
}

/// The paths of `--set` are those of the file, also where it replaces nothing.
#[test]
fn options_replace_values_of_models() {
    let file = saved("options", "", &[]);
    let set = |set: &[&str]| state_of(&file, set);
    let plain = set(&[]);
    for (option, name, values) in [
        ("links.box.mass=3", "mass", &[("mass", "3")][..]),
        ("joints.slide.damping=6", "damping", &[("damping", "6")]),
        ("joints.slide={friction: 4}", "friction", &[("friction", "4")]),
    ] {
        let option = format!("systems.plant.models.arm.{option}");
        let by_hand = state_of(&saved(&format!("options_{name}"), "", values), &[]);
        assert_ne!(plain, by_hand, "{name}");
        assert_eq!(set(&[&option]), by_hand, "{option}");
    }
    assert_ne!(set(&["systems.plant.models.arm.joints.slide.armature=5"]), plain);
    assert_ne!(set(&["systems.plant.models.arm.joints.hinge.limits=[-0.1, 1.3]"]), plain);
    let file = file.to_str().expect("a name");
    let path = "systems.plant.models.arm.links.box.mass";
    let vary = format!("{path}=1:3:3");
    let sample = format!("{path}=uniform(1,3)");
    for option in [["--vary", &vary], ["--sample", &sample]] {
        let (code, out, err) = kinegraph(&["sweep", file, option[0], option[1], "--measure", "end(plant.arm.slide.q)"]);
        assert!(code == 0 && !out.contains("refused"), "{option:?}: {out}{err}");
    }
}

/// The friction of a material decides whether a box slides on a slope.
#[test]
fn materials_replace_contact_laws() {
    let urdf = r#"<robot name="box"><link name="box"><inertial><mass value="1"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
      <collision name="body"><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link></robot>"#;
    // With coefficients of its own.
    let sdf = r#"<sdf version="1.9"><model name="box"><link name="box"><inertial><mass>1</mass><inertia><ixx>0.01</ixx>
      <iyy>0.01</iyy><izz>0.01</izz></inertia></inertial><collision name="body"><geometry><box><size>0.2 0.2 0.2</size>
      </box></geometry><surface><friction><ode><mu>1</mu><mu2>2</mu2><fdir1>1 1 0</fdir1></ode></friction></surface>
      </collision></link></model></sdf>"#;
    [("box.urdf", urdf), ("box.sdf", sdf)]
        .into_iter()
        .for_each(|(name, model)| materials_replace_those_of(name, model));
}

fn materials_replace_those_of(name: &str, model: &str) {
    let text = "\
kinegraph: 1
systems:
  plant:
    type: multibody_plant
    gravity: [3, 0, -9.81]
    ground: {height: 0}
    contact: {static_friction: 0.5}
    models: [{name: box, file: box.urdf, base: floating, pose: {xyz: [0, 0, 0.1]}}]
simulation: {duration: 1}
record: {every: 0.1, channels: [plant.state]}
";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model_values").join("materials");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join(name), model).expect("a file");
    let file = folder.join(format!("{name}.yaml"));
    fs::write(&file, text.replace("box.urdf", name)).expect("a file");
    let x = |set: &[&str]| {
        let set: Vec<Override> = set.iter().map(|one| Override::set(one).expect("path=value")).collect();
        let loaded = Catalog::standard().load(&file, &set).unwrap_or_else(|error| panic!("{error}"));
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader).expect("a scenario");
        let mut simulation = scenario.simulation().expect("a simulation");
        simulation.advance_to(1.0).expect("an end");
        simulation.channel("plant.box.box.x").unwrap_or_else(|error| panic!("{error}"))
    };
    assert!(x(&[]).abs() < 1e-2, "{}", x(&[]));
    for name in ["box", "box/body", "default"] {
        let option = format!("systems.plant.models.box.materials={{{name}: {{friction: 0}}}}");
        assert!(x(&[&option]) > 1.0, "{name}: {}", x(&[&option]));
    }
    // A coefficient along a direction of the link, by default its x axis, and another across it.
    for (along, slides) in [("", true), (", friction_along: [-3, 0, 0]", true), (", friction_along: [0, 0, 1]", false)]
    {
        let option = format!("systems.plant.models.box.materials.box={{friction: 0, friction_across: 1{along}}}");
        assert_eq!(x(&[&option]) > 1.0, slides, "{along}: {}", x(&[&option]));
    }
    let held = x(&["systems.plant.models.box.materials.box={friction: 1, friction_across: 0}"]);
    assert!(held.abs() < 1e-2, "{held}");
}

#[test]
fn mistakes_with_values_of_models_have_their_places() {
    for (i, (changes, at, reason, remedy)) in [
        ("links: {bxo: {mass: 3}}", "bxo", "unknown link of arm `bxo`", "did you mean `box`?"),
        (
            "links: {box: {mas: 3}}",
            "mas:",
            "unknown key `mas` in systems.plant.models[0].links.box",
            "did you mean `mass`?",
        ),
        ("links: {box: {mass: -3}}", "-3", "links.box.mass: expected a number above 0", "found -3"),
        ("links: {box: {mass: $mm}}", "$mm", "links.box.mass: unknown parameter `mm`", "did you mean `m`?"),
        ("links: {box: {com: 0.1}}", "0.1", "links.box.com: expected 3 numbers [x, y, z]", "found 0.1"),
        ("links: {box: {inertia: [1, 2]}}", "[1, 2]", "[ixx, iyy, izz] or [ixx, iyy, izz, ixy, ixz, iyz]", "list of 2"),
        (
            "links: {frame: {com: [0, 0, 1]}}",
            "frame:",
            "link `arm/frame` has no mass in its file",
            "give it a `mass` too",
        ),
        ("joints: {slid: {damping: 1}}", "slid:", "unknown joint of arm `slid`", "did you mean `slide`?"),
        ("joints: {slide: {limit: [0, 1]}}", "limit:", "unknown key `limit`", "did you mean `limits`?"),
        ("joints: {slide: {limits: [1, 0]}}", "[1, 0]", "expected [lower, upper], the lower one first", "found [1, 0]"),
        (
            "joints: {slide: {damping: \"=-$m\"}}",
            "\"=-$m",
            "expected a number that is not negative, found -3",
            "with m = 3",
        ),
        ("joints: {weld: {damping: 1}}", "weld:", "joint `arm/weld` is fixed", "it has no position"),
        (
            "materials: {bx: {friction: 1}}",
            "bx:",
            "unknown link with collision shapes of arm `bx`",
            "did you mean `box`?",
        ),
        ("materials: {box: {fricton: 1}}", "fricton:", "unknown key `fricton`", "did you mean `friction`?"),
        (
            "materials: {box: {friction_acros: 1}}",
            "friction_acros:",
            "unknown key `friction_acros`",
            "did you mean `friction_across`?",
        ),
        (
            "materials: {box: {friction_across: -1}}",
            "-1",
            "friction_across: expected a number that is not negative",
            "found -1",
        ),
        (
            "materials: {box: {friction_across: 1, friction_along: [0, 0, 0]}}",
            "[0, 0, 0]",
            "friction_along: expected a vector that is not zero",
            "found [0, 0, 0]",
        ),
        (
            "materials: {box: {friction_across: 1, friction_along: [1, 0]}}",
            "[1, 0]",
            "friction_along: expected 3 numbers [x, y, z]",
            "found a list of 2",
        ),
        (
            "materials: {box: {friction_along: [1, 0, 0]}}",
            "[1, 0, 0]",
            "a direction needs `friction_across`",
            "the coefficient across it",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let file = saved(&format!("mistake{i}"), &format!(", {changes}"), &[]);
        let line = "      - {name: arm, file: arm.urdf, base: fixed, actuated: [slide], ";
        let column = line.len() + changes.find(at).expect("a place") + 1;
        let (code, _, err) = kinegraph(&["check", file.to_str().expect("a name")]);
        assert_eq!(code, 2, "{changes} is accepted");
        let place = format!("{}:8:{column}:", file.display());
        assert!([place.as_str(), reason, remedy].iter().all(|part| err.contains(part)), "{changes}: {place}\n{err}");
    }
}
