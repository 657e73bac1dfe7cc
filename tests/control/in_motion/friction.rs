//! Friction and hysteresis in motion.

use super::{check, open};

/// A mass of 1 kg that slides out: with F_c = 2 and σ₂ = 1 it is v = (v₀ + 2) e^-t - 2 until it rests after ln((v₀ +
/// 2)/2); the smooth transition changes that by its speed.
#[test]
fn dry_and_viscous_friction_bring_a_mass_to_rest() {
    for friction in [
        "{type: friction, coulomb: 2, viscous: 1, transition_speed: 1.0e-6}",
        "{type: lugre_friction, coulomb: 2, viscous: 1, stiffness: 1.0e5}",
    ] {
        let mut simulation = open(
            &format!("friction: {friction}\nv: {{type: integrator, initial: 6}}"),
            "v.output -> friction.velocity
            friction.force -> v.input",
        );
        for t in [0.5_f64, 1.0, 1.3] {
            check(&mut simulation, t, &[("v.output", 8.0 * (-t).exp() - 2.0)], 1e-4);
        }
        // ln 4 = 1.386 s; bristles without damping swing for a while.
        check(&mut simulation, 1.5, &[("v.output", 0.0)], 1e-2);
    }
}

/// A mass that is pulled by a spring whose end moves slowly sticks and slips: it breaks away near F_s = 1.5, and no
/// force of the bristles is beyond that. (Canudas de Wit et al. 1995, section III: m = 1 kg, 2 N/m, 0.1 m/s.)
#[test]
fn lugre_friction_sticks_and_slips() {
    let mut simulation = open(
        "friction: {type: lugre_friction, coulomb: 1, breakaway: 1.5, stribeck_speed: 0.001, viscous: 0.4, \
         stiffness: 1.0e5, damping: 316}
        end: {type: ramp, slope: 0.1}
        v: {type: integrator}
        x: {type: integrator}
        stretch: {type: adder, signs: \"+-\"}
        spring: {type: gain, gain: 2}
        force: {type: adder, signs: \"++\"}",
        "end.output -> stretch.input0
        x.output -> stretch.input1
        stretch.output -> spring.input
        spring.output -> force.input0
        friction.force -> force.input1
        force.output -> v.input
        v.output -> x.input
        v.output -> friction.velocity",
    );
    // Before 1.5 N at 7.5 s it sticks: it creeps by x with σ₀ z = F_s (1 - exp(-σ₀ x/F_s)) = 1.4 N.
    check(&mut simulation, 7.0, &[("x.output", 1.5e-5 * 15.0_f64.ln())], 1e-6);
    let mut slips = 0;
    let (mut was_fast, mut most) = (false, 0.0_f64);
    for k in 0..600 {
        simulation.advance_to(7.0 + 0.05 * f64::from(k)).unwrap();
        let [v, force] = ["v.output", "spring.output"].map(|name| simulation.channel(name).unwrap());
        most = most.max(force);
        let is_fast = v > 0.1;
        slips += u32::from(is_fast && !was_fast);
        was_fast = is_fast;
    }
    assert!((1.45..1.51).contains(&most), "{most}");
    assert!((3..=9).contains(&slips), "{slips}");
}

/// Bouc-Wen with n = 1 and b = 1/2: on loading z = d (1 - e^(-x/d)), on unloading a line of the slope 1 down to zero.
#[test]
fn a_yielding_spring_loads_and_unloads_in_closed_form() {
    let mut simulation = open(
        "rate: {type: step, time: 2, initial: 0.5, final: -0.5}
        x: {type: integrator}
        spring: {type: hysteresis, stiffness: 100, yield_displacement: 0.4, yielded_stiffness_ratio: 0.1}",
        "rate.output -> x.input
        rate.output -> spring.rate
        x.output -> spring.displacement",
    );
    let loaded = |x: f64| 10.0 * x + 90.0 * 0.4 * (1.0 - (-x / 0.4).exp());
    check(&mut simulation, 0.6, &[("spring.force", loaded(0.3))], 1e-7);
    check(&mut simulation, 2.0, &[("spring.force", loaded(1.0))], 1e-7);
    check(&mut simulation, 2.2, &[("spring.force", loaded(1.0) - 100.0 * 0.1)], 1e-7);
}

/// Heated by 30 W behind 2 K/W, 50 J/K: 20 + 60 (1 - e^(-t/100)).
#[test]
fn a_thermal_mass_warms_up() {
    let mut simulation = open(
        "heat: {type: constant, value: 30}
        room: {type: constant, value: 20}
        winding: {type: thermal, capacity: 50, resistance: 2, initial: 20}",
        "heat.output -> winding.heat
        room.output -> winding.ambient",
    );
    for t in [10.0_f64, 60.0] {
        let rise = 60.0 * (1.0 - (-t / 100.0).exp());
        check(&mut simulation, t, &[("winding.temperature", 20.0 + rise), ("winding.loss", rise / 2.0)], 1e-7);
    }
}
