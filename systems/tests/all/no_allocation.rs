//! Blocks do not allocate when they are evaluated: controllers and plants run thousands of times per step of a
//! simulation.

use kinegraph_systems::control::{
    AntiWindup, EndEffector, ImpedanceController, ImpedanceSettings, InverseDynamicsController, Lqr, Mixer,
    OperationalSpaceController, OperationalSpaceSettings, Overload, Pid, Pid2Dof, PidOnError, PidSettings,
    SetpointWeights,
};
use kinegraph_systems::dynamics::{
    Backlash, Band, Butterworth, FirstOrderLag, Friction, IntegratorSettings, LeadLag, LugreFriction, Notch, Restart,
    SecondOrder, Sliding, TransferFunction, TransportDelay, VariableDelay, ZeroOrderHold,
};
use kinegraph_systems::machines::{DcMotor, DcMotorSettings};
use kinegraph_systems::operators::{Adder, Gain, Integrator, Quaternion, QuaternionOperation};
use kinegraph_systems::port::Crossing;
use kinegraph_systems::sources::{Constant, Trajectory, WaypointSettings, Waypoints};
use kinegraph_systems::system::ErasedScalar;
use kinegraph_systems::testing::Sample;
use kinegraph_systems::{Context, ErasedSystem, Jet, Outputs, Sampling};
use nalgebra::DMatrix;

/// Number of allocations by outputs and derivatives, after one call.
fn allocations<S: ErasedScalar>(block: &dyn ErasedSystem) -> u64 {
    let sample = Sample::random(block, 0);
    let mut values: Vec<S> = Vec::new();
    let inputs: Vec<_> = sample
        .inputs
        .iter()
        .map(|input| {
            input.as_ref().map(|input| {
                values.extend(input.iter().map(|&value| S::constant(value)));
                values.len() - input.len()..values.len()
            })
        })
        .collect();
    let state: Vec<S> = sample.state.iter().map(|&value| S::constant(value)).collect();
    let ports = block.ports();
    let mut outputs = vec![S::zero(); ports.outputs_width()];
    let mut derivatives = vec![S::zero(); state.len()];
    let wanted = vec![true; ports.outputs().len()];
    let mut run = || {
        let context = Context::new(S::constant(sample.time), &state, &values, &inputs).with_discrete(&sample.discrete);
        S::outputs(block, &context, &mut Outputs::new(ports, &mut outputs, &wanted));
        S::derivatives(block, &context, &mut derivatives);
    };
    run();
    allocation_counter::measure(run).count_total
}

fn check(block: &dyn ErasedSystem) {
    assert_eq!((allocations::<f64>(block), allocations::<Jet>(block)), (0, 0));
}

#[test]
fn small_blocks_do_not_allocate() {
    check(&Constant::new([1.0, 2.0]).unwrap());
    check(&Trajectory::new(vec![0.0, 2.0], vec![vec![1.0, 2.0], vec![2.0, 0.0]]).unwrap());
    check(&Gain::new(3, 2.0).unwrap());
    check(&Adder::new(3, [1.0, -1.0]).unwrap());
    check(&Integrator::new([1.0, 2.0]).unwrap());
    check(&Pid::new(3, 1.0, 2.0, 3.0).unwrap());
}

#[test]
fn blocks_with_memory_do_not_allocate() {
    let limits = IntegratorSettings {
        lower: Some((-2.0).into()),
        upper: Some(2.0.into()),
        reset: Some(Restart::on(Crossing::Rising)),
    };
    check(&Integrator::with([0.0, 1.0], limits).unwrap());
    check(&FirstOrderLag::new(2, 0.1, 1.0, 0.0).unwrap());
    check(&SecondOrder::new(2, 1.0, 1.0, 1.0, 0.0).unwrap());
    check(&TransferFunction::new(&[1.0, 2.0], &[1.0, 3.0, 2.0]).unwrap());
    check(&TransportDelay::new(2, 0.3, 0.1, 0.0).unwrap());
    check(&ZeroOrderHold::new(2, Sampling::every(0.1), 0.0).unwrap());
    check(&Lqr::new(DMatrix::identity(2, 2)).unwrap());
    let anti_windup = AntiWindup::BackCalculation(None);
    let settings = PidSettings { upper: Some(0.1.into()), anti_windup, ..PidSettings::new(3.0, 2.0, 1.0) };
    check(&Pid::with(2, settings.clone()).unwrap());
    check(&PidOnError::new(2, settings).unwrap());
}

#[test]
fn filters_and_nonlinear_blocks_do_not_allocate() {
    check(&Notch::new(2, 3.0, 0.5, 0.0).unwrap());
    check(&LeadLag::new(2, 0.5, 0.1, 1.0).unwrap());
    for band in [Band::Low(3.0), Band::High(3.0), Band::Between(2.0, 5.0)] {
        check(&Butterworth::new(2, 5, band).unwrap());
    }
    let [coulomb, breakaway, stribeck_speed, viscous] = [1.0, 1.5, 0.01, 0.4].map(Into::into);
    let sliding = Sliding { coulomb, breakaway, stribeck_speed, viscous };
    check(&Friction::new(2, sliding.clone(), 1e-3).unwrap());
    check(&LugreFriction::new(2, sliding, 1e5, 300.0).unwrap());
    check(&Backlash::new(2, 0.1, 0.0).unwrap());
    check(&VariableDelay::new(2, 0.3, 0.1, 0.0).unwrap());
    let weights = SetpointWeights { b: 0.7.into(), c: 0.0.into() };
    check(&Pid2Dof::new(2, PidSettings::new(3.0, 2.0, 1.0), weights, true).unwrap());
    let rows = vec![vec![1.0, 2.0], vec![3.0, 4.0]];
    check(&Mixer::new(rows, Some((-1.0).into()), Some(1.0.into()), Overload::Scale).unwrap());
    check(&Quaternion::new(QuaternionOperation::Slerp));
    check(&Waypoints::new(&[vec![0.0], vec![1.0]], WaypointSettings::new(1.0, 2.0)).unwrap());
}

#[test]
fn an_allocation_is_noticed() {
    assert_eq!(allocation_counter::measure(|| drop(std::hint::black_box(vec![0.0; 3]))).count_total, 1);
}

#[test]
fn controllers_with_a_model_do_not_allocate() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/urdf/arm.urdf");
    let model = kinegraph_systems::models::read_urdf(&file).unwrap().model;
    let end_effector = EndEffector::new(&model.links.last().unwrap().name);
    let gravity = [0.0, 0.0, -9.81];
    check(&InverseDynamicsController::new(&model, gravity, 100.0, 0.0, 20.0).unwrap());
    let settings = ImpedanceSettings {
        nullspace_stiffness: 10.0.into(),
        ..ImpedanceSettings::new(end_effector.clone(), (1e3, 50.0), (50.0, 5.0))
    };
    check(&ImpedanceController::new(&model, gravity, settings).unwrap());
    let settings = OperationalSpaceSettings::new(end_effector, 100.0, 20.0);
    check(&OperationalSpaceController::new(&model, gravity, settings).unwrap());
}

#[test]
fn motors_do_not_allocate() {
    let settings = DcMotorSettings { efficiency: 0.8.into(), ..DcMotorSettings::new(1.0, [0.01, 0.0], 0.05) };
    check(&DcMotor::new(2, DcMotorSettings { current_limit: Some(3.0.into()), ..settings }).unwrap());
}
