//! Numbers of a port that the end of a wire names.

use kinegraph_core::signal::MultibodyState;
use kinegraph_core::{Dyn, Ports};
use kinegraph_diagram::selection::{Places, find_input, find_output, missing};

/// A plant with an arm of two joints and a ball that floats.
fn plant() -> Ports {
    let mut ports = Ports::new();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let arm = ["arm.shoulder.q", "arm.elbow.q", "arm.shoulder.v", "arm.elbow.v"];
    let ball = ["ball.base.qw", "ball.base.px", "ball.base.wx", "ball.base.vx"];
    for (name, elements) in [("arm.state", &arm[..]), ("ball.state", &ball[..])] {
        let port = ports.output_of_width::<MultibodyState>(name, elements.len());
        ports.name_elements(port, names(elements));
    }
    let all = ports.output_of_width::<MultibodyState>("state", 8);
    ports.name_elements(all, names(&[&arm[..], &ball[..]].concat()));
    let efforts = ports.output_of_width::<Dyn>("net_actuation", 2);
    ports.name_elements(efforts, names(&["arm.shoulder.net_actuation", "arm.elbow.net_actuation"]));
    ports.output_of_width::<Dyn>("plain", 3);
    let actuation = ports.optional_input_of_width::<Dyn>("arm.actuation", 2);
    ports.name_input_elements(actuation, names(&["arm.shoulder", "arm.elbow"]));
    ports.input_of_width::<Dyn>("u", 3);
    ports
}

#[test]
fn outputs_are_named_by_port_element_joint_and_model() {
    for (text, port, of) in [
        ("arm.state", 0, None),
        ("arm.state[1:3]", 0, Some(vec![1, 2])),
        ("arm.state[elbow.v, elbow.q]", 0, Some(vec![3, 1])),
        ("arm.shoulder.v", 0, Some(vec![2])),
        ("arm.elbow", 0, Some(vec![1, 3])),
        ("arm.elbow[1]", 0, Some(vec![3])),
        ("arm[1]", 0, Some(vec![1, 3])),
        ("arm[0:2]", 0, Some(vec![0, 1, 2, 3])),
        ("arm[elbow, shoulder]", 0, Some(vec![1, 0, 3, 2])),
        ("ball[0]", 1, Some(vec![0, 1, 2, 3])),
        ("net_actuation[elbow]", 3, Some(vec![1])),
        ("plain[:]", 4, Some(vec![0, 1, 2])),
    ] {
        assert_eq!(find_output(&plant(), text), Ok(Some(Places { port, of })), "{text}");
    }
    assert_eq!(find_output(&plant(), "leg.state[0]"), Ok(None));
}

#[test]
fn inputs_are_named_by_port_and_model() {
    for (text, port, of) in [
        ("u[0, 2]", 1, Some(vec![0, 2])),
        ("arm[1]", 0, Some(vec![1])),
        ("arm.actuation[elbow]", 0, Some(vec![1])),
        ("u", 1, None),
    ] {
        assert_eq!(find_input(&plant(), text), Ok(Some(Places { port, of })), "{text}");
    }
    assert_eq!(missing(&plant(), 0, &[true, false]), ["arm.elbow"]);
    assert_eq!(missing(&plant(), 1, &[true, false, false]), ["u[1]", "u[2]"]);
}

#[test]
fn unknown_parts_are_faults_with_the_valid_ones() {
    for (text, expected) in [
        ("plain[3]", "there is no plain[3]: it has plain[0] to plain[2]"),
        ("plain[1:5]", "there is no plain[4]"),
        ("arm[2:]", "there is no arm[2]"),
        ("arm.state[elbw.q]", "no element `elbw.q`; did you mean `elbow.q`?"),
        ("arm[wrist]", "(arm.shoulder, arm.elbow)"),
    ] {
        let fault = find_output(&plant(), text).unwrap_err();
        assert!(fault.contains(expected), "{text}: {fault}");
    }
    assert_eq!(find_input(&plant(), "u[1, 0:2]"), Err("u[1] is named twice".into()));
}
