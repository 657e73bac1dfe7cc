//! Contact of fibres against closed forms of rolling.

use crate::common::*;
use kinegraph::integrators::Options;
use kinegraph::systems::multibody::PlantBuilder;
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreMaterial, Section};
use nalgebra::Vector3;
use std::f64::consts::PI;

/// Two fibres between the ground and a plate are rollers: the plate is twice as fast as they are. Under the part a of
/// gravity along the ground it has `(M + m/2) a/(M + 3 m/8)`, where m is the mass of both fibres together.
#[test]
fn fibres_between_plates_are_rollers() {
    let (plate, radius, length, density, pull, end) = (1.0, 0.01, 0.2, 7800.0, 0.4, 0.5);
    let fibre = |name: &str, x: f64| {
        let line = [-0.5 * length, 0.5 * length].map(|y| Vector3::new(x, y, radius)).to_vec();
        let material = FibreMaterial::isotropic(1e9, 0.3, density);
        Fibre::new(name, Curve::Polyline(line), 8, Section::Circle { radius }, material)
    };
    let plant = || {
        PlantBuilder::new()
            .gravity([pull, 0.0, -9.81])
            .ground(0.0)
            .contact(contact(1e6, 10.0, 0.5))
            .fibre(fibre("back", -0.1))
            .fibre(fibre("front", 0.1))
            .model("plate", cuboid(plate, [0.3, 0.15, 0.01]), at(0.0, 0.0, 2.0 * radius + 0.01))
    };
    let fibres = 2.0 * density * PI * radius * radius * length;
    let speed = (plate + 0.5 * fibres) / (plate + 0.375 * fibres) * pull * end;
    for options in
        [icf(1e-3), cenic(1e-3), Options::cenic_trapezoid(1e-3), Options::sap(1e-3), Options::theta_gamma(1e-3)]
    {
        let mut simulation = run(&alone(plant()), options, end);
        let found = velocity(&mut simulation, "plate").1.x;
        assert!((found / speed - 1.0).abs() < 2e-3, "{found} m/s, not {speed}: {options:?}");
        for node in 0..=8 {
            let mut rate = |c: &str| simulation.channel(&format!("plant.back.n{node}.velocity.{c}")).unwrap();
            let (rolled, turned) = (rate("vx") / (0.5 * speed), rate("wy") * radius / (0.5 * speed));
            assert!((rolled - 1.0).abs() < 5e-3 && (turned - 1.0).abs() < 5e-3, "{node}: {rolled} {turned}");
        }
    }
}
