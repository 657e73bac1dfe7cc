//! Steps of every method of the table do not allocate once all paths were taken.

use crate::common::*;
use crate::diagrams::{arm, check_convex_steps, servo};
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{METHODS, Options};
use kinegraph::systems::multibody::plant::{Attachment, Constraint};
use kinegraph::systems::multibody::{Base, PlantBuilder};

/// Bodies in contact, a joint on its stop, a compliant rope, a lock.
fn scene() -> Diagram {
    let mut rail = slider(1.0);
    rail.joints[0].limits = (-0.01, 0.1);
    let rope =
        Constraint::distance("rope", Attachment::at("a/body", [0.0; 3]), Attachment::at("b/body", [0.0; 3]), 0.3);
    let plant = PlantBuilder::new()
        .gravity([0.5, 0.0, -9.81])
        .ground(0.0)
        .contact(contact(1e4, 10.0, 0.5))
        .model("a", block(), at(0.0, 0.0, 0.061))
        .model("b", ball(1.0, 0.1), thrown([0.0, 0.0, 0.3], [1.0, 2.0, 3.0], [0.3, 0.0, -1.0]))
        .model("rail", rail, Base::fixed())
        .initial("rail/x", 0.099, 0.5)
        .model("arm", double_pendulum(), Base::fixed())
        .lock("arm/j2", true)
        .constraint(rope.compliant(100.0, 1.0));
    alone(plant)
}

#[test]
fn steps_of_no_method_allocate_after_the_first() {
    for method in METHODS {
        let mut options = Options::from(method);
        // Short against the springs that stand for what is rigid.
        options.step = options.step.map(|_| 5e-5);
        for diagram in [servo(), arm(30.0), scene()] {
            println!("{} by {}", diagram.name(), method.name);
            check_convex_steps(&diagram, options);
        }
    }
}
