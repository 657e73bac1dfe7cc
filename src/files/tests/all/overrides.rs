//! Values from the command line in place of values of the file.

use kinegraph_files::Loader;
use kinegraph_files::node::{Node, Origin, Value};
use kinegraph_files::overrides::{Override, apply};
use kinegraph_files::parse::parse;

fn set(text: &str, options: &[&str]) -> (Node, Vec<String>) {
    let mut loader = Loader::new(std::path::Path::new("d.yaml"));
    let mut tree = parse(text, Origin::File).0.expect("a tree");
    let overrides: Vec<Override> = options.iter().map(|o| Override::set(o).expect("path=value")).collect();
    apply(&mut tree, &overrides, &mut loader);
    let faults = loader.finish().err().map_or_else(Vec::new, |f| f.0);
    (tree, faults.iter().map(ToString::to_string).collect())
}

const FILE: &str = "systems:\n  c: {kp: 1}\n  p: {models: [{name: arm, file: a}, {name: box, file: b}]}\n";

#[test]
fn values_are_replaced_added_and_found_by_name_or_number() {
    let (tree, faults) = set(
        FILE,
        &[
            "systems.c.kp=[1, 2]",
            "systems.c.kd=3",
            "systems.p.models.box.file=c",
            "systems.p.models.0.file=d",
            "simulation.step=1e-3",
        ],
    );
    assert_eq!(faults, Vec::<String>::new());
    let systems = tree.get("systems").expect("systems");
    let c = systems.get("c").expect("c");
    assert!(matches!(c.get("kp").map(|n| &n.value), Some(Value::List(items)) if items.len() == 2));
    assert!(matches!(c.get("kd").map(|n| &n.value), Some(Value::Number(x)) if *x == 3.0));
    let Some(Value::List(models)) = systems.get("p").and_then(|p| p.get("models")).map(|m| &m.value) else {
        panic!("models")
    };
    for (model, file) in models.iter().zip(["d", "c"]) {
        assert!(matches!(model.get("file").map(|n| &n.value), Some(Value::Text(t)) if t == file));
    }
    assert!(tree.get("simulation").and_then(|s| s.get("step")).is_some());
}

#[test]
fn a_path_that_leads_nowhere_names_the_option_and_the_nearest_name() {
    let (_, faults) = set(FILE, &["systems.cc.kp=1", "systems.c.kp.x=1", "systems.p.models.arms.file=c", "sim.step=1"]);
    assert_eq!(
        faults,
        [
            "--set systems.cc.kp=1: there is no `cc` in systems",
            "--set systems.c.kp.x=1: `x` leads nowhere: systems.c.kp is a plain value",
            "--set systems.p.models.arms.file=c: there is no `arms` in systems.p.models",
            "--set sim.step=1: there is no `sim` in the file",
        ]
    );
}

/// Items of lists are named behind points; copies of a diagram have brackets.
#[test]
fn an_item_in_brackets_is_answered_with_its_path() {
    let text = "systems:\n  c: {kp: [1, 2]}\n  p: {models: [{name: arm, file: a, pose: {xyz: [0, 0, 1]}}]}\n";
    let (_, faults) = set(
        text,
        &[
            "systems.c.kp[1]=3",
            "systems.p.models[0].pose.xyz[2]=1",
            "systems.p.models[arm].file=b",
            "systems.p.models.arm.pose.rpy.1=1",
            "systems.c.kp.2=1",
        ],
    );
    assert_eq!(
        faults,
        [
            "--set systems.c.kp[1]=3: there is no `kp[1]` in systems.c: an item of a list is named behind a point",
            "--set systems.p.models[0].pose.xyz[2]=1: there is no `models[0]` in systems.p: an item of a list is named \
             behind a point",
            "--set systems.p.models[arm].file=b: there is no `models[arm]` in systems.p: an item of a list is named \
             behind a point",
            "--set systems.p.models.arm.pose.rpy.1=1: the file has no list at systems.p.models.arm.pose.rpy: set the \
             whole list, as in systems.p.models.arm.pose.rpy=[0, 0, 0]",
            "--set systems.c.kp.2=1: there is no `2` in systems.c.kp",
        ]
    );
    let nested = "systems:\n  wheel: {type: diagram, file: w.yaml, repeat: 2}\n";
    assert_eq!(set(nested, &["systems.wheel[1].systems.a.gain=2"]).1, Vec::<String>::new());
}
