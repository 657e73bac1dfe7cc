//! Every number of small models of all formats, at the ends of its range and beyond: the model is refused with the
//! place of the number, or runs without a panic, within a time, to values that are finite.

use super::parameters::{VALUES, chosen, fault_of};
use super::scratch;
use kinegraph::systems::models::{LoadOptions, read_model};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The models and the mesh, with their entries in a diagram.
const FILES: [(&str, &str, &str); 4] = [
    ("scene.xml", include_str!("models/scene.xml"), "file: scene.xml, keyframe: start"),
    ("scene.urdf", include_str!("models/scene.urdf"), "file: scene.urdf, base: floating, pose: {xyz: [0, 0, 0.1]}"),
    ("scene.sdf", include_str!("models/scene.sdf"), "file: scene.sdf, base: floating"),
    ("wedge.obj", include_str!("models/wedge.obj"), "file: scene.urdf, base: floating, pose: {xyz: [0, 0, 0.1]}"),
];

/// Ranges of the numbers in a text: those of attributes, of the text of elements, of vertices.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(['"', '<', '>', '\n']) {
        let whole = &piece[..piece.len() - 1];
        let list = whole.strip_prefix("v ").unwrap_or(whole);
        if !list.trim().is_empty() && list.split_whitespace().all(|word| word.parse::<f64>().is_ok()) {
            let base = start + whole.len() - list.len();
            for word in list.split_whitespace() {
                let at = base + (word.as_ptr() as usize - list.as_ptr() as usize);
                found.push(at..at + word.len());
            }
        }
        start += piece.len();
    }
    found
}

/// A diagram of a folder with these models.
fn diagram(folder: &Path, model: &str) -> PathBuf {
    let file = folder.join("scene.yaml");
    let text = format!(
        "kinegraph: 1\nsystems:\n  plant: {{type: multibody_plant, ground: {{height: 0}}, models: [{{name: m, {model}}}]}}\n\
         simulation: {{duration: 0.2}}\n"
    );
    std::fs::write(&file, text).expect("a file");
    file
}

#[test]
fn numbers_of_a_model_cause_no_panic_hang_or_nan() {
    let folder = scratch("models");
    std::fs::create_dir_all(&folder).expect("a folder");
    let values: Vec<&str> = VALUES.iter().map(|value| value.trim_start_matches('.')).chain(["text"]).collect();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    FILES.iter().for_each(|(name, text, _)| write(name, text));
    for (name, _, model) in FILES {
        let file = diagram(&folder, model);
        assert_eq!(fault_of(&file, "simulation.duration=0.1", |report| report.status.is_done()), None, "{name}");
    }
    let places: Vec<_> = FILES.iter().map(|file| (file, numbers(file.1))).collect();
    let cases: Vec<_> = places
        .iter()
        .flat_map(|(file, places)| places.iter().map(move |place| (*file, place)))
        .flat_map(|(file, place)| values.iter().map(move |value| (file, place, *value)))
        .collect();
    let chosen = chosen(cases.len(), 200);
    let mut faults = Vec::new();
    for &i in &chosen {
        let ((name, text, model), place, value) = &cases[i];
        let changed = format!("{}{value}{}", &text[..place.start], &text[place.end..]);
        write(name, &changed);
        let file = diagram(&folder, model);
        if let Some(fault) = fault_of(&file, "simulation.duration=0.2", |_| true) {
            let line = text[..place.start].matches('\n').count() + 1;
            let around = &text[place.start.saturating_sub(30)..place.end];
            faults.push(format!("{name}:{line}: ...{around:?} as {value}: {fault}"));
        }
        write(name, text);
    }
    println!(
        "| {} numbers of small MJCF, URDF, SDFormat and OBJ files, each with 28 values, 0 to 1e308, not-a-number and a \
         word | {} of {} | refused with file, line and column or run: no panic, none over 10 s, none that ends well with \
         a value that is not finite |",
        places.iter().map(|(_, places)| places.len()).sum::<usize>(),
        chosen.len(),
        cases.len()
    );
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// All numbers that are out of range are reported together, each at its place, those of default classes once.
#[test]
fn numbers_out_of_range_are_reported_together() {
    let faults = |name: &str, text: &str| {
        let file = scratch(name);
        std::fs::write(&file, text).expect("a file");
        let error = read_model(&file, &LoadOptions::default()).expect_err("faults");
        error.faults.iter().map(|fault| (fault.line, fault.column, fault.kind.to_string())).collect::<Vec<_>>()
    };
    let mjcf = "<mujoco>\n<default><geom size='1e-300' density='1e20'/></default>\n<worldbody>\n\
        <body pos='1e13 0 0'><freejoint/><geom/><geom/></body>\n</worldbody>\n</mujoco>";
    let found = faults("out_of_range.xml", mjcf);
    assert_eq!(found.iter().map(|(line, column, _)| (*line, *column)).collect::<Vec<_>>(), [(2, 22), (2, 39), (4, 12)]);
    assert_eq!(
        found[0].2,
        "`size` of <geom> is 1e-300, expected 0, or a number of at least 1e-12 m in size (from an atom to the orbit of Jupiter)"
    );
    let urdf = "<robot name='r'><link name='a'><inertial>\n<mass value='1e30'/>\n\
        <inertia ixx='1e50' iyy='1' izz='1'/></inertial></link></robot>";
    let found = faults("out_of_range.urdf", urdf);
    assert_eq!(found.iter().map(|(line, column, _)| (*line, *column)).collect::<Vec<_>>(), [(2, 14), (3, 15)]);
    let sdf = "<sdf version='1.9'><model name='m'>\n<pose>0 0 1e14 0 0 0</pose>\n<link name='a'><inertial>\n\
        <mass>1e-40</mass></inertial></link></model></sdf>";
    let found = faults("out_of_range.sdf", sdf);
    assert_eq!(found.iter().map(|(line, column, _)| (*line, *column)).collect::<Vec<_>>(), [(2, 7), (4, 7)]);
    // A limit is beyond all real models; a merely unusual value causes a note.
    let note = "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>\
        <inertia ixx='1' iyy='1' izz='1'/></inertial><collision><geometry><sphere radius='1e8'/></geometry></collision>\
        </link><joint name='j' type='revolute'><parent link='a'/><child link='b'/>\
        <limit lower='-1e308' upper='1e308' effort='1.7e308'/></joint></robot>";
    let file = scratch("strange.urdf");
    std::fs::write(&file, note).expect("a file");
    let loaded = read_model(&file, &LoadOptions::default()).expect("a model");
    let joint = &loaded.model.joints[0];
    assert_eq!((joint.limits, joint.effort), ((f64::NEG_INFINITY, f64::INFINITY), f64::INFINITY));
    let notes: Vec<String> = loaded.notes.iter().map(|note| note.kind.to_string()).collect();
    assert!(notes.iter().any(|note| note.contains("1e8 m is outside 1e-9 to 1e7 m")), "{notes:?}");
}
