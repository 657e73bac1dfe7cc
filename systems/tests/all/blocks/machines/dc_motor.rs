//! Brushed motors behind gears, as drives of joints.

use kinegraph_core::LeafSystem;
use kinegraph_core::port::Witness;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::machines::{DcMotor, DcMotorSettings};

fn geared() -> DcMotorSettings {
    DcMotorSettings { gear_ratio: 50.0.into(), efficiency: 0.8.into(), ..DcMotorSettings::new(2.0, [0.01, 0.0], 0.05) }
}

#[test]
fn conforms() {
    conformance::check(&DcMotor::new(2, DcMotorSettings::new(1.5, [0.01, 0.02], 0.5)).unwrap());
    let limits = DcMotorSettings {
        current_limit: Some(0.3.into()),
        voltage_limit: Some(0.7.into()),
        back_emf_constant: Some(0.04.into()),
        reversal_speed: 0.5.into(),
        ..geared()
    };
    conformance::check(&DcMotor::new(2, limits).unwrap());
    // All of the currents are state: the torque depends on the speed through the gear alone.
    let settings = DcMotorSettings { inductance: 0.02.into(), ..geared() };
    let motor = DcMotor::new(3, settings).unwrap();
    conformance::check(&motor);
    assert!(!motor.ports().outputs()[motor.torque.index].feedthrough.contains(motor.voltage.index));
}

/// Stall torque N k_t U/R, no-load speed U/(k_e N), time constant L/R.
#[test]
fn has_the_figures_of_its_data_sheet() {
    let settings = DcMotorSettings { gear_ratio: 50.0.into(), ..DcMotorSettings::new(2.0, [0.01, 0.0], 0.05) };
    let motor = DcMotor::new(2, settings).unwrap();
    let bench = Bench::new(&motor).input(motor.voltage, [24.0, 24.0]);
    let stalled = bench.clone().input(motor.velocity, [0.0, 0.0]).state([12.0]);
    assert_eq!(stalled.eval(motor.current), [12.0, 12.0]);
    assert_eq!(stalled.eval(motor.torque), [30.0, 30.0]);
    assert_eq!(stalled.derivatives(), [0.0]);
    // The current decays with 1/(0.01 H/2 Ω) = 200/s.
    assert_eq!(stalled.state([13.0]).derivatives(), [-200.0]);
    let unloaded = bench.input(motor.velocity, [9.6, 9.6]).state([0.0]);
    assert!(unloaded.eval(motor.torque).iter().chain(&unloaded.derivatives()).all(|x| x.abs() < 1e-12));
}

#[test]
fn a_lossy_gear_loses_power_in_both_directions() {
    let motor = DcMotor::new(2, geared()).unwrap();
    let torque = |speed: f64, current: f64| {
        let bench = Bench::new(&motor).input(motor.voltage, [0.0, 0.0]).input(motor.velocity, [speed, 0.0]);
        bench.state([current]).eval(motor.torque)[0]
    };
    let ideal = 50.0 * 0.05 * 3.0;
    for (speed, current, expected) in
        [(1.0, 3.0, 0.8 * ideal), (-1.0, -3.0, -0.8 * ideal), (-1.0, 3.0, ideal / 0.8), (1.0, -3.0, -ideal / 0.8)]
    {
        assert!((torque(speed, current) - expected).abs() < 1e-12);
    }
    // Less than half of the loss where it turns slowly; none at rest.
    assert_eq!(torque(0.0, 3.0), ideal);
    assert!((torque(0.005, 3.0) - 0.8_f64.powf(0.5_f64.tanh()) * ideal).abs() < 1e-12);
}

#[test]
fn limits_hold() {
    let settings = DcMotorSettings {
        current_limit: Some(5.0.into()),
        voltage_limit: Some(20.0.into()),
        ..DcMotorSettings::new(2.0, [0.01, 0.0], 0.05)
    };
    let motor = DcMotor::new(2, settings).unwrap();
    let bench = Bench::new(&motor).input(motor.voltage, [100.0, 100.0]).input(motor.velocity, [0.0, 0.0]);
    // 20 V less 2 Ω x 1 A over 0.01 H; the current of the other is at its limit at once.
    assert_eq!(bench.clone().state([1.0]).derivatives(), [1800.0]);
    assert_eq!(bench.clone().state([5.0]).eval(motor.current), [5.0, 5.0]);
    let beyond = bench.state([5.0 + 1e-12]);
    assert!(beyond.witnesses()[0] > 0.0);
    let (current, mode) = beyond.reset(Witness { index: 0 });
    assert_eq!((&current, &mode), (&vec![5.0], &vec![1.0]));
    let held = beyond.state(&current).discrete(&mode);
    assert_eq!(held.derivatives(), [0.0]);
    let braked = held.input(motor.voltage, [-4.0, 0.0]);
    assert_eq!(braked.derivatives(), [-1400.0]);
    assert!(braked.witnesses()[1] > 0.0);
}

#[test]
fn arguments_out_of_range_are_named_in_the_fault() {
    let fault = |settings| DcMotor::new(2, settings).err().unwrap().to_string();
    let efficiency = DcMotorSettings { efficiency: [0.5, 1.5].into(), ..geared() };
    assert_eq!(fault(efficiency), "efficiency[1] is 1.5, expected a number above 0 and at most 1");
    let ratio = DcMotorSettings { gear_ratio: 0.0.into(), ..geared() };
    assert_eq!(fault(ratio), "gear_ratio[0] is 0, expected a number other than 0");
    let inductance = DcMotorSettings { inductance: (-1.0).into(), ..geared() };
    assert_eq!(fault(inductance), "inductance[0] is -1, expected a number that is not negative");
    let limit = DcMotorSettings { current_limit: Some(0.0.into()), ..geared() };
    assert_eq!(fault(limit), "current_limit[0] is 0, expected a number above 0");
}
