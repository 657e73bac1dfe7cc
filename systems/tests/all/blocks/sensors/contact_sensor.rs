//! Sensors of contact force.

use super::two_bodies::{at, plant};
use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::sensors::{ContactSensor, SampleSettings};
use nalgebra::{UnitQuaternion, Vector3};

#[test]
fn reads_the_force_and_feels_it_above_the_threshold() {
    let up = UnitQuaternion::from_scaled_axis(Vector3::x() * std::f64::consts::FRAC_PI_2);
    for (threshold, touching) in [(0.0, 1.0), (4.9, 1.0), (5.1, 0.0)] {
        let sensor = ContactSensor::new(&plant(), "drone/body", up, threshold, SampleSettings::every(0.1)).unwrap();
        conformance::check(&sensor);
        let forces = [[9.0; 6], [1.0, 1.0, 1.0, 0.0, 4.0, 3.0]].concat();
        let bench = Bench::new(&sensor)
            .input(sensor.body_poses, [at(0.0, 0.0, 0.0), at(1.0, 2.0, 3.0)].concat())
            .input(sensor.contact_results, forces);
        let discrete = bench.update(Tick { index: 0 });
        let bench = bench.discrete(discrete);
        let force = Vector3::from_column_slice(&bench.eval(sensor.force));
        assert!((force - Vector3::new(0.0, 3.0, -4.0)).norm() < 1e-14, "{force}");
        assert_eq!(bench.eval(sensor.touching), [touching]);
    }
}
