//! Mistakes with networks: each message has the file, the line, the column, the name and the remedy.

use crate::command::kinegraph;
use std::fs;

const TOP: &str = "\
kinegraph: 1
systems:
  pedal: {type: constant, value: 6 V}
  circuit:
    type: electrical_network
    elements:
      supply: {type: voltage_source, nodes: [in]}
      lamp: {type: resistor, nodes: [in, mid], resistance: 10 ohm}
      choke: {type: inductor, nodes: [mid, out], inductance: 5 mH}
      store: {type: capacitor, nodes: [out], capacitance: 100 uF, initial: 1 V}
      load: {type: resistor, nodes: [out, ground], resistance: 1 kohm}
      clamp: {type: diode, nodes: [ground, out], saturation_current: 1 pA, thermal_voltage: 26 mV}
connections: [pedal.output -> circuit.supply]
simulation: {integrator: dopri5, accuracy: 1e-8, duration: 0.2}
record: {channels: [circuit.voltage.out, circuit.power.load]}
";

/// Text that is replaced and its replacement, text at the place of the fault, the reason, and the remedy.
type Mistake = ([&'static str; 2], &'static str, &'static str, &'static str);

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    (["lamp: {type: resistor", "lamp: {type: resistance"], "resistance, nodes", "unknown type of element `resistance`", "did you mean `resistor`?"),
    (["resistance: 10 ohm", "R: 10"], "R: 10", "unknown key `R`", "resistance"),
    (["resistance: 10 ohm}", "value: 1}"], "{type: resistor, nodes: [in, mid], value", "lacks the key `resistance`", "systems.circuit.elements.lamp"),
    (["resistance: 10 ohm", "resistance: 0"], "0}", "systems.circuit.elements.lamp.resistance: expected a number above 0", "found 0"),
    (["resistance: 10 ohm", "resistance: 10 V"], "10 V", "systems.circuit.elements.lamp.resistance", "Ω"),
    (["resistance: 10 ohm", "capacitance: 1"], "capacitance: 1}", "unknown key `capacitance`", "lamp"),
    (["nodes: [in, mid]", "nodes: [in, mdi]"], "lamp: ", "node `mdi` belongs to `lamp` alone", "did you mean `mid`?"),
    (["nodes: [in, mid]", "nodes: in"], "in, resis", "systems.circuit.elements.lamp.nodes: expected a list of one or two names", "found"),
    (["nodes: [in, mid]", "nodes: [in, mid, out]"], "[in, mid, out]", "expected one or two nodes", "found 3"),
    (["nodes: [in, mid]", "nodes: [mid, mid]"], "lamp: ", "both ends of `lamp` are at node `mid`", "give it two nodes"),
    (["nodes: [out]", "nodes: [in]"], "store: ", "`supply`, `store` form a loop", "put a resistance into the loop"),
    (["lamp: {type: resistor, nodes: [in, mid], resistance: 10 ohm", "lamp: {type: inductor, nodes: [in, mid], inductance: 1"], "lamp: ", "nothing but `lamp`, `choke` leads to node `mid`", "put a resistance from there to `ground`"),
    (["load: {type: resistor, nodes: [out, ground]", "load: {type: resistor, nodes: [gnd, gruond]"], "load: ", "no element connects nodes `gnd`, `gruond` to `ground`", "use the name `ground`"),
    (["-> circuit.supply", "-> circuit.supplly"], "pedal.output ->", "unknown input of circuit `supplly`", "did you mean `supply`?"),
    (["circuit.voltage.out", "circuit.voltage.uot"], "circuit.voltage.uot", "unknown channel of circuit `voltage.uot`", "did you mean `voltage.out`?"),
    (["[pedal.output -> circuit.supply]", "[]"], "", "circuit.supply", "not connected"),
    (["type: diode", "type: dioed"], "dioed", "unknown type of element `dioed`", "did you mean `diode`?"),
    (["saturation_current: 1 pA", "saturation_current: 0"], "0, thermal", "systems.circuit.elements.clamp.saturation_current: expected a number above 0", "found 0"),
    (["saturation_current: 1 pA", "saturation_current: 1 pV"], "1 pV", "systems.circuit.elements.clamp.saturation_current", "A"),
    (["saturation_current: 1 pA", "saturation: 1 pA"], "saturation: ", "unknown key `saturation`", "saturation_current"),
    (["thermal_voltage: 26 mV", "resistance: 1"], "resistance: 1}", "unknown key `resistance`", "clamp"),
    (["value: 6 V", "value: 6 A"], "pedal.output -> ", "A", "circuit.supply"),
];

#[test]
fn the_file_without_mistakes_runs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("top.yaml");
    fs::write(&file, TOP).unwrap();
    let (code, out, err) = kinegraph(&["run", &file.to_string_lossy(), "--json"]);
    assert_eq!(code, 0, "{out}{err}");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    // 6 V over 10 Ω and 1 kΩ.
    let voltage = report["final_state"]["circuit.store"].as_f64().unwrap_or_else(|| panic!("{report}"));
    assert!((voltage - 6.0 / 1.01).abs() < 1e-6, "{report}");
}

#[test]
fn messages_have_the_place_the_reason_and_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for ([from, to], at, reason, remedy) in MISTAKES {
        assert!(TOP.contains(from), "{from}");
        let text = TOP.replacen(from, to, 1);
        let file = folder.path().join("top.yaml");
        fs::write(&file, &text).unwrap();
        let (code, out, err) = kinegraph(&["check", &file.to_string_lossy()]);
        let message = out + &err;
        let offset = text.find(at).unwrap_or_else(|| panic!("{at} is not in the file"));
        let line = text[..offset].matches('\n').count() + 1;
        let column = offset - text[..offset].rfind('\n').map_or(0, |end| end + 1) + 1;
        let place = if at.is_empty() { String::new() } else { format!("top.yaml:{line}:{column}:") };
        let is_right = code == 2 && message.contains(&place) && message.contains(reason) && message.contains(remedy);
        if !is_right {
            wrong.push(format!("{to}\n  expected {place} … {reason} … {remedy}\n  said     {message}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} mistakes\n{}", wrong.len(), MISTAKES.len(), wrong.join("\n"));
}
