//! Mistakes with state machines, parts that run on a condition and ends of runs: each message has the file, the line,
//! the column, the name and the remedy.

use crate::command::kinegraph;
use std::fs;
use std::path::Path;

const TOP: &str = "\
kinegraph: 1
parameters: {limit: 0.4}
systems:
  pos: {type: sine, amplitude: 1, frequency: 1}
  mode:
    type: state_machine
    inputs: [x, v]
    outputs: {gain: 1, goal: 2}
    variables: {count: 0}
    states:
      search: {gain: 1, goal: [0, x], to: [{work: \"x > $limit and v < 1\"}, {rest: \"after 10 s\"}]}
      work:
        enter: {count: count + 1}
        to: [{rest: \"x < -0.5\"}]
        initial: near
        states: {near: {gain: 2, to: [{far: \"every 100 ms and x > 0.9\"}]}, far: {gain: 3}}
      rest: {gain: 0, final: true}
    initial: search
  part: {type: diagram, file: part.yaml, enabled: mode.is_work, when_disabled: hold, outputs: hold}
  tick: {type: diagram, file: sampled.yaml, triggered: mode.changed, on: rising}
  anew: {type: diagram, file: part.yaml, reset: mode.changed}
  law: {type: expression, inputs: [u], expression: \"if(u > $limit, clamp(u, 0, 1), -u)\"}
connections: [pos.output -> mode.x, pos.output -> mode.v, pos.output -> part.u, pos.output -> tick.u, pos.output -> anew.u, pos.output -> law.u]
simulation: {duration: 1, stop_when: [{name: far, if: \"pos.output > 2 * $limit\"}, {name: calm, if: mode.is_rest}]}
";

const PART: &str = "\
kinegraph: 1
systems:
  x: {type: integrator}
connections: []
exports: {inputs: {u: x.input}, outputs: {y: x.output}}
";

const SAMPLED: &str = "\
kinegraph: 1
systems:
  x: {type: zero_order_hold, period: 0.1}
connections: []
exports: {inputs: {u: x.input}, outputs: {y: x.output}}
";

/// Text that is replaced and its replacement, text at the place of the fault, the reason, and the remedy.
type Mistake = ([&'static str; 2], &'static str, &'static str, &'static str);

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    (["{work: \"x >", "{wrok: \"x >"], "\"x > $limit and", "there is no state `wrok`", "did you mean `work`?"),
    (["x > $limit and", "y > $limit and"], "\"y > ", "`y` is neither an input nor a function", "(inputs: `x`, `v`, `count`; the time is `t`)"),
    (["x > $limit and", "x > $limti and"], "\"x > $limti", "unknown parameter `limti`", "did you mean `limit`?"),
    (["and v < 1", "&& v < 1"], "\"x > ", "`&` has no meaning here", "two conditions together are `a and b`"),
    (["x > $limit and", "0 < x < 1 and"], "\"0 < x", "expected an operator or the end, found `<`", "write `a < b and b < c`"),
    (["after 10 s", "after x"], "\"after x", "`after` takes a time that does not change", "such as `after 0.2 s`"),
    (["after 10 s", "after -1 s"], "\"after -1 s", "expected a number, a name or `(`, found `-`", "after -1 s"),
    (["after 10 s", "after 10 sec"], "\"after 10 sec", "expected an operator or the end, found `sec`", "a product is written"),
    (["every 100 ms", "every 0 s"], "\"every 0 s", "`every` takes a time above 0 s", "this is 0 s"),
    (["{rest: \"after 10 s\"}", "rest"], "rest]", "a transition has a condition", "`{NAME: \"after 1 s\"}`"),
    (["to: [{rest: \"x < -0.5\"}]", "to: rest"], "rest\n", "expected transitions such as", "{fault: \"after 10 s\"}]"),
    (["goal: [0, x]", "goal: [0, x, 1]"], "goal: [0, x, 1]", "`goal` has 2 numbers, 3 are given", "systems.mode"),
    (["search: {gain: 1", "search: {gian: 1"], "gian: 1", "`search` has no output `gian`", "did you mean `gain`?"),
    (["goal: [0, x]", "goal: [0, \"if(x > 1, 2, 3)\"]"], "goal: [0, \"if", "what depends on a condition is a state of its own", "if(x > 1, 2, 3)"),
    (["enter: {count: count + 1}", "enter: {cuont: count + 1}"], "count + 1}", "`cuont` is neither a variable nor an output", "did you mean `count`?"),
    (["enter: {count: count + 1}", "enter: {x: 1}"], "1}\n        to", "`x` is an input", "which an action cannot change"),
    (["enter: {count: count + 1}", "enter: count + 1"], "count + 1\n", "expected new values by name", "`{count: count + 1}`"),
    (["near: {gain: 2,", "near: {gain: 2, enter: {gain: 5},"], "5}, to", "`near` gives `gain` a value all the time", "an action cannot change it there"),
    (["initial: near", "initial: naer"], "naer", "`work` has no such state", "it has near, far"),
    (["initial: search", "initial: sarch"], "sarch", "there is no state `sarch`", "did you mean `search`?"),
    (["rest: {gain: 0, final: true}", "rest: {gain: 0, final: true, to: [{search: \"x > 1\"}]}"], "\"x > 1\"}]}\n    init", "`rest` is final and has transitions", "take one of the two away"),
    (["final: true", "final: yes please"], "yes please", "expected true or false", "found the text `yes please`"),
    (["rest: {gain: 0, final: true}", "rest: 5"], "5\n", "expected what a state does", "to: [{search: \"after 1 s\"}]"),
    (["outputs: {gain: 1, goal: 2}", "outputs: {gain: 1, goal: 2, changed: 1}"], "{gain: 1, goal: 2, ch", "every machine has an output `changed`", "give this one another name"),
    (["variables: {count: 0}", "variables: {count: 0, x: 1}"], "x: 1}", "this name is given twice", "systems.mode"),
    (["variables: {count: 0}", "variables: {count: 0, if: 1}"], "if: 1}", "it has a meaning in expressions", "no name for an input or a variable"),
    (["enabled: mode.is_work", "enabled: mode.is_wrok"], "mode.is_wrok", "unknown output of mode `is_wrok`", "did you mean `is_work`?"),
    (["enabled: mode.is_work", "enabled: mood.is_work"], "mood.is_work", "systems.part.enabled: unknown block `mood`", "did you mean `mode`?"),
    (["enabled: mode.is_work", "enabled: mode"], "mode, when", "`mode` names no port", "systems.part.enabled"),
    (["enabled: mode.is_work", "enabled: mode.is_work -> part"], "mode.is_work -> part", "it is one output, not a wire", "systems.part.enabled"),
    (["enabled: mode.is_work", "enabled: mode.is_work, reset: mode.changed"], "mode.changed, when", "`enabled` is given too", "nest one diagram in another"),
    (["enabled: mode.is_work, ", ""], "hold, outputs", "systems.part.when_disabled: it belongs to `enabled`, which is not given", "when_disabled"),
    (["when_disabled: hold", "when_disabled: held"], "held, ", "unknown treatment of states `held`", "did you mean `hold`?"),
    (["outputs: hold}", "outputs: zero}"], "zero}", "unknown treatment of outputs `zero`", "hold or default"),
    (["on: rising", "on: up"], "up}", "unknown edge `up`", "rising, falling or either"),
    (["file: sampled.yaml", "file: part.yaml"], "mode.changed, on", "`x` has continuous state", "take a sampled block, or `enabled`"),
    (["enabled: mode.is_work", "enabeld: mode.is_work"], "enabeld", "unknown key `enabeld`", "did you mean `enabled`?"),
    (["pos.output > 2 * $limit", "pos.outptu > 1"], "\"pos.outptu", "`pos.outptu` is no channel of the diagram", "did you mean `pos.output`?"),
    (["{name: far, if: \"pos.output > 2 * $limit\"}", "pos.output > 1"], "pos.output > 1", "simulation.stop_when[0]: expected a condition with its name", "{name: landed, if:"),
    (["{name: far, if:", "{nmae: far, if:"], "nmae", "unknown key `nmae`", "did you mean `name`?"),
    (["if: mode.is_rest", "if: mode.is_rest and"], "mode.is_rest and}", "expected a number, a name or `(`, found the end", "stop_when[1].if"),
    (["clamp(u, 0, 1)", "clamp(u, 0)"], "\"if(u", "clamp(x, low, high) takes three numbers", "systems.law"),
    (["if(u > $limit, clamp(u, 0, 1), -u)", "u > $limit ? 1 : 0"], "\"u > $limit ?", "`?` has no meaning here", "`if(condition, a, b)`"),
];

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

#[test]
fn the_file_without_mistakes_runs() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("top.yaml", TOP), ("part.yaml", PART), ("sampled.yaml", SAMPLED)] {
        write(folder.path(), name, text);
    }
    let (code, out, err) = kinegraph(&["run", &folder.path().join("top.yaml").to_string_lossy()]);
    assert_eq!(code, 0, "{out}{err}");
    // The sine passes 0.8 at 0.9273 s.
    assert!(out.contains("0.9273 of 1 s, stopped by `far`"), "{out}");
}

#[test]
fn messages_have_the_place_the_reason_and_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "part.yaml", PART);
    write(folder.path(), "sampled.yaml", SAMPLED);
    let mut wrong = Vec::new();
    for ([from, to], at, reason, remedy) in MISTAKES {
        assert!(TOP.contains(from), "{from}");
        let text = TOP.replacen(from, to, 1);
        write(folder.path(), "top.yaml", &text);
        let (code, out, err) = kinegraph(&["check", &folder.path().join("top.yaml").to_string_lossy()]);
        let message = out + &err;
        let offset = text.find(at).unwrap_or_else(|| panic!("{at} is not in the file"));
        let line = text[..offset].matches('\n').count() + 1;
        let column = offset - text[..offset].rfind('\n').map_or(0, |end| end + 1) + 1;
        let place = format!("top.yaml:{line}:{column}:");
        let is_right = code == 2 && message.contains(&place) && message.contains(reason) && message.contains(remedy);
        if !is_right {
            wrong.push(format!("{to}\n  expected {place} … {reason} … {remedy}\n  said     {message}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} mistakes\n{}", wrong.len(), MISTAKES.len(), wrong.join("\n"));
}
