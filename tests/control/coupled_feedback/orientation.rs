//! Feedback on an orientation acts the same about every axis.

use crate::common::*;
use kinegraph::diagram::DiagramBuilder;
use kinegraph::integrators::Options;
use kinegraph::linearize::Feedback;
use kinegraph::systems::multibody::{Base, Inertia, Link, Model};
use kinegraph::systems::{Context, Dyn, In, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar};
use nalgebra::{Isometry3, Matrix3, Vector3};

/// `f = -200 vec(quaternion) - w` on the angular velocities of a free body.
struct Attitude {
    measured: In<MultibodyState>,
    force: Out<Dyn>,
    ports: Ports,
}

impl LeafSystem for Attitude {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let x = ctx.get(self.measured);
        for (i, f) in out.slice(self.force)[..3].iter_mut().enumerate() {
            *f = S::constant(-200.0) * x[1 + i] - x[7 + i];
        }
    }
}

#[test]
fn the_gain_on_a_quaternion_is_the_same_about_every_axis() {
    // From rest, h tau = (1 + h K) v. About any axis K = kd + h kp cos(angle/2): the part of K that is not symmetric
    // turns about the axis itself.
    let a = Vector3::new(0.3, 0.2, 0.1);
    let (h, angle) = (0.01, a.norm());
    let body = Link {
        name: "body".into(),
        inertia: Some(Inertia { mass: 1.0, p_BoBcm: Vector3::zeros(), I_BBcm: Matrix3::identity() }),
        ..Link::default()
    };
    let model = Model { name: "body".into(), links: vec![body], ..Model::default() };
    let mut b = DiagramBuilder::new("attitude");
    let pose = Isometry3::new(Vector3::zeros(), a);
    let plant = b.add("plant", weightless().model("b", model, Base::floating(pose)).build().unwrap());
    let mut ports = Ports::new();
    let (measured, force) = (ports.input_of_width("measured", 13), ports.output_of_width("force", 6));
    let attitude = b.add("attitude", Attitude { measured, force, ports });
    b.connect(plant.full_state(), attitude.measured);
    b.connect(attitude.force, plant.applied_generalized_force("b"));
    let diagram = b.build().unwrap();
    let exact = 1.0 + h * 100.0 * (0.5 * angle).cos();
    assert!((exact - 1.98255).abs() < 5e-6);
    for feedback in [Feedback::Full, Feedback::Diagonal] {
        let simulation = run(&diagram, Options { feedback, ..icf(h) }, h);
        for i in 0..3 {
            let torque = -200.0 * (0.5 * angle).sin() * a[i] / angle;
            let gain = (h * torque / simulation.state().continuous[7 + i] - 1.0) / h;
            assert!((gain - exact).abs() < 1e-5, "{gain} instead of {exact} about axis {i}");
        }
    }
}
