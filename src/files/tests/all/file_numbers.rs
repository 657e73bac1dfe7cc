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
