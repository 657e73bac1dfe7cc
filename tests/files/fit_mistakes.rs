//! Mistakes in the section `fit`: each message has the file, the line, the column, the name and the remedy.

use crate::command::kinegraph;
use crate::section_mistakes::{Section, check};
use std::fs;

const TOP: &str = "\
kinegraph: 1
parameters: {k: 4, c: 0.3, twice: \"=2*$k\"}
systems:
  law: {type: expression, inputs: [x, v], expression: \"0-$k*x-$c*v\"}
  v: {type: integrator, initial: 0}
  x: {type: integrator, initial: 1 m}
  two: {type: constant, value: [1, 2]}
connections: [law.output -> v.input, v.output -> x.input, x.output -> law.x, v.output -> law.v]
simulation: {duration: 2}
fit:
  data: [run.csv]
  match: [x.output=angle, v.output]
  by: [parameters.k=1:10, \"parameters.c=0.01:1:log\", delay(x.output)=0:0.1]
  each: [systems.x.initial, initial(v)]
  noise: [0.01, v.output=0.02]
  robust: true
  until: 1 s
";
const RUN: &str = "time,angle [m],v.output\n0,1,0\n0.5,0.5,-1\n1,0,-2\n1.5,0,-1\n";

/// Text that is replaced, its replacement, the text at the place of the fault, the reason and the remedy.
type Mistake = [&'static str; 5];

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    ["data: [run.csv]", "data: [rnu.csv]", "rnu.csv", "fit.data[0]: there is no file", "did you mean"],
    ["data: [run.csv]", "data: [../run.csv]", "../run.csv", "leads out of the diagram file's folder", "put the file into that folder"],
    ["data: [run.csv]", "data: run.csv", "run.csv\n", "expected a list of recordings", "fit.data"],
    ["data: [run.csv]", "data: [run.csv, run.csv]", "run.csv]", "is there already (line 11)", "fit.data[1]"],
    ["data: [run.csv]", "data: [top.yaml]", "top.yaml", "top.yaml", "fit.data[0]"],
    ["x.output=angle", "x.output=angel", "x.output=angel", "there is no column `angel`", "did you mean `angle`?"],
    ["x.output=angle", "x.outptu=angle", "x.outptu=angle", "x.outptu", "did you mean `output`?"],
    ["x.output=angle", "y.output=angle", "y.output=angle", "unknown block `y`", "valid here: law"],
    ["x.output=angle", "x.output=", "x.output=, ", "expected CHANNEL or CHANNEL=COLUMN", "fit.match[0]"],
    ["v.output]\n  by", "v.output, x.output=v.output]\n  by", "x.output=v.output", "is there already (line 12)", "fit.match[2]"],
    ["v.output]\n  by", "v.output, two.output]\n  by", "two.output", "`two.output` is several channels", "`two.output[0]` or `two.output[1]`"],
    ["parameters.k=1:10", "parameters.kk=1:10", "parameters.kk", "there is no `kk` in parameters", "did you mean `parameters.k`?"],
    ["parameters.k=1:10", "parameters.twice=1:10", "parameters.twice", "it is a formula", "by the parameters that it is made of"],
    ["parameters.k=1:10", "parameters.k=5:10", "parameters.k=5:10", "4.0, the value of the file, is not between 5.0 and 10.0", "parameters.k=5.0:START:10.0"],
    ["parameters.k=1:10", "parameters.k=10:1", "parameters.k=10:1", "lower bound 10.0 is not below the upper one 1.0", "expected PATH, PATH=LOW:HIGH"],
    ["parameters.k=1:10", "parameters.k=1:a", "parameters.k=1:a", "`a` is not a number", "parameters.m=0.1:5"],
    ["parameters.k=1:10", "parameters.c", "\"parameters.c=", "is there already (line 13)", "fit.by[1]"],
    ["parameters.k=1:10", "systems.two.value=1:2", "systems.two.value", "it is a list: name one of its items", "`systems.two.value.0` to `systems.two.value.1`"],
    ["delay(x.output)", "delay(x.outpu)", "delay(x.outpu)", "unknown channel of `match` `x.outpu`", "did you mean `x.output`?"],
    ["delay(x.output)", "dealy(x.output)", "dealy(x.output)", "there is no `dealy(x` at the top of the file", "fit.by[2]"],
    ["initial(v)", "initial(w)", "initial(w)", "unknown block `w`", "valid here: law"],
    ["initial(v)", "initial(law)", "initial(law)", "there is no state `law`", "fit.each[1]"],
    ["initial(v)", "parameters.k", "parameters.k]", "is there already (line 13)", "fit.each[1]"],
    ["noise: [0.01,", "noise: [-1,", "-1,", "expected a number above 0", "found -1"],
    ["v.output=0.02", "v.outputs=0.02", "v.outputs=0.02", "unknown channel of `match` `v.outputs`", "did you mean `v.output`?"],
    ["v.output=0.02", "v.output=two", "v.output=two", "expected a standard deviation above 0", "fit.noise[1]"],
    ["robust: true", "robust: huber", "huber", "expected true or false", "found the text `huber`"],
    ["until: 1 s", "until: 0", "0\n", "expected a time above 0", "found 0"],
    ["until: 1 s", "window: 5", "5\n", "it is for the fit of an arm: `torques: MODEL`", "fit.window"],
    ["robust: true", "torques: law", "[parameters.k=1:10", "fit.by: it does not go with `torques`", "fit.each: it does not go"],
    ["robust: true", "rubost: true", "rubost", "unknown key `rubost` in fit", "did you mean `robust`?"],
    ["fit:\n", "fits:\n", "fits:", "unknown key `fits`", "did you mean `fit`?"],
];

const SECTION: Section = Section { key: "fit", top: TOP, others: &[("run.csv", RUN)] };

#[test]
fn the_file_has_no_faults() {
    SECTION.has_no_faults();
}

#[test]
fn messages_have_the_place_the_reason_and_the_remedy() {
    SECTION.has_messages(MISTAKES, "torques");
}

/// Faults of the section, of names and of recordings stand together; one that only the fit has does not stop a run.
#[test]
fn all_faults_are_reported_together() {
    let (file, text) = SECTION.saved("together", ["x.output=angle", "x.output=angel"]);
    fs::write(&file, text.replacen("initial(v)", "initial(law)", 1)).expect("a file");
    let (code, _, err) = check(&file);
    assert!(code == 2 && err.contains("2 faults"), "{err}");
    let (file, _) = SECTION.saved("unrecorded", ["run.csv", "later.csv"]);
    let name = file.to_str().expect("a name");
    assert_eq!(kinegraph(&["run", name]).0, 0);
    let (code, _, err) = kinegraph(&["fit", name]);
    assert!(code == 2 && err.contains("later.csv"), "{err}");
    assert!(check(&file).2.contains("fit.data[0]: there is no file"));
}
