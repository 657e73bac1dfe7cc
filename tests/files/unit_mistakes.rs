//! Mistakes with units: each message has the file, the place, the key or the wire, both units and the remedy.

use crate::command::kinegraph;
use std::fs;
use std::path::{Path, PathBuf};

const TOP: &str = "\
kinegraph: 1
parameters: {k: 3 kN/m, m: 2 kg}
systems:
  travel: {type: constant, value: 5 mm}
  load: {type: constant, value: 3 N}
  spring: {type: gain, gain: 3 kN/m}
  sum: {type: adder, signs: \"+-\"}
  speed: {type: integrator, initial: 2 N s}
  lag: {type: first_order_lag, time_constant: 5 ms}
  wave: {type: sine, amplitude: 4 mm, offset: 1 mm, frequency: 90 rpm, phase: 20 deg}
  rate: {type: discrete_derivative, period: 10 ms}
  axis: {type: diagram, file: axis.yaml, set: {k: $k}}
connections:
  - travel.output -> spring.input
  - spring.output -> sum.input0
  - load.output -> sum.input1
  - sum.output -> speed.input
  - speed.output -> lag.input
  - wave.output -> rate.input
  - load.output -> axis.force
simulation: {duration: 500 ms}
record: {every: 10 ms}
";

const AXIS: &str = "\
kinegraph: 1
parameters: {k: 1 N/m}
systems:
  spring: {type: gain, gain: $k}
  end: {type: constant, value: 1 mm}
  sum: {type: adder, signs: \"++\"}
connections: [end.output -> spring.input, spring.output -> sum.input0]
exports: {inputs: {force: sum.input1}, outputs: {total: sum.output}}
";

/// Text that is replaced and its replacement, the text at the place of the fault, the reason and the remedy.
type Mistake = (&'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    // Numbers at keys.
    ("constant: 5 ms", "constant: 5 mm", "5 mm}\n  wave", "systems.lag.time_constant: `5 mm` is in m, the key in s", "write a number in s, as `5 s`, or alone"),
    ("constant: 5 ms", "constant: 5 Hz", "5 Hz", "`5 Hz` is in Hz, the key in s", "write a number in s"),
    ("constant: 5 ms", "constant: 5 sec", "5 sec", "systems.lag.time_constant: expected a number above 0", "5 sec are 5 s"),
    ("constant: 5 ms", "constant: 5 seconds", "5 seconds", "found the text `5 seconds`", "5 seconds are 5 s"),
    ("constant: 5 ms", "constant: 5 msec", "5 msec", "found the text `5 msec`", "5 msec are 0.005 s"),
    ("constant: 5 ms", "constant: -5 ms", "-5 ms", "expected a number above 0", "found `-5 ms`, which is -0.005"),
    ("constant: 5 ms", "constant: $m", "$m", "is in kg, the key in s", "it is the value of `$m`"),
    ("constant: 5 ms", "constant: ms", "ms}", "expected a number above 0", "found the text `ms`"),
    ("frequency: 90 rpm", "frequency: 90 Hz", "90 Hz", "`90 Hz` is a frequency, the key is an angular velocity in rad/s", "write 565.4866776461628 rad/s"),
    ("frequency: 90 rpm", "frequency: 90 deg", "90 deg", "`90 deg` is in rad, the key in rad/s", "write a number in rad/s"),
    ("frequency: 90 rpm", "frequency: 90 RPM", "90 RPM", "found the text `90 RPM`", "90 RPM are 9.42477796076938 rad/s"),
    ("phase: 20 deg", "phase: 20 degrees", "20 degrees", "found the text `20 degrees`", "20 degrees are 0.3490658503988659 rad"),
    ("phase: 20 deg", "phase: 20 m", "20 m", "systems.wave.phase: `20 m` is in m, the key in rad", "as `20 rad`"),
    ("offset: 1 mm", "offset: 1 N", "1 N", "N here, but the other numbers of the block are in m", "write all in one"),
    ("value: 5 mm", "value: 5 inch", "5 inch", "found the text `5 inch`", "5 inch are 0.127 m"),
    ("value: 5 mm", "value: 5 lb", "5 lb", "found the text `5 lb`", "5 lb are 2.26796185"),
    ("value: 5 mm", "value: 5 foo", "5 foo", "found the text `5 foo`", "`foo` is no unit: units are SI symbols"),
    ("value: 5 mm", "value: 5 m/", "5 m/", "found the text `5 m/`", "`m/` is no unit"),
    ("value: 5 mm", "value: [5 mm, 6 foo]", "6 foo", "systems.travel.value[1]", "`foo` is no unit"),
    ("duration: 500 ms", "duration: 500 mm", "500 mm", "simulation.duration: `500 mm` is in m, the key in s", "as `500 s`"),
    ("duration: 500 ms", "duration: 500 Ms s", "500 Ms s", "is in s s, the key in s", "write a number in s"),
    ("every: 10 ms", "every: 10 min/s", "10 min/s", "record.every: `10 min/s` is in s/s, the key in s", "write a number in s"),
    ("set: {k: $k}", "set: {k: $m}", "$m", "the value is in kg, the parameter `k` in N/m", "systems.axis.set.k"),
    // Wires.
    ("gain: 3 kN/m", "gain: 3 kN", "load.output -> sum.input1", "carries N, the input takes N m, as `spring.output -> sum.input0` carries it", "`unit: any` in the block `sum`"),
    ("value: 3 N", "value: 3 kg", "load.output -> sum.input1", "carries kg, the input takes N", "`{type: gain, gain: 1 m/s²}`"),
    ("value: 5 mm", "value: 5 mm/s", "load.output -> sum.input1", "carries N, the input takes N/s", "`{type: gain, gain: 1 1/s}`"),
    ("gain: 3 kN/m", "gain: $m", "load.output -> sum.input1", "carries N, the input takes kg m", "take the output that was meant"),
    ("wave.output -> rate.input", "rate.output -> sum.input1\n  - wave.output -> rate.input", "rate.output -> sum.input1", "sum.input1", "load.output"),
    ("type: integrator, initial: 2 N s", "type: integrator, initial: 2 N s, unit: parsec", "parsec", "systems.speed.unit: expected a unit of SI symbols", "or `any`"),
    ("type: integrator, initial: 2 N s", "type: integrator, initial: 2 N s, unit: kN", "kN}", "wires carry numbers in SI units", "kN"),
    ("file: axis.yaml, set", "file: axis.yaml, unit: N, set", "axis: {", "`unit` is said of each block", "in the file of the nested diagram"),
    ("load.output -> axis.force", "travel.output -> axis.force", "travel.output -> axis.force", "axis.force (axis/sum.input1): carries m, the input takes N", "`unit: any` in the block `sum`"),
];

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("unit_mistakes_{name}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("axis.yaml"), AXIS).unwrap();
    folder
}

fn check(folder: &Path, text: &str) -> (bool, String) {
    let file = folder.join("top.yaml");
    fs::write(&file, text).unwrap();
    let (code, out, err) = kinegraph(&["check", file.to_str().unwrap()]);
    (code == 0, out + &err)
}

#[test]
fn the_file_without_mistakes_runs() {
    let folder = folder("right");
    let (is_right, said) = check(&folder, TOP);
    assert!(is_right, "{said}");
}

#[test]
fn each_mistake_has_its_place_its_units_and_its_remedy() {
    let folder = folder("wrong");
    for &(old, new, at, reason, remedy) in MISTAKES {
        let text = TOP.replacen(old, new, 1);
        assert_ne!(text, TOP, "{old}");
        let (is_right, said) = check(&folder, &text);
        assert!(!is_right, "{new}: {said}");
        let begin = text.find(at).unwrap();
        let (line, column) = (text[..begin].matches('\n').count() + 1, begin - text[..begin].rfind('\n').unwrap_or(0));
        assert!(said.contains(&format!("top.yaml:{line}:{column}")), "{new}: {line}:{column} in\n{said}");
        assert!(said.contains(reason), "{new}: {reason}\n{said}");
        assert!(said.contains(remedy), "{new}: {remedy}\n{said}");
    }
}

#[test]
fn unlike_units_are_allowed_where_the_block_says_so() {
    let folder = folder("any");
    let text = TOP.replace("value: 3 N", "value: 3 kg").replace("signs: \"+-\"", "signs: \"+-\", unit: any");
    // The nested diagram adds N to what is now in kg.
    let text = text.replace("load.output -> axis.force", "spring.output -> axis.force");
    let (is_right, said) = check(&folder, &text);
    assert!(is_right, "{said}");
}

#[test]
fn a_wire_within_a_nested_file_is_found_there() {
    let folder = folder("nested");
    fs::write(
        folder.join("axis.yaml"),
        AXIS.replace("inputs: {force: sum.input1}, ", "")
            .replace("spring.output -> sum.input0]", "spring.output -> sum.input0, end.output -> sum.input1]"),
    )
    .unwrap();
    let (is_right, said) = check(&folder, &TOP.replace("  - load.output -> axis.force\n", ""));
    assert!(!is_right, "{said}");
    assert!(said.contains("axis.yaml:7:") && said.contains("carries m, the input takes N"), "{said}");
}
