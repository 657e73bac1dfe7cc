//! Dry friction of joints against closed forms: it stops motion in finite time, holds loads below its limit, and
//! dissipates the right energy.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{OfOptions, Options, method};
use kinegraph::simulate::Simulation;
use kinegraph::systems::models::parse_urdf;
use kinegraph::systems::multibody::{Base, PlantBuilder};
use kinegraph::systems::operators::Gain;

const MASS: f64 = 2.0;
const FRICTION: f64 = 3.0;

/// A carriage on a rail with dry friction, on which a constant force acts along the rail (gravity, turned).
fn carriage(force: f64, speed: f64) -> Diagram {
    let mut model = slider(MASS);
    model.joints[0].friction = FRICTION;
    let plant = PlantBuilder::new().gravity([force / MASS, 0.0, 0.0]).model("rail", model, Base::fixed());
    alone(plant.initial("rail/x", 0.0, speed))
}

fn projected_gauss_seidel(step: f64) -> Options {
    let integrator = method("projected-gauss-seidel").expect("an integrator");
    Options { step: Some(step), ..Options::of(integrator) }
}

fn end(diagram: &Diagram, options: Options, time: f64) -> (f64, f64) {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    simulation.advance_to(time).unwrap();
    ["q", "v"].map(|what| simulation.channel(&format!("plant.rail.x.{what}")).unwrap()).into()
}

#[test]
fn a_carriage_that_slides_stops_where_its_energy_is_spent() {
    // m v²/2 = f d
    let (speed, way) = (1.0, 0.5 * MASS / FRICTION);
    for (options, error) in [
        (icf(1e-3), 1e-3),
        (projected_gauss_seidel(1e-3), 1e-3),
        (cenic(1e-2), 3e-2),
        (cenic(1e-4), 3e-4),
        (cenic(1e-6), 3e-6),
        (Options::cenic_trapezoid(1e-4), 1e-3),
    ] {
        for direction in [1.0, -1.0] {
            let (q, v) = end(&carriage(0.0, direction * speed), options, 1.5);
            assert!((q - direction * way).abs() < error, "{options:?}: {q} instead of {}", direction * way);
            assert!(v.abs() < 1e-9, "{options:?}: {v}");
        }
    }
}

/// Both halves of a step may end at rest, at any time within them: that time is located.
#[test]
fn a_carriage_rests_where_its_energy_is_spent_whatever_the_steps() {
    for accuracy in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        let mut r = Random(1);
        let errors = (0..20).map(|_| {
            let speed = r.between(0.1, 2.0);
            (end(&carriage(0.0, speed), cenic(accuracy), 1.5).0 - 0.5 * MASS * speed * speed / FRICTION) / accuracy
        });
        let largest = errors.fold(0.0, |most: f64, error| most.max(error.abs()));
        assert!(largest < 20.0, "{largest} accuracies at {accuracy}");
    }
}

/// A mass on a spring with dry friction turns back each time nearer by `2 f/k`, until the spring force is below
/// friction. Errors of the solves add up, most of all with short steps.
#[test]
fn a_mass_on_a_spring_stays_where_friction_outweighs_it() {
    const STIFFNESS: f64 = 4.0;
    let (nearest, start) = (FRICTION / STIFFNESS, 20.3 * FRICTION / STIFFNESS);
    let mut model = slider(MASS);
    model.joints[0].friction = FRICTION;
    let plant = PlantBuilder::new().gravity([0.0; 3]).model("rail", model, Base::fixed());
    let mut builder = DiagramBuilder::new("swing");
    builder.add("plant", plant.initial("rail/x", start, 0.0).build().unwrap());
    builder.add("spring", Gain::new(1, -STIFFNESS).unwrap());
    builder.connect_paths("plant.rail.state[x.q]", "spring.input");
    builder.connect_paths("spring.output", "plant.rail.applied_generalized_force");
    let diagram = builder.build().unwrap();
    let half = std::f64::consts::PI * (MASS / STIFFNESS).sqrt();
    // The end of the first swing.
    let right = -(start - 2.0 * nearest);
    for accuracy in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
        let (q, _) = end(&diagram, cenic(accuracy), half);
        assert!((q - right).abs() < 5.0 * accuracy, "{} accuracies at {accuracy:e}", (q - right) / accuracy);
    }
}

#[test]
fn joint_friction_holds_loads_below_its_limit_and_yields_above() {
    for options in [icf(1e-2), projected_gauss_seidel(1e-2), cenic(1e-3), cenic(1e-5), Options::cenic_trapezoid(1e-3)] {
        // The carriage creeps at most at the regularization velocity of 1e-5 m/s times the utilized part of the
        // friction.
        let (q, v) = end(&carriage(0.9 * FRICTION, 0.0), options, 1.0);
        assert!((0.0..=1e-5).contains(&q) && (0.0..=1e-5).contains(&v), "{options:?}: {q}, {v}");
        // Twice the friction: half of the force is left.
        let (_, v) = end(&carriage(2.0 * FRICTION, 0.0), options, 1.0);
        let exact = FRICTION / MASS;
        assert!((v - exact).abs() < 1e-2 * exact, "{options:?}: {v} instead of {exact}");
    }
}

#[test]
fn joint_friction_is_reported_among_the_passive_forces() {
    let diagram = carriage(0.0, 1.0);
    let mut simulation = Simulation::new(&diagram, icf(1e-3)).unwrap();
    simulation.advance_to(0.1).unwrap();
    let record = simulation.step_record("plant").unwrap().expect("a step was taken");
    assert!((record.passive[0] + FRICTION).abs() < 1e-9, "{:?}", record.passive);
}

#[test]
fn friction_is_read_from_model_files() {
    let text = "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>\
                <inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\
                <joint name='j' type='continuous'><parent link='a'/><child link='b'/>\
                <dynamics damping='0.5' friction='0.25'/></joint></robot>";
    let read = parse_urdf(text, "r.urdf").expect("a model");
    assert_eq!((read.model.joints[0].damping, read.model.joints[0].friction), (0.5, 0.25));
    assert!(!read.notes.iter().any(|note| note.to_string().contains("friction")), "{:?}", read.notes);
}
