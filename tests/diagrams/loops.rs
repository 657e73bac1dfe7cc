//! Algebraic loops are found and printed port by port.

use super::blocks::Mixer;
use kinegraph::diagram::{BuildError, DiagramBuilder};
use kinegraph_systems::operators::{Adder, Gain, Integrator};

#[test]
fn a_loop_is_printed_port_by_port_with_advice() {
    let mut b = DiagramBuilder::new("loop");
    let sum = b.add("sum", Adder::new(1, [1.0, -1.0]).unwrap());
    let p = b.add("p", Gain::new(1, 2.0).unwrap());
    b.fix(sum.inputs[0], [1.0]);
    b.connect(p.output, sum.inputs[1]);
    b.connect(sum.output, p.input);
    let errors = b.build().unwrap_err();
    assert_eq!(errors.0.len(), 1);
    let text = errors.to_string();
    assert!(
        text.contains(
            "algebraic loop: sum.output -> p.input (p.output depends directly on p.input) -> sum.input1 (sum.output depends \
             directly on sum.input1)"
        ),
        "{text}"
    );
    assert!(text.contains("integrator") && text.contains("no_feedthrough"), "{text}");
}

#[test]
fn a_block_that_feeds_itself_is_a_loop() {
    let mut b = DiagramBuilder::new("loop");
    let gain = b.add("gain", Gain::new(1, 2.0).unwrap());
    b.connect(gain.output, gain.input);
    let errors = b.build().unwrap_err();
    assert!(errors.to_string().contains("gain.output -> gain.input (gain.output depends directly on gain.input)"));
}

#[test]
fn separate_loops_are_separate_faults_and_each_is_a_shortest_one() {
    let mut b = DiagramBuilder::new("loops");
    // A ring of four, with a chord that closes a loop of two through the first block.
    let ring: Vec<_> = (0..4).map(|i| b.add(format!("ring{i}"), Mixer::new(2, &[vec![0, 1]], None, true))).collect();
    for i in 0..4 {
        b.connect(ring[i].outputs[0], ring[(i + 1) % 4].inputs[0]);
    }
    b.connect(ring[1].outputs[0], ring[0].inputs[1]);
    let own = b.add("own", Mixer::direct());
    b.connect(own.outputs[0], own.inputs[0]);
    let errors = b.build().unwrap_err();
    let lengths: Vec<usize> = errors
        .0
        .iter()
        .map(|fault| match fault {
            BuildError::AlgebraicLoop { hops } => {
                for (i, hop) in hops.iter().enumerate() {
                    assert_eq!(hop.next, hops[(i + 1) % hops.len()].output);
                }
                hops.len()
            }
            fault => panic!("{fault}"),
        })
        .collect();
    assert_eq!(lengths, [2, 1]);
}

#[test]
fn state_breaks_a_loop() {
    let mut b = DiagramBuilder::new("decay");
    let gain = b.add("gain", Gain::new(1, -2.0).unwrap());
    let x = b.add("x", Integrator::new([1.0]).unwrap());
    b.connect(gain.output, x.input);
    b.connect(x.output, gain.input);
    assert!(b.build().is_ok());
}

#[test]
fn declared_feedthrough_breaks_a_loop_between_two_blocks() {
    // a.y1 <- b.y0 <- a.y0: the blocks feed each other, their outputs do not.
    let mut b = DiagramBuilder::new("zigzag");
    let first = b.add("a", Mixer::new(1, &[vec![], vec![0]], None, false));
    let second = b.add("b", Mixer::direct());
    b.connect(first.outputs[0], second.inputs[0]);
    b.connect(second.outputs[0], first.inputs[0]);
    let diagram = b.build().unwrap();
    let order: Vec<(usize, Vec<bool>)> =
        diagram.schedule().calls.iter().map(|call| (call.block, call.wanted.clone())).collect();
    assert_eq!(order, [(0, vec![true, false]), (1, vec![true]), (0, vec![false, true])]);
}
