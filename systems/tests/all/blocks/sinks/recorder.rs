//! Names for recorded signals.

use kinegraph_core::LeafSystem;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sinks::Recorder;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn conforms() {
    conformance::check(&Recorder::new(names(&["height", "speed"])).unwrap());
}

#[test]
fn shows_its_input_under_names() {
    let recorder = Recorder::new(names(&["height", "speed"])).unwrap();
    assert_eq!(Bench::new(&recorder).input(recorder.input, [1.0, 2.0]).eval(recorder.recorded), [1.0, 2.0]);
    assert_eq!(recorder.ports().outputs()[0].elements, ["height", "speed"]);
}

#[test]
fn refuses_names_that_say_nothing() {
    let fault = |list: &[&str]| Recorder::new(names(list)).err().unwrap().to_string();
    assert_eq!(fault(&[]), "names is empty");
    assert_eq!(fault(&["a", "b", "a"]), "names[2] = `a` is empty or stands before: give each a name of its own");
    assert_eq!(fault(&["a", ""]), "names[1] = `` is empty or stands before: give each a name of its own");
}
