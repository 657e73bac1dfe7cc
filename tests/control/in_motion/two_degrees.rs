//! PID control with two degrees of freedom in a loop.

use super::{check, open};

/// A plant 1/s under kp = 2, ki = 1 has the poles -1, -1: its answer to a step of the reference is 1 - e^-t (1 + t) + 2
/// b t e^-t, its answer to a load t e^-t whatever b is.
#[test]
fn the_reference_is_weighted_and_the_load_is_not() {
    for b in [0.0, 0.5, 1.0] {
        for (reference, load) in [(1.0, 0.0), (0.0, 1.0)] {
            let mut simulation = open(
                &format!(
                    "goal: {{type: constant, value: {reference}}}
                    load: {{type: constant, value: {load}}}
                    pid: {{type: pid_2dof, kp: 2, ki: 1, b: {b}}}
                    force: {{type: adder, signs: \"++\"}}
                    plant: {{type: integrator}}"
                ),
                "goal.output -> pid.reference
                plant.output -> pid.measured
                pid.effort -> force.input0
                load.output -> force.input1
                force.output -> plant.input",
            );
            for t in [0.3_f64, 1.0, 4.0] {
                let decay = (-t).exp();
                let expected = reference * (1.0 - decay * (1.0 + t) + 2.0 * b * t * decay) + load * t * decay;
                check(&mut simulation, t, &[("plant.output", expected)], 1e-8);
            }
        }
    }
}

/// Manual from 1 s to 2 s: there the plant 1/s integrates the effort 0.25. After it, the effort goes on from 0.25: the
/// loop of kp = 2, ki = 1 starts with the error e₁ and the rate of the plant 0.25, which is e = (e₁ + (e₁ - 0.25) s)
/// e^-s.
#[test]
fn manual_mode_ends_without_a_jump() {
    let mut simulation = open(
        "goal: {type: constant, value: 1}
        by_hand: {type: pulse, period: 100, width_fraction: 0.01, delay: 1}
        hand: {type: constant, value: 0.25}
        pid: {type: pid_2dof, kp: 2, ki: 1, manual: true}
        plant: {type: integrator}",
        "goal.output -> pid.reference
        plant.output -> pid.measured
        by_hand.output -> pid.manual
        hand.output -> pid.track
        pid.effort -> plant.input",
    );
    let before = 1.0 - (-1.0_f64).exp() * 2.0 + 2.0 * (-1.0_f64).exp();
    check(&mut simulation, 1.0 - 1e-9, &[("plant.output", before)], 1e-8);
    check(&mut simulation, 1.5, &[("plant.output", before + 0.125), ("pid.effort", 0.25)], 1e-8);
    check(&mut simulation, 2.0 + 1e-9, &[("pid.effort", 0.25)], 1e-8);
    let error = 1.0 - before - 0.25;
    for s in [0.4_f64, 1.0, 3.0] {
        let expected = 1.0 - (error + (error - 0.25) * s) * (-s).exp();
        check(&mut simulation, 2.0 + s, &[("plant.output", expected)], 1e-8);
    }
}
