//! Networks with diodes, orifices and radiation over time: closed forms and an integration of their own.

use crate::networks::{network, only};
use kinegraph::diagram::DiagramBuilder;
use kinegraph::integrators::Options;
use kinegraph::simulate::Simulation;
use kinegraph::systems::dynamics::ElementLaw::{
    AcrossSource, Capacity, CheckValve, Diode, Inertance, Orifice, Radiation, Resistance, ThroughSource,
};
use kinegraph::systems::dynamics::{Domain, GROUND, Network};
use kinegraph::systems::sources::Sine;

/// A mains half-wave rectifier with its capacitor and load, against its equation with the inverse law of the diode,
/// `u - v = R i + V ln(i/I + 1)`, bisected for the current at each stage of a classical Runge-Kutta step.
#[test]
fn a_rectifier_charges_its_capacitor() {
    let (saturation_current, thermal_voltage, inner, c, load) = (1e-9, 0.05, 2.0, 5e-4, 200.0);
    let mut b = DiagramBuilder::new("rectifier");
    b.add("mains", Sine::new(1, 12.0, 2.0 * std::f64::consts::PI * 50.0, 0.0, 0.0).unwrap());
    let circuit = network(
        Domain::ELECTRICAL,
        &[
            ("V", ["in", GROUND], AcrossSource(None)),
            ("R", ["in", "a"], Resistance(inner)),
            ("D", ["a", "out"], Diode { saturation_current, thermal_voltage }),
            ("C", ["out", GROUND], Capacity { capacity: c, initial: 0.0 }),
            ("Q", ["out", GROUND], Resistance(load)),
        ],
    );
    b.add("n", circuit);
    b.connect_paths("mains.output", "n.V");
    let diagram = b.build().unwrap();
    let current = |across: f64| {
        let missing = |i: f64| across - inner * i - thermal_voltage * (i / saturation_current).ln_1p();
        let (mut low, mut high) = (-saturation_current, across.max(0.0) / inner);
        while high - low > 1e-13 * saturation_current.max(high.abs()) {
            let middle = 0.5 * (low + high);
            *(if missing(middle) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        low
    };
    let mains = |t: f64| 12.0 * (2.0 * std::f64::consts::PI * 50.0 * t).sin();
    let rate = |t: f64, v: f64| (current(mains(t) - v) - v / load) / c;
    let (mut v, h) = (0.0, 1e-5);
    let mut expected = Vec::new();
    for i in 0..5000 {
        let t = h * f64::from(i);
        let a = rate(t, v);
        let b = rate(t + 0.5 * h, v + 0.5 * h * a);
        let c = rate(t + 0.5 * h, v + 0.5 * h * b);
        let d = rate(t + h, v + h * c);
        v += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
        if (i + 1) % 500 == 0 {
            expected.push(v);
        }
    }
    for options in [Options::dopri5(1e-9), Options::sdirk2(1e-7)] {
        let mut simulation = Simulation::new(&diagram, options).unwrap();
        for (i, expected) in expected.iter().enumerate() {
            simulation.advance_to(5e-3 * (i + 1) as f64).unwrap();
            let found = simulation.channel("n.voltage.out").unwrap();
            assert!((found - expected).abs() < 2e-5, "{options:?}: {i}: {found} V for {expected} V");
        }
    }
}

/// A tank that drains through an orifice: √p falls evenly.
#[test]
fn a_tank_drains_through_an_orifice() {
    let (area, discharge, density, capacity, start) = (1e-4, 0.6, 1000.0, 1e-5, 2e4_f64);
    let tank = network(
        Domain::HYDRAULIC,
        &[
            ("tank", ["a", GROUND], Capacity { capacity, initial: start }),
            ("drain", ["a", GROUND], Orifice { area, discharge, density, transition: 0.1 }),
        ],
    );
    let mut simulation = Simulation::new(&only(tank), Options::dopri5(1e-10)).unwrap();
    let by = discharge * area * (2.0_f64 / density).sqrt();
    for t in [100.0, 300.0, 500.0] {
        simulation.advance_to(t).unwrap();
        let expected = (start.sqrt() - 0.5 * by * t / capacity).powi(2);
        let found = simulation.channel("n.pressure.a").unwrap();
        assert!((found - expected).abs() < 1e-6 * start, "at {t} s: {found} Pa for {expected} Pa");
    }
}

/// A pump whose check valve keeps the pressure of an accumulator while the pump runs backwards.
#[test]
fn a_check_valve_keeps_the_pressure() {
    let valve = CheckValve { resistance: 1e8, opening: 5e3, transition: 10.0 };
    let mut b = DiagramBuilder::new("pump");
    b.add("drive", Sine::new(1, 1e5, 2.0, 0.0, 0.0).unwrap());
    let elements = [
        ("pump", ["p", GROUND], AcrossSource(None)),
        ("valve", ["p", "a"], valve),
        ("store", ["a", GROUND], Capacity { capacity: 1e-10, initial: 0.0 }),
    ];
    b.add("n", network(Domain::HYDRAULIC, &elements));
    b.connect_paths("drive.output", "n.pump");
    let mut simulation = Simulation::new(&b.build().unwrap(), Options::sdirk2(1e-6)).unwrap();
    simulation.advance_to(std::f64::consts::FRAC_PI_4).unwrap();
    let top = simulation.channel("n.pressure.a").unwrap();
    // The drop at the end of the rise is the opening pressure and what the last of the flow needs.
    assert!(top > 9.2e4 && top < 9.51e4, "{top} Pa");
    simulation.advance_to(3.0 * std::f64::consts::FRAC_PI_4).unwrap();
    let later = simulation.channel("n.pressure.a").unwrap();
    assert!(later < 9.51e4 && later > 9.4e4, "{later} Pa after the pump ran backwards");
}

/// A body that only radiates: `1/T³` grows evenly.
#[test]
fn a_body_cools_by_radiation() {
    let (area, emissivity, capacity, start) = (0.3, 0.8, 400.0, 900.0_f64);
    let body = network(
        Domain::THERMAL,
        &[
            ("body", ["a", GROUND], Capacity { capacity, initial: start }),
            ("space", ["a", GROUND], Radiation { area, emissivity }),
        ],
    );
    let mut simulation = Simulation::new(&only(body), Options::dopri5(1e-10)).unwrap();
    for t in [10.0, 100.0, 1000.0] {
        simulation.advance_to(t).unwrap();
        let slope = 3.0 * 5.670374419e-8 * area * emissivity / capacity;
        let expected = (start.powi(-3) + slope * t).powf(-1.0 / 3.0);
        let found = simulation.channel("n.temperature.a").unwrap();
        assert!((found - expected).abs() < 1e-6 * start, "at {t} s: {found} K for {expected} K");
    }
}

/// A wall whose surface has no mass: it conducts what it radiates.
#[test]
fn a_surface_without_mass_is_found() {
    let wall: Network = network(
        Domain::THERMAL,
        &[
            ("inside", ["i", GROUND], AcrossSource(Some(350.0))),
            ("wall", ["i", "s"], Resistance(0.4)),
            ("surface", ["s", "room"], Radiation { area: 2.0, emissivity: 0.9 }),
            ("room", ["room", GROUND], AcrossSource(Some(290.0))),
            ("sun", [GROUND, "s"], ThroughSource(Some(60.0))),
        ],
    );
    let mut simulation = Simulation::new(&only(wall), Options::dopri5(1e-8)).unwrap();
    let mut get = |name: &str| simulation.channel(&format!("n.{name}")).unwrap();
    let (surface, wall, away) = (get("temperature.s"), get("heat.wall"), get("heat.surface"));
    let expected = 5.670374419e-8 * 1.8 * (surface.powi(4) - 290.0_f64.powi(4));
    assert!((away - expected).abs() < 1e-10 * away, "{away} W for {expected} W at {surface} K");
    assert!((wall - (350.0 - surface) / 0.4).abs() < 1e-9 && (wall + 60.0 - away).abs() < 1e-9, "{wall} {away}");
}

/// A coil that a switch disconnects goes on through its diode: the current falls with the voltages across both.
#[test]
fn a_coil_is_discharged_through_its_diode() {
    let circuit = network(
        Domain::ELECTRICAL,
        &[
            ("L", ["a", GROUND], Inertance { inertance: 0.1, initial: 2.0 }),
            ("R", ["a", "b"], Resistance(3.0)),
            ("D", [GROUND, "b"], Diode { saturation_current: 1e-12, thermal_voltage: 0.026 }),
        ],
    );
    let mut simulation = Simulation::new(&only(circuit), Options::dopri5(1e-10)).unwrap();
    simulation.advance_to(0.05).unwrap();
    let [current, a, b] =
        ["current.L", "voltage.a", "voltage.b"].map(|of| simulation.channel(&format!("n.{of}")).unwrap());
    assert!((a + 3.0 * current - b).abs() < 1e-12, "{a} {b}");
    assert!((b + 0.026 * (current / 1e-12).ln_1p()).abs() < 1e-9, "{b} V at {current} A");
    // With the mean voltage of the diode as a battery's: i = (i0 + u/R) e^(-R t/L) - u/R, between those at both ends.
    let with = |u: f64| (2.0 + u / 3.0) * (-1.5_f64).exp() - u / 3.0;
    assert!(current > with(0.026 * (2.0_f64 / 1e-12).ln()) && current < with(-b), "{current} A");
}
