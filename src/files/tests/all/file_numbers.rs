//! The numbers that a diagram file has, by the paths that `--set` knows them by.

use kinegraph_files::{FileNumber, Override, load_str, number_at, with_numbers};
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

/// A number is written where it stands, in its unit; all else stays.
#[test]
fn numbers_are_written_in_their_units() {
    let text = "kinegraph: 1\nparameters:\n  k: {about: \"of é\", default: 2 mm, range: [1, 5]}  # 2 mm\n  \
                g: '3.5 kg'\n  h: 7 # free\n  f: \"=2*$k\"\nsystems:\n  a: {type: gain, gain: [1, -2.5]}\n  \
                b: {type: sine, frequency: 90 rpm, amplitude: 1e3}\n  \
                n: {type: diagram, file: n.yaml, set: {m: 2 kg}}\n";
    let set = |path: &str, value: f64| (path.to_owned(), value);
    let values = [
        set("parameters.k", 4.25),
        set("parameters.g", 0.1),
        set("parameters.h", 8.0),
        set("systems.a.gain.1", 1e-20),
        set("systems.b.frequency", std::f64::consts::TAU),
        set("systems.b.amplitude", -3.0),
        set("parameters.f", 1.0),
        set("systems.n.set.m", 3.0),
        set("systems.b.phase", 1.0),
    ];
    let (written, left) = with_numbers(text, &values);
    let left: Vec<&str> = left.iter().map(|(path, _)| &**path).collect();
    assert_eq!(left, ["parameters.f", "systems.n.set.m", "systems.b.phase"]);
    let expected = [("2 mm, range", "4.25 mm, range"), ("3.5 kg", "0.1 kg"), ("7 #", "8.0 #"), ("-2.5]", "1e-20]")];
    let others = [("90 rpm", "60.0 rpm"), ("1e3}", "-3.0}")];
    let expected = expected.iter().chain(&others).fold(text.to_owned(), |text, (old, new)| text.replacen(old, new, 1));
    assert_eq!(written, expected);
    for (path, value) in &values[..6] {
        let there = number_at(&written, &[], path).expect("a number");
        assert!((there - value).abs() <= 1e-15 * value.abs(), "{path}: {there} for {value}");
    }
}
