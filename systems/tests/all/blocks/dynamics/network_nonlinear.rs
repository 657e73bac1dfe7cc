//! Networks with diodes, orifices, check valves and radiation.

use super::network::{Random, element};
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::ElementLaw::{
    AcrossSource, Capacity, CheckValve, Cylinder, Diode, Inertance, Motor, Orifice, Radiation, Resistance,
    ThroughSource,
};
use kinegraph_systems::dynamics::{Domain, ElementLaw, GROUND, Network, NetworkElement, NetworkFault};

/// Laws whose slopes are of one size where blocks are tested.
fn gentle() -> [ElementLaw; 4] {
    [
        Diode { saturation_current: 0.2, thermal_voltage: 0.7 },
        Orifice { area: 1.0, discharge: 0.6, density: 3.0, transition: 0.4 },
        CheckValve { resistance: 0.8, opening: 0.2, transition: 0.5 },
        Radiation { area: 3e6, emissivity: 0.5 },
    ]
}

#[test]
fn conforms() {
    for law in gentle() {
        let elements = vec![
            element("source", "in", GROUND, AcrossSource(None)),
            element("R", "in", "a", Resistance(3.0)),
            element("L", "a", "b", Inertance { inertance: 0.5, initial: -0.2 }),
            element("C", "b", GROUND, Capacity { capacity: 0.2, initial: 0.3 }),
            element("M", "b", "c", Motor(0.7)),
            element("D", "a", "c", law),
            element("E", "d", "a", law),
            element("I", GROUND, "d", ThroughSource(Some(0.4))),
            element("Z", "a", GROUND, Cylinder(0.3)),
            element("Y", "d", GROUND, law),
            element("F", "e", "d", law),
            element("G", "e", "c", Resistance(1.5)),
        ];
        conformance::check(&Network::new(Domain::ELECTRICAL, elements).unwrap());
    }
}

/// A diode on a source and a resistor has the current that bisection finds; the source sees it at once, a capacitor
/// does not.
#[test]
fn a_diode_on_a_resistor_has_the_current_of_both() {
    let (saturation_current, thermal_voltage) = (1e-14, 0.02585);
    let network = Network::new(
        Domain::ELECTRICAL,
        vec![
            element("V", "in", GROUND, AcrossSource(None)),
            element("R", "in", "a", Resistance(50.0)),
            element("D", "a", GROUND, Diode { saturation_current, thermal_voltage }),
            element("S", "in", "c", Resistance(2.0)),
            element("C", "c", GROUND, Capacity { capacity: 0.1, initial: 0.5 }),
        ],
    )
    .unwrap();
    let source = network.input("V").unwrap();
    for voltage in [-400.0, -1.0, 0.0, 0.3, 0.7, 5.0, 1e3, 1e7] {
        let bench = Bench::new(&network).input(source, [voltage]);
        let current = bench.eval(network.through("D").unwrap())[0];
        // Below zero the leak of 1e-12 S and the saturation current are what flows.
        let missing = |v: f64| (voltage - v) / 50.0 - saturation_current * (v / thermal_voltage).exp_m1() - 1e-12 * v;
        let (mut low, mut high) = (-500.0_f64, 1.5_f64);
        for _ in 0..1100 {
            let middle = 0.5 * (low + high);
            *(if missing(middle) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        let v = bench.eval(network.node("a").unwrap())[0];
        let size = high.abs().max(voltage.abs() * 1e-3);
        assert!((v - high).abs() <= 1e-14 * size + f64::MIN_POSITIVE, "{voltage} V: {v} for {high}");
        let expected = saturation_current * (high / thermal_voltage).exp_m1() + 1e-12 * high;
        let error = (current - expected).abs();
        assert!(error <= 1e-12 * expected.abs() + f64::MIN_POSITIVE, "{voltage} V: {current} A for {expected} A");
    }
    let bench = Bench::new(&network).input(source, [2.0]);
    let gain = |port: Option<_>| bench.jacobian(source, port.unwrap())[(0, 0)];
    assert_eq!((gain(network.node("c")), gain(network.through("S"))), (0.0, 0.5));
    let current = bench.eval(network.through("D").unwrap())[0];
    let expected = 1.0 / (50.0 + thermal_voltage / (current + saturation_current));
    assert!((gain(network.through("D")) - expected).abs() < 1e-9 * expected);
}

/// Far above the transition an orifice is that of Torricelli, far below it a pipe.
#[test]
fn an_orifice_is_turbulent_and_then_laminar() {
    let (area, discharge, density, transition) = (2e-4, 0.6, 900.0, 50.0);
    let elements = vec![
        element("P", "a", GROUND, AcrossSource(None)),
        element("O", "a", GROUND, Orifice { area, discharge, density, transition }),
    ];
    let network = Network::new(Domain::HYDRAULIC, elements).unwrap();
    let flow = |p: f64| {
        let bench = Bench::new(&network).input(network.input("P").unwrap(), [p]);
        bench.eval(network.through("O").unwrap())[0]
    };
    let by = discharge * area * (2.0_f64 / density).sqrt();
    for p in [1e5_f64, -1e6] {
        let expected = by * p.abs().sqrt() * p.signum();
        assert!((flow(p) / expected - 1.0).abs() < 1e-6, "{} for {expected}", flow(p));
    }
    assert!((flow(0.01) / (by * 0.01 / transition.sqrt()) - 1.0).abs() < 1e-6);
}

/// Surfaces that nothing heats are at absolute zero, and outputs that do not depend on an input need none.
#[test]
fn what_nothing_heats_is_at_zero() {
    let radiation = Radiation { area: 2.0, emissivity: 0.5 };
    let elements = vec![
        element("sun", GROUND, "a", ThroughSource(None)),
        element("sky", "a", GROUND, radiation),
        element("body", "b", GROUND, Capacity { capacity: 10.0, initial: 300.0 }),
        element("back", "b", "c", radiation),
        element("front", "c", GROUND, radiation),
    ];
    let network = Network::new(Domain::THERMAL, elements).unwrap();
    let at = |heat: f64, node: &str| {
        let bench = Bench::new(&network).input(network.input("sun").unwrap(), [heat]);
        bench.eval(network.node(node).unwrap())[0]
    };
    assert!(at(0.0, "a").abs() < 1e-9);
    assert!((at(100.0, "a") / (100.0_f64 / 5.670374419e-8).powf(0.25) - 1.0).abs() < 1e-9);
    assert!((at(f64::NAN, "c") / (300.0 / 2.0_f64.powf(0.25)) - 1.0).abs() < 1e-9);
}

/// A random element, nonlinear in half of all cases.
fn random_law(random: &mut Random, radiates: bool) -> ElementLaw {
    match random.below(16) {
        0..3 => Capacity { capacity: random.log(0.1, 10.0), initial: 20.0 * random.part() },
        3 | 4 => Inertance { inertance: random.log(0.1, 10.0), initial: 2.0 * random.part() - 1.0 },
        5..8 => Resistance(random.log(1e-3, 1e6)),
        _ if radiates => Radiation { area: random.log(1e-2, 1e2), emissivity: random.part() + 0.01 },
        8..12 => Diode { saturation_current: random.log(1e-20, 1e-6), thermal_voltage: random.log(0.02, 0.1) },
        12..14 => {
            let (area, density) = (random.log(1e-6, 1e-1), random.log(1.0, 1e3));
            Orifice { area, discharge: 0.61, density, transition: random.log(1e-3, 1e3) }
        }
        _ => CheckValve {
            resistance: random.log(1e-2, 1e6),
            opening: if random.part() < 0.5 { 0.0 } else { random.log(1e-2, 10.0) },
            transition: random.log(1e-4, 1.0),
        },
    }
}

/// The law of an element that determines its flow, written anew, and its slopes.
fn flow(law: &ElementLaw, a: f64, b: f64) -> Option<(f64, f64)> {
    let v = a - b;
    Some(match *law {
        Resistance(r) => (v / r, 1.0 / r),
        Diode { saturation_current: i, thermal_voltage: u } => {
            let last = (1e6 / i).ln();
            if v / u > last {
                (1e6 - i + 1e6 * (v / u - last) + 1e-12 * v, 1e6 / u)
            } else {
                (i * ((v / u).exp() - 1.0) + 1e-12 * v, i / u * (v / u).exp())
            }
        }
        Orifice { area, discharge, density, transition } => {
            let by = discharge * area * (2.0_f64 / density).sqrt();
            (by * v / v.hypot(transition).sqrt(), by / v.hypot(transition).sqrt())
        }
        CheckValve { resistance, opening, transition } => {
            let s = v - opening;
            let open = 0.5 * (s + s.hypot(transition)) - 0.5 * (opening.hypot(transition) - opening);
            ((open + 1e-9 * v) / resistance, 1.0 / resistance)
        }
        Radiation { area, emissivity } => {
            let by = 5.670374419e-8 * area * emissivity;
            let at = |t: f64| t.powi(4).copysign(t) + 1e-6 * t;
            (by * (at(a) - at(b)), 4.0 * by * a.abs().max(b.abs()).powi(3))
        }
        _ => return None,
    })
}

/// In random networks, those with radiation above zero, every flow is that of its law, what flows into a node flows out
/// of it, powers sum to zero \[Tellegen\], nothing but a state gives power, and linear networks are refused where these
/// are. The laws grow, so that nothing else has these properties: the solution is the right one.
#[test]
fn random_networks_balance_by_laws_written_anew() {
    let mut random = Random(11);
    let (mut solved, mut refused) = (0, 0);
    for case in 0..1000 {
        let (nodes, radiates) = (2 + random.below(9), case % 4 == 0);
        let name = |i: usize| if i == 0 { GROUND.into() } else { format!("n{i}") };
        let count = nodes + random.below(2 * nodes);
        let elements: Vec<NetworkElement> = (0..count)
            .map(|i| {
                let a = random.below(nodes);
                let b = (a + 1 + random.below(nodes - 1)) % nodes;
                let (of, inner) = (format!("e{i}"), name(a.max(b)));
                match random_law(&mut random, radiates) {
                    // Temperatures are above zero where bodies have theirs and heat comes in.
                    Capacity { capacity, initial } if radiates => {
                        element(&of, &inner, GROUND, Capacity { capacity, initial: 200.0 + initial })
                    }
                    Inertance { inertance, initial } if radiates => {
                        element(&of, GROUND, &inner, Inertance { inertance, initial: initial.abs() })
                    }
                    law => element(&of, &name(a), &name(b), law),
                }
            })
            .collect();
        let plain = elements.iter().map(|e| {
            let law = if flow(&e.law, 0.0, 0.0).is_some() { Resistance(1.0) } else { e.law };
            NetworkElement { law, ..e.clone() }
        });
        let plain = Network::new(Domain::ELECTRICAL, plain.collect());
        let network = match Network::new(Domain::ELECTRICAL, elements.clone()) {
            Ok(network) => network,
            Err(error) => {
                assert!(plain.is_err(), "{case}: {error}");
                refused += 1;
                continue;
            }
        };
        assert!(plain.is_ok());
        solved += 1;
        let bench = Bench::new(&network);
        let at = |node: &str| network.node(node).map_or(0.0, |port| bench.eval(port)[0]);
        // What elements that tie nodes carry has the rounding of all that flows into these.
        let number = |node: &str| node[1..].parse().unwrap_or(0);
        let mut groups: Vec<usize> = (0..nodes).collect();
        for e in elements.iter().filter(|e| matches!(e.law, Capacity { .. })) {
            let [from, to] = e.nodes.each_ref().map(|node| groups[number(node)]);
            groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
        }
        let (mut sums, mut roundings) = (vec![0.0; nodes], vec![0.0; nodes]);
        let (mut rates, mut power) = (bench.derivatives().into_iter(), 0.0);
        for e in &elements {
            let [a, b] = e.nodes.each_ref().map(|node| at(node));
            let through = bench.eval(network.through(&e.name).unwrap())[0];
            assert!(through.is_finite(), "{case}: no solution was found\n{elements:#?}");
            let mut rounding = 1e-13 * through.abs();
            if let Some((expected, slope)) = flow(&e.law, a, b) {
                rounding += 1e-13 * (expected.abs() + slope * (a.abs() + b.abs() + 0.1));
                assert!((through - expected).abs() <= rounding, "{case}: {e:?}: {through} for {expected}");
                assert!(through * (a - b) >= -rounding * (a.abs() + b.abs()), "{case}: {e:?} gives power");
            }
            let rate = match e.law {
                Capacity { capacity, initial } => {
                    assert!((a - b - initial).abs() <= 1e-12 * (a.abs() + b.abs()), "{case}: {e:?}");
                    (through, capacity)
                }
                Inertance { inertance, .. } => (a - b, inertance),
                _ => (0.0, 0.0),
            };
            if rate.1 > 0.0 {
                let (found, expected) = (rates.next().unwrap(), rate.0 / rate.1);
                assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{case}: {e:?}: {found} for {expected}");
            }
            for (node, sign) in e.nodes.iter().zip([1.0, -1.0]) {
                sums[number(node)] += sign * through;
                roundings[groups[number(node)]] += rounding;
            }
            power += through * (a - b);
        }
        // Rounding of the largest flows may hide small ones elsewhere.
        let of_all = 0.02 * roundings.iter().sum::<f64>();
        let mut powers = 0.0;
        for (node, sum) in sums.iter().enumerate().skip(1) {
            let rounding = roundings[groups[node]] + of_all;
            assert!(sum.abs() <= rounding, "{case}: {sum} A are missing at n{node}\n{elements:#?}");
            powers += rounding * at(&name(node)).abs();
        }
        assert!(power.abs() <= powers, "{case}: powers sum to {power} W");
    }
    assert!(solved > 300 && refused > 300, "{solved} solved, {refused} refused");
}

/// Numbers that are not positive are named; so is an element beside which too many stand.
#[test]
fn mistakes_are_named() {
    let faults = |law: ElementLaw, beside: usize| -> Vec<String> {
        let row = (0..=beside).map(|i| element(&format!("R{i}"), "a", GROUND, Resistance(1.0)));
        let all = row.chain([element("X", "a", GROUND, law)]).collect();
        let error = Network::new(Domain::ELECTRICAL, all).err().expect("a fault");
        assert!(error.faults.iter().all(|fault| fault.element().is_some() || matches!(fault, NetworkFault::Name(_))));
        error.faults.iter().map(ToString::to_string).collect()
    };
    let [diode, _, _, _] = gentle();
    for (law, beside, expected) in [
        (Diode { saturation_current: 0.0, thermal_voltage: 1.0 }, 0, "saturation current of `X`[0] is 0, expected"),
        (Diode { saturation_current: 1.0, thermal_voltage: -1.0 }, 0, "thermal voltage of `X`[0] is -1, expected"),
        (Orifice { area: 1.0, discharge: 1.0, density: 0.0, transition: 1.0 }, 0, "density of `X`[0] is 0"),
        (CheckValve { resistance: 1.0, opening: -1.0, transition: 1.0 }, 0, "opening of `X`[0] is -1, expected"),
        (Radiation { area: f64::NAN, emissivity: 1.0 }, 0, "area of `X`[0] is NaN"),
        (diode, 200, "beside one that is not linear, such as `X`, at most 200"),
    ] {
        let found = faults(law, beside);
        assert!(found.len() == 1 && found[0].contains(expected), "{expected}\nin {found:#?}");
    }
}
