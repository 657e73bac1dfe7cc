//! Couplers of several joints and polynomial ones, against the equations with a multiplier and conservation laws.

use crate::common::*;
use kinegraph::diagram::Diagram;
use kinegraph::integrators::{Options, method};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::plant::Constraint;
use kinegraph::systems::multibody::{Base, JointKind, Model, PlantBuilder};
use nalgebra::Vector3;

const G: f64 = 9.81;

/// A method with a small error.
fn options(name: &str) -> Options {
    let of = Options::from(method(name).unwrap());
    Options { step: of.step.map(|_| 1e-3), accuracy: 1e-6, ..of }
}

/// Carriages of the given masses, models `m0`, `m1`, … with the joint `x`, pulled along x by gravity.
fn carriages(masses: &[f64], gravity: f64) -> PlantBuilder {
    let plant = PlantBuilder::new().gravity([gravity, 0.0, 0.0]);
    masses.iter().enumerate().fold(plant, |plant, (i, &m)| plant.model(format!("m{i}"), slider(m), Base::fixed()))
}

/// A coupler over all of them.
fn held(coefficients: &[f64], offset: f64) -> Constraint {
    let names: Vec<String> = (0..coefficients.len()).map(|i| format!("m{i}/x")).collect();
    let joints: Vec<(&str, f64)> = names.iter().map(String::as_str).zip(coefficients.iter().copied()).collect();
    Constraint::sum("sum", &joints, offset)
}

fn values(simulation: &mut Simulation, n: usize, what: &str) -> Vec<f64> {
    (0..n).map(|i| simulation.channel(&format!("plant.m{i}.x.{what}")).unwrap()).collect()
}

/// `m a = m g + A λ`, `A·a = 0` for one to nine joints of different trees, in all convex methods; the reported force is
/// λ.
#[test]
fn a_sum_of_joints_has_one_multiplier() {
    let mut random = Random(11);
    for n in [1, 2, 3, 4, 5, 9] {
        let masses: Vec<f64> = (0..n).map(|_| random.log(0.2, 5.0)).collect();
        let by: Vec<f64> =
            (0..n).map(|_| random.between(0.3, 2.0) * if random.part() < 0.5 { 1.0 } else { -1.0 }).collect();
        let mobility: f64 = masses.iter().zip(&by).map(|(m, a)| a * a / m).sum();
        let lambda = -by.iter().sum::<f64>() * G / mobility;
        for name in ["cenic", "icf", "sap", "theta-gamma", "cenic-trapezoid", "projected-gauss-seidel"] {
            let options = options(name);
            let mut simulation = run(&alone(carriages(&masses, G).constraint(held(&by, 0.0))), options, 0.5);
            let (q, v) = (values(&mut simulation, n, "q"), values(&mut simulation, n, "v"));
            let off: f64 = q.iter().zip(&by).map(|(q, a)| a * q).sum();
            assert!(off.abs() < 1e-6, "{name}, {n} joints: off by {off}");
            for i in 0..n {
                let expected = 0.5 * (G + by[i] * lambda / masses[i]);
                assert!((v[i] - expected).abs() < 1e-4 * G, "{name}, {n} joints: {} for {expected}", v[i]);
            }
            let force = simulation.channel("plant.constraints.sum.force").unwrap();
            assert!((force - lambda).abs() < 1e-3 * lambda.abs().max(1.0), "{name}, {n}: {force} for {lambda}");
        }
    }
}

fn wheels(inertias: &[f64]) -> Model {
    let mut model = Model { name: "wheels".into(), links: vec![link("frame", 1.0, [0.0; 3])], ..Model::default() };
    for (i, inertia) in inertias.iter().enumerate() {
        let mut wheel = link(&format!("w{i}"), 1.0, [0.0; 3]);
        wheel.inertia.as_mut().unwrap().I_BBcm *= inertia / 0.01;
        model.links.push(wheel);
        model.joints.push(joint(&format!("x{i}"), JointKind::Continuous, "frame", &format!("w{i}"), Vector3::y()));
    }
    model
}

/// A gear of ratio n lets a spring on the output swing both wheels: `ω² = k/(I₁ n² + I₂)`, I₁ that of the input.
#[test]
fn a_gear_reflects_inertia() {
    let (input, output, n, k) = (0.02, 0.5, 4.0, 30.0);
    let gear = Constraint::sum("gear", &[("g/x0", 1.0), ("g/x1", -n)], 0.0);
    let plant = weightless().model("g", wheels(&[input, output]), Base::fixed()).constraint(gear);
    let plant = plant.spring("g/x1", k, 0.0).initial("g/x1", 0.3, 0.0).initial("g/x0", 0.3 * n, 0.0);
    let rate = (k / (input * n * n + output)).sqrt();
    let mut simulation = run(&alone(plant), cenic(1e-7), 2.0);
    let q = simulation.channel("plant.g.x1.q").unwrap();
    assert!((q - 0.3 * (rate * 2.0).cos()).abs() < 1e-5, "{q}");
}

/// A differential on springs: half the sum of two wheels is the shaft. Energy is kept, the shaft carries twice the
/// torque of each wheel, and a wheel on the ground that holds makes the other turn twice as fast.
#[test]
fn a_differential_splits_torque_and_keeps_energy() {
    let law = [("car/x0", 0.5), ("car/x1", 0.5), ("car/x2", -1.0)];
    let plant = || {
        let model = wheels(&[0.3, 0.7, 0.05]);
        weightless().model("car", model, Base::fixed()).constraint(Constraint::sum("diff", &law, 0.0))
    };
    let swinging = plant().spring("car/x0", 8.0, 0.4).spring("car/x1", 3.0, -0.2).initial("car/x2", 0.0, 5.0);
    let swinging = swinging.initial("car/x0", 0.0, 7.0).initial("car/x1", 0.0, 3.0);
    let mut simulation = Simulation::new(&alone(swinging), cenic(1e-7)).unwrap();
    let energy = simulation.energy().unwrap();
    for t in 1..=8 {
        simulation.advance_to(f64::from(t) * 0.5).unwrap();
        let now = simulation.energy().unwrap();
        assert!((now - energy).abs() < 1e-4 * energy, "at {} s: {now} J of {energy} J", simulation.time());
    }
    let held = plant().lock("car/x0", true).initial("car/x2", 0.0, 2.0).initial("car/x1", 0.0, 4.0);
    let mut simulation = run(&alone(held), cenic(1e-6), 1.0);
    let mut get = |name: &str| simulation.channel(&format!("plant.car.{name}")).unwrap();
    assert!((get("x1.v") - 4.0).abs() < 1e-5 && (get("x2.v") - 2.0).abs() < 1e-5 && get("x0.v") == 0.0);
}

/// A compliant sum of five joints is a spring and a damper along it: `x'' = -(k x + c x') Σ a²/m`.
#[test]
fn a_compliant_sum_swings() {
    let (masses, by): ([f64; 5], [f64; 5]) = ([1.0, 2.0, 0.5, 3.0, 1.5], [1.0, -0.5, 0.8, 2.0, -1.2]);
    let mobility: f64 = masses.iter().zip(&by).map(|(m, a)| a * a / m).sum();
    let (k, c) = (40.0, 0.6);
    for name in ["cenic", "dopri5", "cenic-trapezoid"] {
        let plant = carriages(&masses, 0.0).constraint(held(&by, 0.1).compliant(k, c));
        let options = Options { accuracy: 1e-7, ..options(name) };
        let mut simulation = run(&alone(plant), options, 1.0);
        let off: f64 = values(&mut simulation, 5, "q").iter().zip(&by).map(|(q, a)| a * q).sum::<f64>() - 0.1;
        let decay = 0.5 * c * mobility;
        let rate = (k * mobility - decay * decay).sqrt();
        let expected = -0.1 * (-decay).exp() * (rate.cos() + decay / rate * rate.sin());
        assert!((off - expected).abs() < 1e-5, "{name}: {off} for {expected}");
    }
}

/// A carriage that hangs on a curve: `z = c x²`, so that energy is kept and the sum of both is that of a bead on a
/// parabola, `(1 + 4 c² x²) x'²/2 + g c x² = g c x₀²`.
#[test]
fn a_polynomial_guides_a_bead() {
    let (c, start) = (0.8, 0.6);
    let mut post = slider(1e-9);
    post.joints[0].axis = Vector3::z();
    post.links[1] = link("carriage", 1.0, [0.0; 3]);
    let mut across = slider(1.0);
    across.joints[0].name = "y".into();
    // The same body twice: one mass moves along x, one along z.
    let bead = Constraint::polynomial("curve", ["post/x", "across/y"], [0.0, 0.0, c, 0.0, 0.0]);
    let plant = PlantBuilder::new().model("post", post, Base::fixed()).model("across", across, Base::fixed());
    let plant = plant.constraint(bead).initial("across/y", start, 0.0).initial("post/x", c * start * start, 0.0);
    let diagram: Diagram = alone(plant);
    let mut simulation = Simulation::new(&diagram, cenic(1e-6)).unwrap();
    for t in 1..=10 {
        simulation.advance_to(0.2 * f64::from(t)).unwrap();
        let mut get = |name: &str| simulation.channel(&format!("plant.{name}")).unwrap();
        let (x, v, z) = (get("across.y.q"), get("across.y.v"), get("post.x.q"));
        assert!((z - c * x * x).abs() < 1e-6, "off the curve by {}", z - c * x * x);
        let energy = 0.5 * (1.0 + 4.0 * c * c * x * x) * v * v + G * c * x * x;
        assert!((energy - G * c * start * start).abs() < 1e-3 * energy, "at {x} m: {energy} J");
    }
}

/// Joints that are refused: unknown, fixed or named twice, or with a coefficient that is zero or no number.
#[test]
fn mistakes_are_named() {
    let fault = |constraint: Constraint| {
        let plant = weightless().model("g", wheels(&[0.1, 0.2, 0.3]), Base::fixed());
        plant.constraint(constraint).build().err().expect("a fault").to_string()
    };
    let sum = |joints: &[(&str, f64)]| fault(Constraint::sum("c", joints, 0.0));
    let unknown = sum(&[("g/x0", 1.0), ("g/x9", 1.0)]);
    assert!(unknown.contains("there is no joint `g/x9`") && unknown.contains("`g/x0`"), "{unknown}");
    let twice = sum(&[("g/x0", 1.0), ("g/x1", 2.0), ("g/x0", 1.0)]);
    assert!(twice.contains("coupler `c` names joint `g/x0` twice"), "{twice}");
    let zero = sum(&[("g/x0", 1.0), ("g/x1", 0.0)]);
    assert!(zero.contains("coupler `c` multiplies joint `g/x1` by 0"), "{zero}");
    assert!(sum(&[("g/x0", f64::NAN)]).contains("coefficient of `g/x0` of constraint `c` is NaN"));
    assert!(sum(&[]).contains("number of joints of constraint `c` is 0"));
    let flat = fault(Constraint::polynomial("c", ["g/x0", "g/x1"], [0.3, 0.0, 0.0, 0.0, 0.0]));
    assert!(flat.contains("multiplies joint `g/x1` by 0"), "{flat}");
    let same = fault(Constraint::polynomial("c", ["g/x0", "g/x0"], [0.3, 1.0, 0.0, 0.0, 0.0]));
    assert!(same.contains("twice"), "{same}");
}
