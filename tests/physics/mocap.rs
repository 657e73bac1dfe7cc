//! Bodies that are moved from outside: an input for their pose, welds that follow it.

use crate::common::*;
use kinegraph::diagram::DiagramBuilder;
use kinegraph::simulate::Simulation;
use kinegraph::systems::models::{LoadOptions, parse_mjcf};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::{Quaternion, UnitQuaternion};

/// A box that floats without gravity, welded to a body that is moved; in whichever order they are named.
fn text(order: &str) -> String {
    format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody>
        <body name="hand" mocap="true" pos="0.1 0 0.5"/>
        <body name="box" pos="0.3 0 0.5"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="0.1 0.1 0.1"/></body>
        </worldbody><equality><weld name="grip" {order}/></equality></mujoco>"#
    )
}

#[test]
fn a_body_welded_to_a_mocap_body_follows_it() {
    for order in [r#"body1="hand" body2="box""#, r#"body1="box" body2="hand""#] {
        let model =
            parse_mjcf(&text(order), "mocap.xml", &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model;
        let plant = PlantBuilder::new().gravity([0.0; 3]).model("m", model, Base::fixed()).build().unwrap();
        let mut b = DiagramBuilder::new("mocap");
        b.add("plant", plant);
        let turn = UnitQuaternion::from_euler_angles(0.0, 0.0, 0.6);
        b.fix_path("plant.m.hand.pose", [0.4, 0.2, 0.9, turn.w, turn.i, turn.j, turn.k]);
        let diagram = b.build().unwrap();
        let mut simulation = Simulation::new(&diagram, cenic(1e-4)).unwrap();
        simulation.advance_to(2.0).unwrap();
        let q = &simulation.state().continuous[..7];
        // 0.2 m ahead of the hand, along its own x axis.
        let expected = [0.4 + 0.2 * 0.6_f64.cos(), 0.2 + 0.2 * 0.6_f64.sin(), 0.9];
        for (q, expected) in q[4..].iter().zip(expected) {
            assert!((q - expected).abs() < 1e-3, "{q} instead of {expected} ({order})");
        }
        let found = UnitQuaternion::from_quaternion(Quaternion::new(q[0], q[1], q[2], q[3]));
        assert!(found.angle_to(&turn) < 1e-3, "{found} ({order})");
    }
}
