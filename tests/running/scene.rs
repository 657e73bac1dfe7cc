//! Scene of a diagram, for drawing.

use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::files::Override;
use kinegraph::scenario::Scenario;
use kinegraph::scene::*;
use kinegraph_systems::models::parse_urdf;
use kinegraph_systems::multibody::plant::{Attachment, Belt, Collisions, Constraint, PlantModel, SurfaceMotion};
use kinegraph_systems::multibody::{Base, PlantBuilder};
use nalgebra::{Isometry3, Vector3};
use std::path::{Path, PathBuf};

/// A table with one shape of every kind on it, a grey arm on its edge, and a bob on the arm's follower.
const ROBOT: &str = "<robot name='robot'>
  <material name='grey'><color rgba='0.5 0.5 0.5 1'/></material>
  <link name='table'>
    <inertial><mass value='5'/><inertia ixx='1' iyy='1' izz='1'/></inertial>
    <collision name='top'><origin xyz='0 0 0.7'/><geometry><box size='1 2 0.1'/></geometry></collision>
    <visual name='ball'><geometry><sphere radius='0.1'/></geometry><material name='red'><color rgba='1 0 0 0.5'/></material></visual>
    <visual name='can'><geometry><cylinder radius='0.1' length='0.3'/></geometry><material name='grey'/></visual>
    <visual name='pill'><geometry><capsule radius='0.1' length='0.3'/></geometry></visual>
    <visual name='statue'><origin xyz='0 0 1'/><geometry><mesh filename='package://museum/statue.dae' scale='0.001 0.001 0.001'/></geometry></visual>
  </link>
  <link name='arm'>
    <inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>
    <visual><geometry><box size='0.1 0.1 1'/></geometry><material name='grey'/></visual>
  </link>
  <link name='flange'/>
  <link name='bob'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
  <joint name='swing' type='continuous'>
    <parent link='table'/><child link='arm'/><origin xyz='0.5 0 0.7'/><axis xyz='0 1 0'/>
  </joint>
  <joint name='weld' type='fixed'><parent link='arm'/><child link='flange'/><origin xyz='0 0 -1'/></joint>
  <joint name='follow' type='continuous'>
    <parent link='flange'/><child link='bob'/><axis xyz='0 1 0'/><mimic joint='swing' multiplier='-1'/>
  </joint>
</robot>";

/// The robot, its arm hanging straight down or as turned, beside a box that collides with nothing.
fn diagram(angle: f64) -> Diagram {
    let robot = parse_urdf(ROBOT, "robot.urdf").unwrap().model;
    let crate_ = "<robot name='c'><link name='crate'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>\
        <collision><geometry><box size='1 1 1'/></geometry></collision></link></robot>";
    let loose = PlantModel {
        name: "loose".into(),
        model: parse_urdf(crate_, "crate.urdf").unwrap().model,
        base: Base::floating(Isometry3::translation(0.0, 3.0, 0.0)),
        actuated: Default::default(),
        collisions: Collisions::None,
        excluded: Default::default(),
        start: None,
    };
    let plant = PlantBuilder::new()
        .ground(-0.25)
        .model("robot", robot, Base::Fixed { X_WR: Isometry3::translation(10.0, 0.0, 0.0) })
        .add(loose)
        .belt(Belt {
            name: "floor".into(),
            link: "ground".into(),
            motion: SurfaceMotion::Along([2.0, 0.0, 0.0]),
            speed: 0.1,
        })
        .belt(Belt {
            name: "band".into(),
            link: "robot/table".into(),
            motion: SurfaceMotion::Around([0.0, 3.0, 0.0]),
            speed: 0.0,
        })
        .constraint(Constraint::distance(
            "rope",
            Attachment::world(Isometry3::translation(0.0, 0.0, 5.0)),
            Attachment::at("loose/crate", [0.0, 0.0, 0.5]),
            1.0,
        ))
        .initial("robot/swing", angle, 0.0);
    let mut builder = DiagramBuilder::new("room");
    builder.add("plant", plant.build().unwrap());
    builder.build().unwrap()
}

fn example(name: &str, settings: &[&str]) -> Diagram {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).join(format!("{name}.yaml"));
    let settings: Vec<_> = settings.iter().map(|setting| Override::set(setting).unwrap()).collect();
    let loaded = kinegraph::files::load(&file, &settings).unwrap();
    Scenario::build(&loaded.diagram, &loaded.loader).unwrap().diagram
}

fn body<'a>(scene: &'a Scene, name: &str) -> &'a SceneBody {
    let (plant, body) = scene.find("plant", name).unwrap_or_else(|| panic!("no body {name}"));
    &scene.plants[plant].bodies[body]
}

#[test]
fn bodies_hang_on_their_parents_by_their_joints() {
    let scene = Scene::of(&diagram(0.0));
    let [plant] = &scene.plants[..] else { panic!() };
    assert_eq!((scene.diagram.as_str(), plant.name.as_str()), ("room", "plant"));
    let tree: Vec<_> = plant
        .bodies
        .iter()
        .map(|b| (b.name.as_str(), b.parent.map(|p| plant.bodies[p].name.as_str()), b.joint.as_deref(), b.moving))
        .collect();
    assert_eq!(
        tree,
        [
            ("world", None, None, false),
            ("robot/table", Some("world"), None, false),
            ("robot/arm", Some("robot/table"), Some("robot/swing"), true),
            ("robot/flange", Some("robot/arm"), None, true),
            ("robot/bob", Some("robot/flange"), Some("robot/follow"), true),
            ("loose/crate", Some("world"), Some("loose/crate"), true),
        ]
    );
    let frames: Vec<_> = plant.frames.iter().map(|f| (f.name.as_str(), f.body, f.pose)).collect();
    assert_eq!(frames, [("robot", 1, Pose::default()), ("loose", 5, Pose::default())]);
    assert_eq!(scene.find("plant", "robot/legs"), None);
    assert_eq!(scene.find("plan", "robot/arm"), None);
}

#[test]
fn every_shape_has_its_pose_size_and_colour() {
    let scene = Scene::of(&diagram(0.0));
    let at = |z: f64| Pose { xyz: [0.0, 0.0, z], ..Pose::default() };
    let shape = |name: &str, pose: Pose, geometry: Geometry, appearance: Option<Appearance>| SceneShape {
        name: name.into(),
        pose,
        geometry,
        appearance,
    };
    let colour = |name: &str, rgba: [f64; 4]| Some(Appearance { name: name.into(), rgba: Some(rgba), texture: None });
    let grey = colour("grey", [0.5, 0.5, 0.5, 1.0]);
    let table = body(&scene, "robot/table");
    assert_eq!(table.collisions, [shape("top", at(0.7), Geometry::Box { size: [1.0, 2.0, 0.1] }, None)]);
    let source = FileReference { uri: "package://museum/statue.dae".into(), file: None };
    let visuals = [
        shape("ball", at(0.0), Geometry::Sphere { radius: 0.1 }, colour("red", [1.0, 0.0, 0.0, 0.5])),
        shape("can", at(0.0), Geometry::Cylinder { radius: 0.1, length: 0.3 }, grey.clone()),
        shape("pill", at(0.0), Geometry::Capsule { radius: 0.1, length: 0.3 }, None),
        shape("statue", at(1.0), Geometry::Mesh { source, scale: [1e-3; 3] }, None),
    ];
    assert_eq!(table.visuals, visuals);
    let arm = body(&scene, "robot/arm");
    assert_eq!(arm.visuals, [shape("", at(0.0), Geometry::Box { size: [0.1, 0.1, 1.0] }, grey)]);
    assert!(arm.collisions.is_empty());
    // A body without collisions has no collision shapes.
    assert!(body(&scene, "loose/crate").collisions.is_empty());
}

#[test]
fn ground_belts_and_anchors_are_reported() {
    let scene = Scene::of(&diagram(0.0));
    let plant = &scene.plants[0];
    assert_eq!(plant.ground, Some(-0.25));
    let belt = |name: &str, body, motion, speed| SceneBelt { name: name.into(), body, motion, speed };
    let belts = [
        belt("floor", 0, BeltMotion::Direction([1.0, 0.0, 0.0]), 0.1),
        belt("band", 1, BeltMotion::Axis([0.0, 1.0, 0.0]), 0.0),
    ];
    assert_eq!(plant.belts, belts);
    let anchor = |body, z| Anchor { body, pose: Pose { xyz: [0.0, 0.0, z], ..Pose::default() } };
    let constraint = |name: &str, kind, anchors| SceneConstraint { name: name.into(), kind, anchors };
    let constraints = [
        constraint("rope", ConstraintKind::Distance, vec![anchor(0, 5.0), anchor(5, 0.5)]),
        constraint("robot/follow", ConstraintKind::Coupler, vec![]),
    ];
    assert_eq!(plant.constraints, constraints);
}

#[test]
fn bodies_start_where_forward_kinematics_puts_them() {
    let angle = 0.4_f64;
    let scene = Scene::of(&diagram(angle));
    let check = |name: &str, xyz: [f64; 3], angle: f64| {
        let start = body(&scene, name).start;
        let quat = [(0.5 * angle).cos(), 0.0, (0.5 * angle).sin(), 0.0];
        let error = (Vector3::from(start.xyz) - Vector3::from(xyz)).amax();
        let turn = start.quat.iter().zip(quat).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 1e-15 * 10.0 && turn < 1e-15, "{name}: {start:?}");
    };
    check("world", [0.0; 3], 0.0);
    check("robot/table", [10.0, 0.0, 0.0], 0.0);
    check("robot/arm", [10.5, 0.0, 0.7], angle);
    let flange = [10.5 - angle.sin(), 0.0, 0.7 - angle.cos()];
    check("robot/flange", flange, angle);
    // The follower turns back.
    check("robot/bob", flange, 0.0);
    check("loose/crate", [0.0, 3.0, 0.0], 0.0);
}

#[test]
fn the_json_of_every_scene_reads_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    // Examples with a program of their own are left out: they have blocks beyond the standard ones.
    let named = |path: &PathBuf| path.join(path.file_name().unwrap()).with_extension("yaml").is_file();
    let examples = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(named);
    let names: Vec<PathBuf> = examples.collect();
    assert!(names.len() >= 8);
    let diagrams = names.iter().map(|path| example(path.file_name().unwrap().to_str().unwrap(), &[]));
    for diagram in diagrams.chain([diagram(0.1)]) {
        let scene = Scene::of(&diagram);
        assert_eq!(Scene::from_json(&scene.to_json().unwrap()).unwrap(), scene, "{}", scene.diagram);
        let plants = diagram.plants().map(|(block, _)| block);
        assert_eq!(plants.count(), scene.plants.len());
    }
}

#[test]
fn the_scene_of_the_arm_names_all_bodies() {
    let diagram = example("franka", &[]);
    let scene = Scene::of(&diagram);
    let block = &diagram.blocks()[diagram.find_block("plant").unwrap()];
    let bodies = &block.system.as_plant().unwrap().structure().bodies;
    let names: Vec<_> = scene.plants[0].bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, bodies.iter().map(|body| body.name.as_str()).collect::<Vec<_>>());
    for name in ["world", "arm/link1", "arm/link7", "hand/finger_l", "hand/finger_r", "crate/crate"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    let crate_ = body(&scene, "crate/crate");
    assert!(!crate_.visuals.is_empty() && !crate_.collisions.is_empty());
}

#[test]
fn cups_are_marked_on_the_bodies_that_carry_them() {
    // A wrapper around the block keeps its markers.
    for settings in [&[][..], &["systems.suction.derivatives=differences"]] {
        let scene = Scene::of(&example("vacuum", settings));
        let plant = &scene.plants[0];
        let cups: Vec<_> = scene
            .markers
            .iter()
            .map(|m| (m.block.as_str(), m.name.as_str(), m.kind, m.plant, plant.bodies[m.body].name.as_str()))
            .collect();
        let cup = |name, body| ("suction", name, MarkerKind::SuctionCup, 0, body);
        let expected = [
            cup("cups[0]", "gripper/cup0"),
            cup("cups[1]", "gripper/cup1"),
            cup("cups[2]", "gripper/cup2"),
            cup("cups[3]", "gripper/cup3"),
        ];
        assert_eq!(cups, expected);
    }
}

#[test]
fn other_texts_are_refused() {
    let json = Scene::of(&diagram(0.0)).to_json().unwrap();
    let other = json.replace("\"kinegraph_scene\": 1", "\"kinegraph_scene\": 7");
    assert_eq!(Scene::from_json(&other), Err(SceneError::Version { found: 7 }));
    for text in ["", "{}", "{\"kinegraph_scene\": 1}", &json[..100]] {
        let error = Scene::from_json(text).unwrap_err();
        assert!(error.to_string().starts_with("not a scene: "), "{error}");
    }
}
