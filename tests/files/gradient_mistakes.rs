//! Mistakes in the section `gradient`: each message has the file, the line, the column, the name and the remedy.

use crate::section_mistakes::{Section, check};
use std::fs;

const TOP: &str = "\
kinegraph: 1
parameters: {m: 2 kg, kp: 5, twice: \"=2*$kp\"}
systems:
  plant:
    type: multibody_plant
    models: [{name: cart, file: cart.urdf, base: fixed}, {name: box, file: box.urdf, base: floating}]
  drive: {type: gain, gain: $kp, width: 1}
  goal: {type: constant, value: [1, 2]}
  one: {type: constant, value: 1}
  clock: {type: first_order_lag, time_constant: 0.2, initial: 1}
  bounded: {type: integrator, initial: 0, upper: 1}
connections: [one.output -> drive.input, drive.output -> plant.cart.actuation, one.output -> clock.input, one.output -> bounded.input]
simulation: {duration: 0.1}
gradient:
  of: [end(plant.cart.slide.q), time(touch body ground), \"time(bounded: limit[0])\"]
  by: [parameters.m, systems.clock.time_constant, initial(plant.box), systems.plant.models.box.links.body.mass=2]
  over_time: [plant.cart.slide.q]
  until: 0.05 s
";

const CART: &str = "<robot name='cart'><link name='rail'/><link name='box'><inertial><mass value='1'/>\
<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='slide' type='prismatic'>\
<parent link='rail'/><child link='box'/><axis xyz='1 0 0'/><limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>";
const BOX: &str = "<robot name='box'><link name='body'><inertial><mass value='1'/>\
<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>";

/// Text that is replaced, its replacement, the text at the place of the fault, the reason and the remedy.
type Mistake = [&'static str; 5];

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    ["end(plant.cart", "end(palnt.cart", "end(palnt", "gradient.of[0]: unknown block `palnt`", "did you mean `plant`?"],
    ["end(plant.cart.slide.q)", "end(plant.cart.slid.q)", "end(plant.cart.slid", "unknown channel of plant `cart.slid.q`", "did you mean `cart.slide.q`?"],
    ["end(plant", "last(plant", "last(plant", "`last(plant.cart.slide.q)`: expected end(CHANNEL), max(…)", "gradient.of[0]"],
    ["end(plant.cart.slide.q)", "plant.cart.slide.q", "plant.cart.slide.q", "expected end(CHANNEL), max(…)", "gradient.of[0]"],
    ["of: [end(plant.cart.slide.q), ", "of: [end(plant.cart.slide.q), end(plant.cart.slide.q), ", "end(plant.cart.slide.q), time", "is there already (line 15)", "gradient.of[1]"],
    ["time(bounded: limit[0])", "time(bounded: limt[0])", "\"time(bounded", "unknown event `bounded: limt[0]`", "did you mean `bounded: limit[0]`?"],
    ["time(touch body ground)", "time()", "time()", "expected time(EVENT)", "as in time(touch box ground)"],
    ["time(touch body ground)", "time(tuoch body ground)", "time(tuoch", "unknown event `tuoch body ground`", "valid here: bounded: "],
    ["parameters.m,", "parameters.mm,", "parameters.mm", "there is no `mm` in parameters", "did you mean `parameters.m`?"],
    ["parameters.m,", "m,", "m, systems", "there is no `m` at the top of the file", "did you mean `parameters.m`?"],
    ["parameters.m,", "parameters.twice,", "parameters.twice", "it is a formula", "differentiate by the parameters that it is made of"],
    ["parameters.m,", "parameters,", "parameters, systems", "name one of its keys: `m`, `kp` or `twice`", "gradient.by[0]"],
    ["parameters.m,", "clock.time_constant,", "clock.time_constant,", "there is no `clock` at the top of the file", "did you mean `systems.clock.time_constant`?"],
    ["systems.clock.time_constant", "systems.clock.time_constnat", "systems.clock.time_constnat", "there is no `time_constnat` in systems.clock", "did you mean `systems.clock.time_constant`?"],
    ["systems.clock.time_constant", "systems.clock.gain", "systems.clock.gain", "there is no `gain` in systems.clock", "If it has a default, give its value, as in systems.clock.gain=1"],
    ["systems.clock.time_constant", "systems.colck.gain", "systems.colck.gain", "there is no `colck` in systems", "gradient.by[1]"],
    ["systems.clock.time_constant", "systems.goal.value", "systems.goal.value", "it is a list: name one of its items", "`systems.goal.value.0` to `systems.goal.value.1`"],
    ["systems.clock.time_constant", "\"systems.goal.value[1]\"", "\"systems.goal.value[1]", "an item of a list is named by its number behind a point", "`systems.goal.value.1`"],
    ["systems.clock.time_constant", "\"systems.plant.models[1].pose.xyz[2]\"", "\"systems.plant.models[1]", "an item of a list is named", "`systems.plant.models.1.pose.xyz.2`"],
    ["systems.clock.time_constant", "systems.goal.value.2", "systems.goal.value.2", "systems.goal.value has the items 0 to 1", "gradient.by[1]"],
    ["systems.clock.time_constant", "systems.goal.vlaue.1", "systems.goal.vlaue.1", "the file has no list at systems.goal.vlaue", "did you mean `systems.goal.value.1`?"],
    ["systems.clock.time_constant", "systems.plant.models.box.links.body.com.0", "systems.plant.models.box.links.body.com.0", "the file has no list at systems.plant.models.box.links.body.com", "write it there"],
    ["systems.clock.time_constant", "systems.plant.models.box.pose.xyz", "systems.plant.models.box.pose.xyz", "if that is a list, write it in the file", "a number of it: `systems.plant.models.box.pose.xyz.0`"],
    ["systems.clock.time_constant", "systems.plant.models.box.pose.xyz.1", "systems.plant.models.box.pose.xyz.1", "the file has no list at systems.plant.models.box.pose.xyz", "write it there"],
    ["systems.clock.time_constant", "systems.clock.type", "systems.clock.type", "it is the text `first_order_lag`", "gradient.by[1]"],
    ["systems.clock.time_constant", "systems..gain", "systems..gain", "`systems..gain` is not a dotted path", "nor initial(STATE)"],
    ["systems.clock.time_constant", "end(plant.cart.slide.q)", "end(plant.cart.slide.q), initial", "is a measure, of which is differentiated", "`by` is a number of the file"],
    ["mass=2", "mass=two", "systems.plant.models.box.links.body.mass=two", "`two` is not a number", "mass=1"],
    ["mass=2", "mass", "systems.plant.models.box.links.body.mass", "it stands in another file, or has a default", "give its value, as in systems.plant.models.box.links.body.mass=1"],
    ["initial(plant.box)", "initial(plant.bxo)", "initial(plant.bxo)", "there is no state `plant.bxo`", "gradient.by[2]"],
    ["initial(plant.box)", "initial(plant.box.body.qx)", "initial(plant.box.body.qx)", "is a component of a quaternion", "`rx`, `ry`, `rz` in its place turn the body"],
    ["initial(plant.box)", "initial(plnat.box)", "initial(plnat.box)", "unknown block `plnat`", "did you mean `plant`?"],
    ["initial(plant.box)", "initial(plant.box", "initial(plant.box", "is not initial(STATE)", "as in initial(plant.box.x)"],
    ["over_time: [plant.cart.slide.q]", "over_time: [plant.cart.slide.p]", "plant.cart.slide.p", "unknown channel of plant", "did you mean `cart.slide.q`?"],
    ["over_time: [plant.cart.slide.q]", "over_time: plant.cart.slide.q", "plant.cart.slide.q\n  until", "expected a list of channels", "gradient.over_time"],
    ["over_time: [", "overtime: [", "overtime", "unknown key `overtime` in gradient", "did you mean `over_time`?"],
    ["until: 0.05 s", "until: 0", "0\n", "expected a time above 0", "found 0"],
    ["until: 0.05 s", "until: 5 m", "5 m", "expected a time that is not negative", "such as `20 ms`"],
    ["  by: [", "  by: []\n  be: [", "be: [", "unknown key `be` in gradient", "did you mean `by`?"],
    ["gradient:\n", "gradients:\n", "gradients:", "unknown key `gradients`", "did you mean `gradient`?"],
];

const SECTION: Section = Section { key: "gradient", top: TOP, others: &[("cart.urdf", CART), ("box.urdf", BOX)] };

#[test]
fn the_file_has_no_faults() {
    SECTION.has_no_faults();
}

#[test]
fn messages_have_the_place_the_reason_and_the_remedy() {
    SECTION.has_messages(MISTAKES, "be: [");
}

#[test]
fn all_faults_are_reported_together() {
    let (file, text) = SECTION.saved("together", ["plant.box)", "plant.bxo)"]);
    fs::write(&file, text.replacen("limit[0]", "limt[0]", 1)).expect("a file");
    let (code, _, err) = check(&file);
    assert!(code == 2 && err.contains("2 faults"), "{err}");
}
