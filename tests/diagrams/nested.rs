//! Diagrams as blocks: exports, faults, names, and equality with the same diagram flattened by hand.

use super::blocks::{Mixer, WIDTH};
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph_systems::control::Pid;
use kinegraph_systems::operators::{Gain, Integrator};
use kinegraph_systems::sources::Constant;
use proptest::prelude::*;
use std::sync::Arc;

/// A loop that exports its reference (of controller and feed-forward together) and its effort.
fn servo(kp: f64) -> DiagramBuilder {
    let mut b = DiagramBuilder::new("servo");
    let pid = b.add("pid", Pid::new(1, kp, 5.0, 7.0).unwrap());
    let plant = b.add("plant", Integrator::new([0.1, 0.2]).unwrap());
    let copy = b.add("copy", Gain::new(2, 3.0).unwrap());
    b.connect(plant.output, pid.measured);
    b.fix(plant.input, [3.0, 4.0]);
    b.export_input("reference", pid.desired);
    b.export_input("reference", copy.input);
    b.export_output("effort", pid.effort);
    b.export_output_path("scaled", "copy.output");
    b
}

fn value(diagram: &Diagram, path: &str) -> Vec<f64> {
    let mut values = diagram.values::<f64>();
    diagram.evaluate_state(&diagram.initial_state(), &mut values);
    values.get(diagram.output(path).unwrap().range).to_vec()
}

fn faults(b: DiagramBuilder) -> Vec<String> {
    b.build().unwrap_err().0.iter().map(ToString::to_string).collect()
}

#[test]
fn exported_ports_are_wired_by_handle_and_by_path_and_read_by_either_name() {
    let mut b = DiagramBuilder::new("two");
    let goal = b.add("goal", Constant::new([1.0, 0.0]).unwrap());
    let left = b.add_diagram("left", servo(100.0));
    b.add_diagram("right", servo(200.0));
    let sum = b.add("sum", Gain::new(1, 1.0).unwrap());
    b.connect(goal.output, left.input("reference"));
    b.connect_paths("goal.output", "right.reference");
    b.connect(left.output("effort"), sum.input);
    let diagram = b.build().unwrap();
    let names: Vec<&str> = diagram.blocks().iter().map(|block| block.name.as_str()).collect();
    assert_eq!(names, ["goal", "left/pid", "left/plant", "left/copy", "right/pid", "right/plant", "right/copy", "sum"]);
    // 100 (1 - 0.1) + 7 (0 - 0.2)
    assert!((value(&diagram, "left.effort")[0] - 88.6).abs() < 1e-12);
    assert!((value(&diagram, "right.effort")[0] - 178.6).abs() < 1e-12);
    assert_eq!(value(&diagram, "sum.output"), value(&diagram, "left/pid.effort"));
    assert_eq!(value(&diagram, "right.scaled"), [3.0, 0.0]);
    let channels = diagram.find_channels("left.scaled").unwrap();
    let names: Vec<&str> = channels.iter().map(|channel| channel.name.as_str()).collect();
    assert_eq!(names, ["left/copy.output[0]", "left/copy.output[1]"]);
    assert_eq!(diagram.find_channels("left.scaled[1]").unwrap(), &channels[1..]);
}

#[test]
fn a_name_of_several_inputs_gives_them_all_and_is_no_single_input() {
    let mut b = DiagramBuilder::new("outer");
    let inner = b.add_diagram("inner", servo(100.0));
    b.fix(inner.input("reference"), [1.0, 0.0]);
    let diagram = b.build().unwrap();
    let inputs = diagram.inputs("inner.reference").unwrap();
    let paths: Vec<String> = inputs.iter().map(|input| diagram.path_of(input)).collect();
    assert_eq!(paths, ["inner/pid.desired", "inner/copy.input"]);
    assert_eq!(
        diagram.input("inner.reference").unwrap_err().to_string(),
        "`inner.reference` names 2 inputs (inner/pid.desired, inner/copy.input): ask for one of them, or for all with `Diagram::inputs`"
    );
    assert_eq!(diagram.inputs("inner/pid.desired").unwrap().len(), 1);
    assert_eq!(diagram.input("inner/copy.input").unwrap().declaration.width, 2);
    assert!(diagram.inputs("inner.referense").unwrap_err().to_string().contains("did you mean `reference`?"));
}

#[test]
fn exports_pass_through_several_levels() {
    let mut middle = DiagramBuilder::new("middle");
    let inner = middle.add_diagram("inner", servo(100.0));
    middle.export_input("goal", inner.input("reference"));
    middle.export_output_path("effort", "inner.effort");
    let mut b = DiagramBuilder::new("outer");
    let middle = b.add_diagram("middle", middle);
    b.fix(middle.input("goal"), [1.0, 0.0]);
    let diagram = b.build().unwrap();
    assert_eq!(diagram.nested(), ["middle", "middle/inner"]);
    for path in ["middle.effort", "middle/inner.effort", "middle/inner/pid.effort"] {
        assert!((value(&diagram, path)[0] - 88.6).abs() < 1e-12, "{path}");
    }
}

#[test]
fn ports_that_are_not_exported_are_faults_with_the_nearest_name() {
    let mut b = DiagramBuilder::new("two");
    let servo = b.add_diagram("servo", servo(100.0));
    let gain = b.add("gain", Gain::new(2, 1.0).unwrap());
    b.connect(gain.output, servo.input("referense"));
    b.connect_paths("servo.effrot", "gain.input");
    b.connect_paths("servo.reference", "gain.input");
    b.connect_paths("sevro.effort", "gain.input");
    b.fix_path("servo.reference", [1.0, 0.0]);
    let faults = faults(b);
    for (fault, part) in faults.iter().zip([
        "`servo.referense`: block `servo` has no input `referense`; did you mean `reference`? (inputs: reference)",
        "`servo.effrot`: block `servo` has no output `effrot`; did you mean `effort`? (outputs: effort, scaled)",
        "`servo.reference`: block `servo` has no output `reference`, it is an input",
        "`sevro.effort`: there is no block `sevro`; did you mean `servo`?",
    ]) {
        assert!(fault.contains(part), "{fault}");
    }
    assert_eq!(faults.len(), 4);
}

#[test]
fn an_exported_input_without_a_value_is_one_fault_under_its_exported_name() {
    let mut middle = DiagramBuilder::new("middle");
    let inner = middle.add_diagram("inner", servo(100.0));
    middle.export_input("goal", inner.input("reference"));
    let mut b = DiagramBuilder::new("outer");
    b.add_diagram("middle", middle);
    let errors = b.build().unwrap_err();
    assert_eq!(
        errors.to_string(),
        "middle.goal (middle/inner/pid.desired) (width 2) is not connected: connect an output to it or fix its value"
    );
    assert_eq!(errors.0[0].paths(), ["middle.goal"]);
}

#[test]
fn faulty_exports_are_reported_once_each_with_their_paths() {
    let mut sub = servo(100.0);
    let wide = sub.add("wide", Gain::new(3, 1.0).unwrap());
    sub.export_input("reference", wide.input);
    sub.export_input_path("again", "pid.desired");
    sub.export_output_path("effort", "wide.output");
    sub.export_output_path("nothing", "pid.efort");
    sub.export_input_path("nobody", "pdi.desired");
    sub.export_output("bad name", wide.output);
    let mut b = DiagramBuilder::new("outer");
    b.add_diagram("servo", sub);
    b.connect_paths("servo.nothing", "servo.nobody");
    b.fix_path("servo.reference", [0.0, 0.0]);
    b.fix_path("servo/wide.input", [0.0; 3]);
    let faults = faults(b);
    for part in [
        "export `servo.reference` names inputs of different widths, servo/pid.desired (2) and servo/wide.input (3)",
        "servo/pid.desired is exported twice, as `servo.reference` and as `servo.again`",
        "export `servo.effort` names two outputs, servo/pid.effort and servo/wide.output",
        "export `servo.nothing`: `servo/pid.efort`: block `servo/pid` has no output `efort`; did you mean `effort`?",
        "export `servo.nobody`: `servo/pdi.desired`: there is no block `servo/pdi`; did you mean `servo/pid`?",
        "`bad name` is not a valid block name",
    ] {
        assert!(faults.iter().any(|fault| fault.contains(part)), "{part}\n{faults:#?}");
    }
    assert_eq!(faults.len(), 6, "{faults:#?}");
}

#[test]
fn misfits_and_double_drives_name_both_the_export_and_the_port_inside() {
    let mut b = DiagramBuilder::new("outer");
    let one = b.add("one", Constant::new([1.0]).unwrap());
    let two = b.add("two", Constant::new([1.0, 2.0]).unwrap());
    let a = b.add_diagram("a", servo(1.0));
    let c = b.add_diagram("c", servo(1.0));
    b.connect(one.output, a.input("reference"));
    b.connect(two.output, c.input("reference"));
    b.connect_paths("two.output", "c/pid.desired");
    let faults = faults(b);
    for part in [
        "one.output -> a.reference (a/pid.desired): widths 1 and 2",
        "one.output -> a.reference (a/copy.input): widths 1 and 2",
        "c/pid.desired is driven twice, by two.output and by two.output",
    ] {
        assert!(faults.iter().any(|fault| fault.contains(part)), "{part}\n{faults:#?}");
    }
    assert_eq!(faults.len(), 3);
}

#[test]
fn names_that_clash_and_handles_of_other_diagrams_are_faults() {
    let mut b = DiagramBuilder::new("outer");
    b.add("a", Gain::new(1, 1.0).unwrap());
    b.nest("a", DiagramBuilder::new("empty"));
    b.fix_path("a.input", [0.0]);
    assert_eq!(faults(b), ["two blocks are named `a`: rename one of them"]);

    let foreign = DiagramBuilder::new("other").add_diagram("servo", servo(1.0));
    let mut b = DiagramBuilder::new("outer");
    let gain = b.add("gain", Gain::new(1, 1.0).unwrap());
    b.connect(foreign.output("effort"), gain.input);
    let faults = faults(b);
    assert!(faults[0].contains("output of a block that was never added to diagram `outer`"), "{faults:?}");
}

#[test]
fn a_block_inside_is_replaced_and_exports_keep_their_names() {
    let mut b = DiagramBuilder::new("outer");
    let sub = b.add_diagram("servo", servo(100.0));
    b.fix(sub.input("reference"), [1.0, 0.0]);
    let old = b.build().unwrap();
    let mut state = old.initial_state();
    state.time = 2.0;
    state.continuous = vec![0.4, 0.5, 0.6];
    let new = old.replace("servo/pid", Arc::new(Pid::new(1, 300.0, 5.0, 7.0).unwrap())).unwrap();
    assert_eq!(new.carry_over(&old, &state), state);
    assert_eq!((new.aliases(), new.nested()), (old.aliases(), old.nested()));
    assert!((value(&new, "servo.effort")[0] - (300.0 * 0.9 - 7.0 * 0.2)).abs() < 1e-12);
}

/// One mixer: feedthrough of its output over two inputs, state or none, and its group.
#[derive(Clone, Debug)]
struct Shape {
    feedthrough: Vec<usize>,
    stateful: bool,
    group: usize,
    sources: [Option<usize>; 2],
}

const GROUPS: usize = 3;

fn shapes() -> impl Strategy<Value = Vec<Shape>> {
    let source = || prop::option::weighted(0.7, 0..64usize);
    let shape = (proptest::sample::subsequence(vec![0, 1], 0..=2), any::<bool>(), 0..GROUPS, source(), source());
    let shape =
        shape.prop_map(|(feedthrough, stateful, group, a, b)| Shape { feedthrough, stateful, group, sources: [a, b] });
    prop::collection::vec(shape, 1..10)
}

fn mixer(shape: &Shape) -> Mixer {
    Mixer::new(2, std::slice::from_ref(&shape.feedthrough), shape.stateful.then_some(0.3), true)
}

/// Wires only lead forward, so that there are no loops.
fn source(shapes: &[Shape], i: usize, port: usize) -> Option<usize> {
    shapes[i].sources[port].filter(|_| i > 0).map(|source| source % i)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Groups 1 and 2 are diagrams, 2 inside 1; every wire that crosses a border goes through exports.
    #[test]
    fn nested_equals_flattened_by_hand(shapes in shapes(), time in -1.0..1.0f64) {
        let scope = ["", "one/", "one/two/"];
        let mut flat = DiagramBuilder::new("flat");
        let mut levels: Vec<DiagramBuilder> = (0..GROUPS).map(|_| DiagramBuilder::new("level")).collect();
        // Both in the order of the nested diagram: outermost blocks first.
        for group in 0..GROUPS {
            for (i, shape) in shapes.iter().enumerate().filter(|(_, shape)| shape.group == group) {
                flat.add(format!("{}b{i}", scope[group]), mixer(shape));
                levels[group].add(format!("b{i}"), mixer(shape));
            }
        }
        for to in 0..shapes.len() {
            for port in 0..2 {
                let Some(from) = source(&shapes, to, port) else { continue };
                let (a, b) = (shapes[from].group, shapes[to].group);
                flat.connect_paths(format!("{}b{from}.y0", scope[a]), format!("{}b{to}.u{port}", scope[b]));
                // Up to the outer of the two groups by exports, on each side.
                let meet = a.min(b);
                let (mut output, mut input) = (format!("b{from}.y0"), format!("b{to}.u{port}"));
                let name = format!("w{to}_{port}");
                for level in (meet + 1..=a).rev() {
                    levels[level].export_output_path(&name, output);
                    output = format!("{}.{name}", ["", "one", "two"][level]);
                }
                for level in (meet + 1..=b).rev() {
                    levels[level].export_input_path(&name, input);
                    input = format!("{}.{name}", ["", "one", "two"][level]);
                }
                levels[meet].connect_paths(output, input);
            }
        }
        let (two, mut one, mut nested) = (levels.pop().unwrap(), levels.pop().unwrap(), levels.pop().unwrap());
        one.add_diagram("two", two);
        nested.add_diagram("one", one);
        let (flat, nested) = (flat.build().unwrap(), nested.build().unwrap());
        let names = |d: &Diagram| d.channels();
        prop_assert_eq!(names(&flat), names(&nested));
        let state: Vec<f64> = (0..flat.state_width()).map(|i| 0.1 * i as f64).collect();
        let (mut a, mut b) = (flat.values::<f64>(), nested.values::<f64>());
        flat.evaluate(time, &state, &mut a);
        nested.evaluate(time, &state, &mut b);
        prop_assert_eq!(a.arena(), b.arena());
        let mut rates = [vec![0.0; state.len()], vec![0.0; state.len()]];
        flat.derivatives(time, &state, &a, &mut rates[0]);
        nested.derivatives(time, &state, &b, &mut rates[1]);
        prop_assert_eq!(&rates[0], &rates[1]);
        prop_assert_eq!(a.arena().len(), shapes.len() * WIDTH);
    }
}
