//! Meanings that differ in earlier versions of the format.

use kinegraph_systems::models::{LoadOptions, Loaded, NoteKind, SdfNote, parse_sdf};
use nalgebra::Vector3;
use std::path::Path;

fn read(text: &str) -> Loaded {
    parse_sdf(text, "v.sdf", &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn axis(loaded: &Loaded, joint: &str) -> Vector3<f64> {
    loaded.model.joints.iter().find(|one| one.name == joint).expect("a joint").axis
}

fn notes(loaded: &Loaded) -> Vec<String> {
    loaded.notes.iter().map(|note| note.kind.to_string()).collect()
}

/// A hinge whose frame is turned in its link, which is turned in the model.
fn hinge(version: &str, link_rpy: [f64; 3], joint_rpy: [f64; 3], xyz: &str, more: &str) -> Loaded {
    let pose = |[r, p, y]: [f64; 3]| format!("<pose>0.1 0.2 0.3 {r} {p} {y}</pose>");
    let mass = "<inertial><mass>1</mass></inertial>";
    read(&format!(
        "<sdf version='{version}'><model name='m'><link name='base'>{mass}</link><link name='a'>{}{mass}</link>\
         <joint name='j' type='revolute'>{}<parent>base</parent><child>a</child><axis>{xyz}{more}</axis></joint></model>\
         </sdf>",
        pose(link_rpy),
        pose(joint_rpy)
    ))
}

#[test]
fn before_1_5_axes_are_in_the_frame_of_the_model() {
    let mut state: u32 = 7;
    let mut angle = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        6.0 * f64::from(state) / f64::from(u32::MAX) - 3.0
    };
    for _ in 0..20 {
        let (link, joint) = ([angle(), angle(), angle()], [angle(), angle(), angle()]);
        let [x, y, z] = [angle(), angle(), angle()];
        let plain = format!("<xyz>{x} {y} {z}</xyz>");
        let expected = hinge("1.9", link, joint, &format!("<xyz expressed_in='__model__'>{x} {y} {z}</xyz>"), "");
        for (version, more) in [
            ("1.3", ""),
            ("1.4", ""),
            ("1.5", "<use_parent_model_frame>1</use_parent_model_frame>"),
            ("1.6", "<use_parent_model_frame>True</use_parent_model_frame>"),
        ] {
            let found = axis(&hinge(version, link, joint, &plain, more), "j");
            assert!((found - axis(&expected, "j")).norm() < 1e-12, "{version}: {found}");
        }
        let own = axis(&hinge("1.5", link, joint, &plain, ""), "j");
        assert!((own - Vector3::new(x, y, z).normalize()).norm() < 1e-12, "{own}");
    }
}

#[test]
fn angles_that_are_likely_degrees_are_noted() {
    let degrees = |loaded: &Loaded| notes(loaded).into_iter().filter(|note| note.contains("degrees are")).count();
    let limit = |upper: &str| format!("<limit><lower>0</lower><upper>{upper}</upper></limit>");
    let read = |roll: f64, upper: &str| hinge("1.9", [roll, 0.0, 0.0], [0.0; 3], "<xyz>0 0 1</xyz>", &limit(upper));
    assert_eq!((degrees(&read(3.1, "6")), degrees(&read(90.0, "6")), degrees(&read(90.0, "180"))), (0, 1, 2));
}

#[test]
fn the_axis_of_an_old_file_is_that_of_its_model() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sdf/old_1_4.sdf");
    let loaded = read(&std::fs::read_to_string(path).expect("the file"));
    let joint = loaded.model.joints.iter().find(|joint| joint.name == "j").expect("the hinge");
    // The base is not turned: in its frame the axis is that of the model.
    let in_base = joint.X_PF.rotation * joint.axis;
    assert!((in_base - Vector3::z()).norm() < 1e-12, "{in_base}");
    let is_version =
        |note: &NoteKind| matches!(note, NoteKind::Sdf(SdfNote::AxesInModel { version }) if version == "1.4");
    let note = loaded.notes.iter().find(|note| is_version(&note.kind)).expect("a note of the version");
    assert!(!note.kind.departs());
}

#[test]
fn differences_between_versions_are_noted() {
    let xyz = "<xyz>0 0 1</xyz>";
    let flag = "<use_parent_model_frame>1</use_parent_model_frame>";
    let late = notes(&hinge("1.7", [0.0; 3], [0.0; 3], xyz, flag));
    assert!(late.iter().any(|note| note.contains("no part of the format since 1.7")), "{late:?}");
    let none = read("<sdf><model name='m'><link name='a'><inertial><mass>1</mass></inertial></link></model></sdf>");
    assert!(notes(&none).iter().any(|note| note.contains("no version of the format")), "{:?}", notes(&none));
    let framed = read(
        "<sdf version='1.5'><model name='m'><link name='a'><pose frame='b'>0 0 0 0 0 0</pose></link></model></sdf>",
    );
    assert!(notes(&framed).iter().any(|note| note.contains("names a frame by `frame`")), "{:?}", notes(&framed));
}

#[test]
fn gravity_of_old_worlds_stands_in_their_physics() {
    let world = |version: &str| {
        read(&format!(
            "<sdf version='{version}'><world name='w'><physics type='ode'><gravity>0 0 -1.6</gravity></physics>\
             <model name='m'><link name='a'/></model></world></sdf>"
        ))
    };
    assert_eq!(world("1.5").model.scene.gravity, Some(Vector3::new(0.0, 0.0, -1.6)));
    assert_eq!(world("1.6").model.scene.gravity, None);
}
