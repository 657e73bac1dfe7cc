//! Properties of every force between bodies, with any law: bushings, spatial tendons. A force enrols with one line.
//!
//! - its effect is the same under every integrator of plants, with contact solvers and methods for differential
//!   equations;
//! - it conserves the momenta of the bodies that it acts on;
//! - without dampers and stops the energy stays, with them it falls.

use crate::common::*;
use kinegraph::diagram::{Diagram, DiagramBuilder};
use kinegraph::integrators::{OfOptions, Options};
use kinegraph::simulate::Simulation;
use kinegraph::systems::convex::Compliance;
use kinegraph::systems::models::{LoadOptions, parse_mjcf};
use kinegraph::systems::multibody::plant::{Attachment, BushingLaw, Constraint};
use kinegraph::systems::multibody::{Base, PlantBuilder};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

const MASSES: [f64; 2] = [1.5, 0.8];
const MOMENTS: [f64; 2] = [0.02, 0.01];

/// Two bodies that float without gravity, with `more` in the file.
fn file(more: &str) -> String {
    let body = |i: usize, at: &str, inside: &str| {
        format!(
            r#"<body name="b{i}" pos="{at}"><freejoint/><inertial pos="0 0 0" mass="{}"
            diaginertia="{m} {m} {m}"/>{inside}</body>"#,
            MASSES[i],
            m = MOMENTS[i]
        )
    };
    let first = body(
        0,
        "0 0 0",
        r#"<site name="a" pos="0.1 0 0.05"/><site name="c" pos="-0.1 0.1 0"/>
        <geom name="drum" type="cylinder" size="0.06 0.2" pos="0.1 0 0.2" contype="0" conaffinity="0"/>
        <site name="side" pos="0.3 0 0.2"/>"#,
    );
    let second = body(1, "0.1 0.1 0.5", r#"<site name="b" pos="0 -0.1 -0.05"/><site name="d" pos="0.1 0 0"/>"#);
    format!(r#"<mujoco><option gravity="0 0 0"/><worldbody>{first}{second}</worldbody>{more}</mujoco>"#)
}

fn diagram(more: &str, constraint: Option<Constraint>) -> Diagram {
    let model = parse_mjcf(&file(more), "test.xml", &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}")).model;
    let mut plant = PlantBuilder::new().gravity(Vector3::zeros().into()).model("m", model, Base::fixed());
    if let Some(constraint) = constraint {
        plant = plant.constraint(constraint);
    }
    let mut b = DiagramBuilder::new("force");
    b.add("plant", plant.build().unwrap_or_else(|e| panic!("{e}")));
    b.build().unwrap()
}

fn bushing(damping: f64) -> Diagram {
    let axes = |stiffness: [f64; 3]| stiffness.map(|stiffness| Compliance { stiffness, damping: damping * stiffness });
    let law = BushingLaw { linear: axes([30.0, 60.0, 90.0]), angular: axes([0.3, 0.6, 0.2]) };
    let turned = UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -0.3, 0.5));
    let a = Attachment::new("m/b0", Isometry3::from_parts(Translation3::new(0.05, 0.1, 0.3), turned));
    let c = Attachment::at("m/b1", [0.0, 0.0, -0.15]);
    diagram("", Some(Constraint::bushing("mount", a, c, law)))
}

fn spatial_tendon(damping: f64) -> Diagram {
    let more = format!(
        r#"<tendon><spatial stiffness="40" damping="{}" springlength="0.3"><site site="a"/>
        <geom geom="drum" sidesite="side"/><site site="b"/><pulley divisor="2"/><site site="c"/><site site="d"/>
        </spatial></tendon>"#,
        40.0 * damping
    );
    diagram(&more, None)
}

/// Linear momentum and angular momentum about the origin; kinetic energy.
fn momenta(state: &[f64]) -> ([Vector3<f64>; 2], f64) {
    let (q, v) = state.split_at(14);
    let (mut linear, mut angular, mut energy) = (Vector3::zeros(), Vector3::zeros(), 0.0);
    for i in 0..2 {
        let p = Vector3::from_column_slice(&q[7 * i + 4..7 * i + 7]);
        let (w, u) =
            (Vector3::from_column_slice(&v[6 * i..6 * i + 3]), Vector3::from_column_slice(&v[6 * i + 3..6 * i + 6]));
        linear += u * MASSES[i];
        angular += w * MOMENTS[i] + p.cross(&u) * MASSES[i];
        energy += 0.5 * (MASSES[i] * u.norm_squared() + MOMENTS[i] * w.norm_squared());
    }
    ([linear, angular], energy)
}

const END: f64 = 0.4;

fn end(diagram: &Diagram, options: Options) -> Vec<f64> {
    let mut simulation = Simulation::new(diagram, options).unwrap();
    let mut state = simulation.state().clone();
    // Spheres of inertia: the twists at the start are in world axes.
    state.continuous[14..].copy_from_slice(&[0.3, -0.2, 0.5, 0.1, 0.0, -0.2, -0.6, 0.4, 0.1, -0.1, 0.2, 0.3]);
    simulation.set_state(state).unwrap();
    simulation.advance_to(END).unwrap();
    simulation.state().continuous.clone()
}

fn check(make: fn(f64) -> Diagram) {
    for damping in [0.0, 0.02] {
        let diagram = make(damping);
        let reference = end(&diagram, Options::dopri5(1e-10));
        let none = end(&make_free(), Options::dopri5(1e-10));
        let acted = reference.iter().zip(&none).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(acted > 0.1, "nothing acts: {acted}");
        let ([linear, angular], _) = momenta(&none);
        for (name, options, close) in [
            ("dopri5", Options::dopri5(1e-9), 1e-6),
            ("cenic", Options::cenic(1e-6), 1e-3),
            ("cenic-trapezoid", Options::cenic_trapezoid(1e-6), 2e-4),
            // Of first order, on springs without dampers.
            ("icf", Options::icf(1e-4), 0.03),
            ("sap", Options::sap(1e-4), 0.03),
            ("theta-gamma", Options::theta_gamma(1e-4), 0.03),
        ] {
            let found = end(&diagram, options);
            let off = found.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < close, "{name} with damping {damping}: {off}");
            let ([p, l], _) = momenta(&found);
            assert!((p - linear).norm() < 1e-7, "{name}: linear momentum {p} instead of {linear}");
            assert!((l - angular).norm() < close, "{name}: angular momentum {l} instead of {angular}");
        }
    }
}

/// The bodies of the scene with nothing between them.
fn make_free() -> Diagram {
    diagram("", None)
}

macro_rules! enrol {
    ($($name:ident;)*) => {
        $(
            mod $name {
                #[test]
                fn keeps_the_contract_of_forces() {
                    super::check(super::$name);
                }
            }
        )*
    };
}

enrol! {
    bushing;
    spatial_tendon;
}

/// Without damping, the trapezoid scheme conserves the energy of the bushing: its error falls with the square of the
/// step.
#[test]
fn the_trapezoid_scheme_is_of_second_order_on_a_bushing() {
    let diagram = bushing(0.0);
    let reference = end(&diagram, Options::dopri5(1e-11));
    let error = |h: f64| {
        let options = Options { max_step: h, initial_step: Some(h), ..Options::cenic_trapezoid(0.9) };
        let found = end(&diagram, options);
        found.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let errors = [4e-3, 2e-3, 1e-3].map(error);
    let orders = [(errors[0] / errors[1]).log2(), (errors[1] / errors[2]).log2()];
    assert!(orders.iter().all(|order| (1.8..2.3).contains(order)), "{orders:?} {errors:?}");
}

/// Energy of a spring along a path is part of the plant's: it is conserved, and dampers reduce it.
#[test]
fn a_tendon_conserves_energy() {
    let change = |damping: f64| {
        let diagram = spatial_tendon(damping);
        let mut simulation = Simulation::new(&diagram, cenic(1e-7)).unwrap();
        let start = simulation.energy().unwrap();
        simulation.advance_to(END).unwrap();
        (simulation.energy().unwrap() - start) / start
    };
    assert!(change(0.0).abs() < 1e-4, "{}", change(0.0));
    assert!(change(0.02) < -0.05, "{}", change(0.02));
}
