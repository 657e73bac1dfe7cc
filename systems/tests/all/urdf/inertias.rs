//! Impossible inertias, and their treatment by the reader.

use kinegraph_systems::models::{InertiaPolicy, LoadError, LoadOptions, Loaded, parse_urdf_with};
use kinegraph_systems::multibody::Tree;

/// A base and a part on it, with this `<inertial>`.
fn robot(joint: &str, inertial: &str) -> String {
    format!(
        "<robot name='r'><link name='base'><inertial><mass value='10'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/></inertial></link>
<link name='part'><inertial>{inertial}</inertial></link>
<joint name='j' type='{joint}'><parent link='base'/><child link='part'/></joint></robot>"
    )
}

fn read(text: &str, inertia: InertiaPolicy) -> Result<Loaded, LoadError> {
    parse_urdf_with(text, "robot.urdf", &LoadOptions { inertia, ..LoadOptions::default() })
}

/// Impossible mass properties: a negative principal moment, inertia without mass, and a violated triangle inequality.
/// triangle inequality.)
const NEGATIVE: &str = "<mass value='0.01'/><inertia ixx='1e-5' ixy='2e-5' iyy='1e-5' izz='1e-5'/>";
const WEIGHTLESS: &str = "<mass value='0'/><inertia ixx='1e-5' iyy='1e-5' izz='1e-5'/>";
const UNEVEN: &str = "<mass value='0.01'/><inertia ixx='1e-5' iyy='1e-5' izz='3e-5'/>";

#[test]
fn impossible_inertias_are_accepted_if_the_welded_body_as_a_whole_is_possible() {
    for inertial in [NEGATIVE, WEIGHTLESS] {
        let loaded = read(&robot("fixed", inertial), InertiaPolicy::Raw).unwrap();
        let note = loaded.notes[0].to_string();
        assert!(note.contains("robot.urdf:2:") && note.contains("\"part\"") && note.contains("makes up"), "{note}");
        Tree::of_model("r", &loaded.model).unwrap();
        let error = read(&robot("continuous", inertial), InertiaPolicy::Raw).unwrap_err().to_string();
        assert!(error.contains("robot.urdf:2:") && error.contains("\"part\"") && error.contains("project"), "{error}");
    }
    let loaded = read(&robot("continuous", UNEVEN), InertiaPolicy::Raw).unwrap();
    assert!(loaded.notes[0].to_string().contains("triangle inequality"));
    // No sum makes up for a negative mass.
    read(&robot("fixed", "<mass value='-1'/>"), InertiaPolicy::Raw).unwrap_err();
}

#[test]
fn projected_inertias_are_possible_and_strictness_names_every_link() {
    for inertial in [NEGATIVE, UNEVEN] {
        let loaded = read(&robot("continuous", inertial), InertiaPolicy::Project).unwrap();
        let note = loaded.notes[0].to_string();
        assert!(note.contains("\"part\"") && note.contains("nearest"), "{note}");
        let I = loaded.model.links[1].inertia.unwrap().I_BBcm;
        let mut moments: [f64; 3] = I.symmetric_eigenvalues().into();
        moments.sort_by(f64::total_cmp);
        assert!(moments[0] > -1e-18 && moments[0] + moments[1] >= moments[2] - 1e-18, "{moments:?}");
        read(&robot("continuous", inertial), InertiaPolicy::Project)
            .map(|l| Tree::of_model("r", &l.model).unwrap())
            .unwrap();
    }
    let loaded = read(&robot("fixed", WEIGHTLESS), InertiaPolicy::Project).unwrap();
    assert!(loaded.model.links[1].inertia.is_none());
    for inertial in [NEGATIVE, WEIGHTLESS, UNEVEN] {
        let error = read(&robot("fixed", inertial), InertiaPolicy::Strict).unwrap_err();
        assert_eq!(error.faults.len(), 1);
        assert!(error.to_string().contains("\"part\"") && error.to_string().contains("inertia: project"), "{error}");
    }
}
