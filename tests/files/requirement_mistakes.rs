//! Mistakes with requirements: each message has the file, the line, the column, the name and the remedy.

use crate::command::kinegraph;
use crate::places::place;
use std::fs;
use std::path::{Path, PathBuf};

const TOP: &str = "\
kinegraph: 1
systems:
  plant: {type: multibody_plant, gravity: [0, 0, 0], models: [{name: cart, file: cart.urdf, base: fixed}]}
  goal: {type: constant, value: 1}
  lag: {type: first_order_lag, time_constant: 0.2}
  two: {type: constant, value: [0.2, 0.3]}
connections: [goal.output -> lag.input]
simulation: {duration: 3}
requirements:
  within: {channel: lag.output, within: [-1, 1.02], from: 2 s}
  most: {channel: plant.cart.slide.q, max: 5 cm}
  quick: {channel: lag.output, reaches: 0.9, before: 0.8 s}
  still: {channel: lag.output, settles: {to: 1, band: 0.1}, before: 1.5 s}
  over: {channel: lag.output, overshoot: 10 %, to: 1}
  high: {channel: lag.output, below: {file: high.csv}}
  effort: {measure: rms(lag.output), max: 20}
  never: {if: \"lag.output < -1\", never: true}
";

const CART: &str = "<robot name='cart'><link name='rail'/><link name='box'><inertial><mass value='1'/>\
<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='slide' type='prismatic'>\
<parent link='rail'/><child link='box'/><axis xyz='1 0 0'/><limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";

/// Text that is replaced, its replacement, the text at the place of the fault, the reason and the remedy.
type Mistake = [&'static str; 5];

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    ["lag.output, within", "lga.output, within", "lga.output", "requirements.within.channel: unknown block `lga`", "did you mean `lag`?"],
    ["lag.output, within", "lag.ouput, within", "lag.ouput", "unknown channel of lag `ouput`", "did you mean `output`?"],
    ["slide.q", "slid.q", "plant.cart.slid.q", "unknown channel of plant `cart.slid.q`", "did you mean `cart.slide.q`?"],
    ["lag.output, within", "two.output, within", "two.output", "`two.output` is 2 channels", "name one: two.output[0], two.output[1]"],
    ["lag.output, within", "3, within", "3, within", "expected the name of a channel", "found 3"],
    ["[-1, 1.02]", "[1.02, -1]", "[1.02, -1]", "1.02 is above -1", "no value is between them"],
    ["[-1, 1.02]", "[-1]", "[-1]", "expected the smallest and the largest value", "such as `[0.98, 1.02]`"],
    ["[-1, 1.02]", "1.02", "1.02, from", "expected the smallest and the largest value", "such as `[0.98, 1.02]`"],
    ["[-1, 1.02]", "[-1, one]", "one]", "within[1]: expected a number, with or without its unit", "found the text `one`"],
    ["within: [-1, 1.02], from", "from", "lag.output, from", "nothing is asked of it", "add `within`, `max`, `min`"],
    ["within: [-1, 1.02]", "max: 1, min: 2", "1, min", "2 is above 1", "no value is between them"],
    ["within: [-1", "wihtin: [-1", "wihtin", "unknown key `wihtin` in requirements.within", "did you mean `within`?"],
    ["from: 2 s", "from: 2 m", "2 m", "expected a time that is not negative", "such as `20 ms`"],
    ["from: 2 s", "from: -2 s", "-2 s", "expected a time that is not negative", "found the text `-2 s`"],
    ["from: 2 s", "from: 2 s, until: 1 s", "1 s}", "1 s is not after `from`, 2 s", "no time is left"],
    ["from: 2 s", "from: 4 s", "within: {", "4 s is after the end of the run, 3 s", "never decided"],
    ["from: 2 s", "before: 2 s", "2 s}", "goes with `reaches`, `settles` or `eventually`", "`until` a time"],
    ["from: 2 s", "form: 2 s", "form", "unknown key `form`", "did you mean `from`?"],
    ["5 cm", "5 kg", "5 kg", "requirements.most.max: it is in kg", "`plant.cart.slide.q` is in m"],
    ["5 cm", "5 smoots", "5 smoots", "expected a unit of SI symbols", "such as `m`, `rad/s` or `N m`"],
    ["5 cm", "[5]", "[5]", "expected a number, with or without its unit", "found a list"],
    ["before: 0.8 s", "before: 8 s", "quick: {", "8 s is after the end of the run, 3 s", "never decided"],
    ["reaches: 0.9", "reaches: 0.9, max: 1", "0.9, max", "`max` is asked already", "write two requirements"],
    [", before: 1.5 s", "", "{channel: lag.output, settles", "requirements.still lacks the key `before`", "such as `1.5 s`"],
    ["band: 0.1", "band: 0", "0}, before", "expected a distance above 0", "found 0"],
    ["band: 0.1", "bnad: 0.1", "bnad", "unknown key `bnad` in requirements.still.settles", "did you mean `band`?"],
    ["{to: 1, band: 0.1}", "1", "1, before: 1.5", "expected a target and a band", "`{to: 1, band: 0.02}`"],
    [", to: 1}\n  high", "}\n  high", "{channel: lag.output, overshoot", "requirements.over lacks the key `to`", "the target"],
    ["10 %", "10 kg", "10 kg", "expected a part of the way to the target", "such as 0.1 or `10 %`"],
    ["10 %", "-0.1", "-0.1", "expected a part of the way to the target", "that is not negative"],
    ["high.csv", "hihg.csv", "hihg.csv", "there is no file", "high.csv`?"],
    ["{file: high.csv}", "{file: high.csv, column: hihg}", "hihg", "has no column `hihg`", "did you mean `high`?"],
    ["{file: high.csv}", "{flie: high.csv}", "flie", "unknown key `flie`", "did you mean `file`?"],
    ["{file: high.csv}", "{file: back.csv}", "back.csv", "line 3: the time 0 comes after 1", "requirements.high.below.file"],
    ["{file: high.csv}", "{file: many.csv}", "many.csv", "which `column`?", "a or b"],
    ["{file: high.csv}", "lga.output", "lga.output", "unknown block `lga`", "did you mean `lag`?"],
    ["{file: high.csv}", "[1]", "[1]", "expected the name of a channel, or a recording", "`{file: low.csv}`"],
    ["rms(lag.output)", "rsm(lag.output)", "rsm(", "`rsm(lag.output)`: expected end(CHANNEL), max(…)", "rms(…)"],
    ["rms(lag.output)", "rms(lga.output)", "rms(lga", "there is no block `lga`", "did you mean `lag`?"],
    ["rms(lag.output)", "settling(lag.output)", "settling(", "expected end(CHANNEL)", "settling(CHANNEL,BAND)"],
    ["measure: rms(lag.output), max: 20", "measure: rms(lag.output)", "rms(lag.output)}", "nothing is asked of it", "add `max` or `min`"],
    ["measure: rms(lag.output), max: 20", "measure: rms(lag.output), reaches: 2", "2}\n  never", "goes with `channel`, not with `measure`", "requirements.effort.reaches"],
    ["lag.output < -1", "lag.ouput < -1", "lag.ouput <", "`lag.ouput` is no channel of the diagram", "did you mean `lag.output`?"],
    ["lag.output < -1", "lag.output << -1", "< -1", "expected a number, a name or `(`, found `<`", "requirements.never.if"],
    ["lag.output < -1", "lag.output = -1", "= -1", "`=` has no meaning here", "compared by `a == b`"],
    ["lag.output < -1", "two.output < -1", "two.output <", "`two.output` is 2 channels", "name one: two.output[0], two.output[1]"],
    ["never: true", "never: false", "false", "expected true", "without the key, it is not asked"],
    [", never: true", "", "\"lag.output < -1", "nothing is asked of it", "add `never`, `always` or `eventually`"],
    ["never: true", "never: true, always: true", "true}", "`never` is asked already", "write two requirements"],
    ["if: \"lag.output < -1\", never: true", "never: true", "{never", "requirements.never lacks the key `channel`", "or a condition `if`"],
    ["if: \"lag", "channel: lag.output, if: \"lag", "\"lag.output <", "`channel` is there already", "write two requirements"],
    ["never: {if", "never: [1]\n  last: {if", "[1]", "expected what is asked", "such as `{channel: plant.cart.x.q, max: 1.1}`"],
    ["requirements:\n", "requirements: 3\nview:\n", "3\nview", "requirements: expected requirements by name", "found 3"],
    ["requirements:", "requirement:", "requirement:", "unknown key `requirement`", "did you mean `requirements`?"],
];

/// The files in a folder of their own, the diagram with a change.
fn saved(folder: &str, [old, new]: [&str; 2]) -> (PathBuf, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("requirement_mistakes").join(folder);
    fs::create_dir_all(&folder).expect("a folder");
    assert!(TOP.contains(old), "{old}");
    let text = TOP.replacen(old, new, 1);
    let others = [
        ("top.yaml", text.as_str()),
        ("cart.urdf", CART),
        ("high.csv", "time,high\n0,2\n3,1.5\n"),
        ("back.csv", "time,high\n1,2\n0,1.5\n"),
        ("many.csv", "time,a,b\n0,2,3\n3,1.5,2\n"),
    ];
    others.iter().for_each(|(name, text)| fs::write(folder.join(name), text).expect("a file"));
    (folder.join("top.yaml"), text)
}

#[test]
fn the_files_have_no_faults_and_meet_their_requirements() {
    let (file, _) = saved("right", ["kinegraph: 1", "kinegraph: 1"]);
    let (code, out, err) = kinegraph(&["run", file.to_str().expect("a name")]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("8 of 8 met"), "{out}");
}

#[test]
fn messages_have_the_place_the_reason_and_the_remedy() {
    let mut wrong = Vec::new();
    for (i, [old, new, at, reason, remedy]) in MISTAKES.iter().enumerate() {
        let (file, text) = saved(&i.to_string(), [old, new]);
        let (code, out, err) = kinegraph(&["check", file.to_str().expect("a name")]);
        let place = format!("{}:{}", file.display(), place(&text, at));
        let has = [&place, *reason, *remedy].map(|part| err.contains(part));
        let count = err.lines().filter(|line| line.contains("top.yaml:")).count();
        let is_one = count == 1 || new.contains("requirements: 3") || new.contains("requirement:");
        if code != 2 || has != [true; 3] || !is_one {
            wrong.push(format!(
                "{new}: exit code {code}, place, reason, remedy: {has:?}, {count} faults\n{place}\n{out}{err}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), MISTAKES.len(), wrong.join("\n"));
    assert!(MISTAKES.len() >= 30);
}

#[test]
fn all_faults_are_reported_together() {
    let (file, mut text) = saved("together", ["5 cm", "5 kg"]);
    for [old, new, ..] in MISTAKES.iter().filter(|[old, ..]| ["[-1, 1.02]", "10 %", "rms(lag.output)"].contains(old)) {
        text = text.replacen(old, new, 1);
    }
    fs::write(&file, text.replacen("slide.q", "slid.q", 1)).expect("a file");
    let (code, _, err) = kinegraph(&["check", file.to_str().expect("a name")]);
    assert!(code == 2 && err.contains("3 faults"), "{err}");
}
