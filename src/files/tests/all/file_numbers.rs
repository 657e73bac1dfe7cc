//! The numbers that a diagram file has, by the paths that `--set` knows them by.

use kinegraph_files::{FileNumber, Override, load_str};
use std::path::Path;

const TEXT: &str = "kinegraph: 1\nsystems:\n  a: {type: gain, gain: [1, 2.5]}\n  b: {type: sine, frequency: 3}\n\
                    view: {eye: [1, 2, 3], target: [0, 0, 0]}\nsimulation: {duration: 1, accuracy: 1e-3}\n";

#[test]
fn numbers_of_a_file_go_by_the_paths_that_replace_them() {
    let set = [Override::set("systems.b.frequency=4").expect("a path")];
    let found = FileNumber::of(TEXT, &set);
    let paths: Vec<(&str, &[f64])> = found.iter().map(|one| (&*one.path, &*one.values)).collect();
    let expected: [(&str, &[f64]); 4] = [
        ("systems.a.gain", &[1.0, 2.5]),
        ("systems.b.frequency", &[4.0]),
        ("simulation.duration", &[1.0]),
        ("simulation.accuracy", &[1e-3]),
    ];
    assert_eq!(paths, expected);
    for one in &found {
        let doubled: Vec<f64> = one.values.iter().map(|x| 2.0 * x).collect();
        let set = [one.replaced_by(&doubled).expect("as many")];
        assert!(load_str(Path::new("d.yaml"), TEXT, &set).is_ok(), "{}", one.path);
        assert_eq!(
            FileNumber::of(TEXT, &set).iter().find(|other| other.path == one.path).map(|o| &o.values),
            Some(&doubled)
        );
    }
    assert_eq!(found[0].replaced_by(&[1.0]), None);
    assert_eq!(found[1].replaced_by(&[f64::NAN]), None);
}

/// Parameters come first, in the units in which they are written; formulas are no numbers to set.
#[test]
fn parameters_are_numbers_of_a_file() {
    let text = "kinegraph: 1\nsystems:\n  a: {type: gain, gain: $k}\n  b: {type: sine, frequency: 3}\n\
                parameters: {k: {default: 2 mm, range: [1, 5], about: width}, f: \"=2*$k\", g: 3}\n\
                simulation: {duration: $f}\n";
    let found = FileNumber::of(text, &[Override::set("parameters.k=4").expect("a path")]);
    let paths: Vec<(&str, &str, &[f64])> = found.iter().map(|one| (&*one.path, &*one.about, &*one.values)).collect();
    let expected: [(&str, &str, &[f64]); 3] =
        [("parameters.k", "width [mm]", &[4.0]), ("parameters.g", "", &[3.0]), ("systems.b.frequency", "", &[3.0])];
    assert_eq!(paths, expected);
    let set = [found[0].replaced_by(&[5.0]).expect("as many")];
    let loaded = load_str(Path::new("d.yaml"), text, &set).expect("no fault");
    assert_eq!(loaded.diagram.parameters[0].value, 0.005);
    assert_eq!(loaded.diagram.simulation.duration, 0.01);
}
