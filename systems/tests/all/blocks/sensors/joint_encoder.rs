//! Encoders of joints and motors.

use kinegraph_core::port::Tick;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_multibody::{Base, Inertia, Joint, JointKind, Link, Model, MultibodyPlant, PlantBuilder};
use kinegraph_systems::sensors::{JointEncoder, SampleSettings};
use nalgebra::{Matrix3, Vector3};

fn arm() -> MultibodyPlant {
    let inertia = Some(Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() });
    let link = |name: &str| Link { name: name.into(), inertia, ..Link::default() };
    let model = Model {
        links: ["base", "upper", "lower"].map(link).to_vec(),
        joints: vec![
            Joint::new("shoulder", JointKind::Continuous, "base", "upper"),
            Joint::new("elbow", JointKind::Continuous, "upper", "lower"),
        ],
        ..Model::default()
    };
    PlantBuilder::new().model("arm", model, Base::fixed()).build().unwrap()
}

#[test]
fn positions_are_counted_and_velocities_are_their_differences() {
    let count = std::f64::consts::TAU / 4096.0;
    let settings = SampleSettings { resolution: count.into(), ..SampleSettings::every(0.01) };
    let sensor = JointEncoder::new(&arm(), &["arm/elbow".into()], settings).unwrap();
    conformance::check(&sensor);
    let mut bench = Bench::new(&sensor);
    let mut readings = Vec::new();
    for k in 0..100 {
        let time = 0.01 * f64::from(k);
        let at = bench.clone().time(time).input(sensor.state, [9.0, 0.7 * time, 9.0, 0.7]);
        let discrete = at.update(Tick { index: 0 });
        bench = at.discrete(discrete);
        let (position, velocity) = (bench.eval(sensor.position)[0], bench.eval(sensor.velocity)[0]);
        assert!((position / count - (position / count).round()).abs() < 1e-9);
        assert!((position - 0.7 * time).abs() <= 0.5 * count + 1e-12);
        // One count more or less than the velocity.
        assert!(k == 0 && velocity == 0.0 || k > 0 && (velocity - 0.7).abs() <= count / 0.01);
        readings.push(velocity);
    }
    let mean = readings[1..].iter().sum::<f64>() / 99.0;
    assert!((mean - 0.7).abs() < count / 0.99, "{mean}");
}

#[test]
fn names_the_nearest_joint() {
    let fault = JointEncoder::new(&arm(), &["arm/elbw".into()], SampleSettings::every(0.01)).err().unwrap();
    let text = "the plant has no joint `arm/elbw` of one coordinate; did you mean `arm/elbow`?";
    assert_eq!(fault.to_string(), text);
}
