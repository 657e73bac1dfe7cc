//! Fibres: a curved beam under a load out of its plane, the frequency of a cantilever, a cord over a drum.

use super::{Pace, at_rest, by_every_method, gone_on};
use crate::common::capstan::Capstan;
use crate::common::*;
use kinegraph::diagram::DiagramBuilder;
use kinegraph::integrators::{Family, NEAR_RIGID, RIGID};
use kinegraph::simulate::Simulation;
use kinegraph::systems::multibody::fibre::{Curve, Fibre, FibreEnd, FibreMaterial, Section};
use nalgebra::Vector3;
use std::f64::consts::{FRAC_PI_4, PI};

const FEATURE: &str = "fibres";

fn clamped(curve: Curve, elements: usize, section: Section, damping: f64) -> Fibre {
    let material = FibreMaterial { young: 1.0, shear: 1.0, density: 1.0, damping };
    let ends = [FibreEnd::Clamped("world".into()), FibreEnd::Free];
    Fibre { ends, contact_radius: Some(0.0), ..Fibre::new("rod", curve, elements, section, material) }
}

/// An eighth of a circle of 100 m, clamped, with 600 N out of its plane at the tip; with eight elements it is at
/// (15.734, 47.243, 53.398). Bathe and Bolourchi (1979) found (15.9, 47.2, 53.4).
#[test]
fn every_method_bends_an_eighth_of_a_circle_out_of_its_plane() {
    const ELEMENTS: usize = 8;
    let arc = |i: usize| FRAC_PI_4 * i as f64 / ELEMENTS as f64;
    let place = |i| 100.0 * Vector3::new(1.0 - f64::cos(arc(i)), arc(i).sin(), 0.0);
    let curve = Curve::Polyline((0..=ELEMENTS).map(place).collect());
    // 1 m x 1 m, E = 1e7 Pa, G = 5e6 Pa.
    let bend = [5e6 / 6.0, 1e7 / 12.0, 1e7 / 12.0];
    let section = Section::Given { stretch: [1e7, 5e6, 5e6], bend, mass: 10.0, radius: 1.0 };
    let fibre = clamped(curve, ELEMENTS, section, 0.0);
    let mut b = DiagramBuilder::new("bend");
    let plant = b.add("plant", weightless().fibre(fibre).build().unwrap());
    let mut load = vec![0.0; 6 * ELEMENTS];
    load[6 * ELEMENTS - 1] = 600.0;
    b.fix(plant.applied_generalized_force("rod"), load);
    let rest = at_rest(&b.build().unwrap(), 1.0, 2500.0);
    let pace = Pace { step: 0.1, accuracy: 1e-4, time: 1.0, short: 1e-3, short_time: 0.2 };
    by_every_method(FEATURE, &pace, |options, family, found| {
        let simulation = gone_on(&rest, options, pace.time(family))?;
        let p = &simulation.state().continuous[7 * (ELEMENTS - 1) + 4..7 * ELEMENTS];
        for (i, (own, published)) in [(15.734, 15.9), (47.243, 47.2), (53.398, 53.4)].into_iter().enumerate() {
            found.near(format!("axis {i}"), p[i], own, 1e-3 * own);
            found.near(format!("axis {i}, published"), p[i], published, 0.3);
        }
        Ok(())
    });
}

/// `f = 3.5160 sqrt(EI/(ρA L⁴))/2π`: half a period until the part of the first mode comes to rest.
#[test]
fn every_method_has_the_frequency_of_a_cantilever() {
    const ELEMENTS: usize = 16;
    let line = Curve::Polyline(vec![Vector3::zeros(), Vector3::x()]);
    let section = Section::Given { stretch: [5e3; 3], bend: [1.0; 3], mass: 1.0, radius: 0.03 };
    let diagram = alone(weightless().gravity([0.0, 0.1, 0.0]).fibre(clamped(line, ELEMENTS, section, 0.0)));
    let mode = |x: f64| {
        let (root, ratio) = (1.875104, 0.734096);
        (root * x).cosh() - (root * x).cos() - ratio * ((root * x).sinh() - (root * x).sin())
    };
    let pace = Pace { step: 0.01, accuracy: 1e-5, time: 0.95, short: 2.5e-4, short_time: 0.95 };
    let exact = PI / 3.516015;
    by_every_method(FEATURE, &pace, |options, _, found| {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        let (mut rest, mut last) = (0.0, (0.0, 0.0));
        for i in 1..=95 {
            let t = 0.01 * f64::from(i);
            simulation.advance_to(t)?;
            let v = &simulation.state().continuous[7 * ELEMENTS..];
            let part = |i: usize| {
                let weight = if i + 1 == ELEMENTS { 0.5 } else { 1.0 };
                weight * mode((i + 1) as f64 / ELEMENTS as f64) * v[6 * i + 4]
            };
            let v = (0..ELEMENTS).map(part).sum::<f64>();
            if v * last.1 < 0.0 {
                rest = last.0 - last.1 * (t - last.0) / (v - last.1);
            }
            last = (t, v);
        }
        found.near("half a period", rest, exact, 5e-3 * exact);
        Ok(())
    });
}

/// Tensions have the ratio `exp(π μ)` (Euler 1769); half of the turn between nodes has a quarter of the error.
#[test]
fn every_method_holds_a_cord_over_a_drum_to_second_order() {
    let friction = 0.3;
    // So wide that twist is not fast.
    let (stiffness, stretch, mass, radius) = (2e5, 1e3, 0.1, 0.05);
    let cord = |elements| Capstan { elements, legs: 3, stiffness, friction, stretch, mass, radius, damping: 2e-4 };
    let [coarse, fine] = [6, 12].map(|elements| at_rest(&cord(elements).build(), 1e-3, 1.5));
    let pace = Pace { step: 1e-3, accuracy: 1e-5, time: 0.02, short: 2e-5, short_time: 0.002 };
    by_every_method(FEATURE, &pace, |options, family, found| {
        // Other laws find another balance.
        let time = if matches!(family, NEAR_RIGID | RIGID) { 0.2 } else { pace.time(family) };
        let mut errors = [0.0; 2];
        for (error, rest) in errors.iter_mut().zip([&coarse, &fine]) {
            let mut simulation = gone_on(rest, options, time)?;
            let mut held = |c: &str| simulation.channel(&format!("plant.constraints.cord.e0.{c}")).unwrap();
            *error = held("fx").hypot(held("fy")).ln() - PI * friction;
        }
        let (ratio, close) = match family {
            // A sliding cord hops on its gap under SAP.
            NEAR_RIGID => (0.0, 0.15),
            // Waves of the switch go on.
            Family::EXPLICIT => (5.0, 0.01),
            _ => (4.5, 0.01),
        };
        if ratio > 0.0 {
            found.near("ratio", errors[0] / errors[1], ratio, ratio - 3.5);
        }
        found.near("logarithm", errors[1], 0.0, close);
        Ok(())
    });
}
