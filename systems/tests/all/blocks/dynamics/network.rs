//! Networks of elements with two ends.

use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::dynamics::ElementLaw::{
    AcrossSource, Capacity, Cylinder, Inertance, Motor, Resistance, ThroughSource,
};
use kinegraph_systems::dynamics::{Domain, ElementLaw, GROUND, Network, NetworkElement, NetworkFault};
use nalgebra::{DMatrix, DVector};

pub fn element(name: &str, a: &str, b: &str, law: ElementLaw) -> NetworkElement {
    NetworkElement::new(name, [a, b], law)
}

fn electrical(elements: &[NetworkElement]) -> Network {
    Network::new(Domain::ELECTRICAL, elements.to_vec()).unwrap()
}

/// The faults of a network, as a file shows them.
fn faults(elements: &[NetworkElement]) -> Vec<String> {
    let error = Network::new(Domain::ELECTRICAL, elements.to_vec()).err().expect("a fault");
    error.faults.iter().map(ToString::to_string).collect()
}

fn capacity(capacity: f64) -> ElementLaw {
    Capacity { capacity, initial: 0.3 }
}

fn inertance(inertance: f64) -> ElementLaw {
    Inertance { inertance, initial: -0.2 }
}

#[test]
fn conforms() {
    let elements = [
        element("source", "in", GROUND, AcrossSource(None)),
        element("R", "in", "a", Resistance(3.0)),
        element("L", "a", "b", inertance(0.5)),
        element("C", "b", GROUND, capacity(0.2)),
        element("M", "b", "c", Motor(0.7)),
        element("P", "c", GROUND, Resistance(2.0)),
        element("I", GROUND, "c", ThroughSource(Some(0.4))),
        element("Z", "a", GROUND, Cylinder(0.3)),
        element("Y", "a", "c", Resistance(1.5)),
    ];
    for domain in [Domain::ELECTRICAL, Domain::HYDRAULIC, Domain::THERMAL] {
        conformance::check(&Network::new(domain, elements.to_vec()).unwrap());
    }
}

/// u = 10 V over R, L and C in a row.
#[test]
fn a_row_of_three_has_the_rates_of_its_equations() {
    let network = electrical(&[
        element("source", "in", GROUND, AcrossSource(None)),
        element("R", "in", "a", Resistance(4.0)),
        element("L", "a", "b", inertance(0.5)),
        element("C", "b", GROUND, capacity(0.02)),
    ]);
    let bench = Bench::new(&network).input(network.input("source").unwrap(), [10.0]).state([0.75, 2.0]);
    assert_eq!(bench.derivatives(), [(10.0 - 4.0 * 0.75 - 2.0) / 0.5, 0.75 / 0.02]);
    let of = |port: Option<_>| bench.eval(port.unwrap())[0];
    assert_eq!((of(network.node("in")), of(network.node("a")), of(network.node("b"))), (10.0, 7.0, 2.0));
    assert_eq!((of(network.through("R")), of(network.through("source"))), (0.75, -0.75));
    assert_eq!((of(network.power("R")), of(network.power("source"))), (4.0 * 0.75 * 0.75, -7.5));
}

/// A motor on a source: back EMF from its speed, torque from its current. A cylinder on a pump: force from its
/// pressure.
#[test]
fn machines_take_a_speed_and_give_an_effort() {
    let network = electrical(&[
        element("source", "in", GROUND, AcrossSource(Some(12.0))),
        element("winding", "in", "a", Resistance(2.0)),
        element("motor", "a", GROUND, Motor(0.05)),
    ]);
    let speed = network.input("motor").unwrap();
    let bench = Bench::new(&network).input(speed, [40.0]);
    assert!((bench.eval(network.effort("motor").unwrap())[0] - 0.05 * (12.0 - 2.0) / 2.0).abs() < 1e-15);
    let hydraulic = [
        element("pump", GROUND, "p", ThroughSource(Some(3e-4))),
        element("leak", "p", GROUND, Resistance(1e10)),
        element("cylinder", "p", GROUND, Cylinder(1e-3)),
    ];
    let network = Network::new(Domain::HYDRAULIC, hydraulic.to_vec()).unwrap();
    let bench = Bench::new(&network).input(network.input("cylinder").unwrap(), [0.1]);
    // What the piston does not take leaves through the leak.
    let pressure = 1e10 * (3e-4 - 1e-3 * 0.1);
    assert!((bench.eval(network.effort("cylinder").unwrap())[0] - 1e-3 * pressure).abs() < 1e-9 * pressure);
}

/// Only what depends on an input at the same instant feeds through.
#[test]
fn feedthrough_is_that_of_the_equations() {
    let network = electrical(&[
        element("source", "in", GROUND, AcrossSource(None)),
        element("R", "in", "a", Resistance(4.0)),
        element("C", "a", GROUND, capacity(0.02)),
        element("Q", "a", "b", Resistance(1.0)),
        element("M", "b", GROUND, Motor(0.3)),
    ]);
    let bench = Bench::new(&network).input(network.input("source").unwrap(), [1.0]);
    let bench = bench.input(network.input("M").unwrap(), [1.0]);
    let gain = |input: &str, port: Option<_>| bench.jacobian(network.input(input).unwrap(), port.unwrap())[(0, 0)];
    assert_eq!((gain("source", network.node("a")), gain("source", network.through("Q"))), (0.0, 0.0));
    assert_eq!((gain("source", network.through("R")), gain("M", network.through("Q"))), (0.25, -0.3));
    assert_eq!((gain("M", network.effort("M")), gain("source", network.effort("M"))), (-0.09, 0.0));
}

pub struct Random(pub u64);

impl Random {
    pub fn part(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.part() * n as f64) as usize % n
    }

    pub fn log(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.part())
    }
}

/// A random network of up to ten nodes.
fn random_network(random: &mut Random) -> Vec<NetworkElement> {
    let nodes = 2 + random.below(9);
    let name = |i: usize| if i == 0 { GROUND.into() } else { format!("n{i}") };
    let count = nodes + random.below(2 * nodes);
    (0..count)
        .map(|i| {
            let a = random.below(nodes);
            let b = (a + 1 + random.below(nodes - 1)) % nodes;
            let law = match random.below(12) {
                0 | 1 => Capacity { capacity: random.log(0.1, 10.0), initial: random.part() },
                2 | 3 => Inertance { inertance: random.log(0.1, 10.0), initial: random.part() },
                4 => AcrossSource(Some(random.part())),
                5 => ThroughSource(Some(random.part())),
                _ => Resistance(random.log(0.1, 10.0)),
            };
            element(&format!("e{i}"), &name(a), &name(b), law)
        })
        .collect()
}

/// The sparse tableau: unknown are the values of all nodes, then what is across and what flows through each element.
/// The equations are Kirchhoff's two laws and the law of each element. `None` if they have no solution, or several.
fn tableau(elements: &[NetworkElement]) -> Option<(Vec<String>, DVector<f64>)> {
    let mut nodes: Vec<String> = elements.iter().flat_map(|e| e.nodes.clone()).filter(|n| n != GROUND).collect();
    nodes.sort();
    nodes.dedup();
    let (n, m) = (nodes.len(), elements.len());
    let mut equations = DMatrix::zeros(n + 2 * m, n + 2 * m);
    let mut right = DVector::zeros(n + 2 * m);
    for (k, e) in elements.iter().enumerate() {
        let (across, through) = (n + k, n + m + k);
        equations[(n + k, across)] = 1.0;
        for (name, sign) in e.nodes.iter().zip([1.0, -1.0]) {
            if let Some(node) = nodes.iter().position(|known| known == name) {
                equations[(node, through)] += sign;
                equations[(n + k, node)] -= sign;
            }
        }
        let law = n + m + k;
        match e.law {
            Resistance(resistance) => {
                equations[(law, across)] = 1.0;
                equations[(law, through)] = -resistance;
            }
            Capacity { initial: x, .. } | AcrossSource(Some(x)) => {
                equations[(law, across)] = 1.0;
                right[law] = x;
            }
            Inertance { initial: x, .. } | ThroughSource(Some(x)) => {
                equations[(law, through)] = 1.0;
                right[law] = x;
            }
            _ => unreachable!(),
        }
    }
    let singular = equations.clone().svd(false, false).singular_values.min() < 1e-9;
    (!singular).then(|| equations.full_piv_lu().solve(&right).map(|x| (nodes, x))).flatten()
}

/// Random networks agree with the sparse tableau; powers sum to zero \[Tellegen\]; what has no solution is refused, and
/// nothing else but a loose end.
#[test]
fn random_networks_agree_with_the_sparse_tableau() {
    let mut random = Random(5);
    let (mut solved, mut refused) = (0, 0);
    for case in 0..3000 {
        let elements = random_network(&mut random);
        let expected = tableau(&elements);
        let network = match Network::new(Domain::ELECTRICAL, elements.clone()) {
            Ok(network) => network,
            Err(error) => {
                let only_loose = error.faults.iter().all(|fault| matches!(fault, NetworkFault::Loose { .. }));
                assert!(only_loose || expected.is_none(), "{case}: {error}\n{elements:?}");
                refused += 1;
                continue;
            }
        };
        let (nodes, x) = expected.unwrap_or_else(|| panic!("{case}: no solution\n{elements:?}"));
        solved += 1;
        let bench = Bench::new(&network);
        let size = x.amax().max(1.0);
        let (mut rates, mut power) = (bench.derivatives().into_iter(), 0.0);
        for (node, name) in nodes.iter().enumerate() {
            let found = bench.eval(network.node(name).unwrap())[0];
            assert!((found - x[node]).abs() < 1e-9 * size, "{case}: {name}: {found} for {}", x[node]);
        }
        for (k, e) in elements.iter().enumerate() {
            let (across, through) = (x[nodes.len() + k], x[nodes.len() + elements.len() + k]);
            let found = bench.eval(network.through(&e.name).unwrap())[0];
            assert!((found - through).abs() < 1e-9 * size, "{case}: {}: {found} for {through}", e.name);
            power += bench.eval(network.power(&e.name).unwrap())[0];
            let rate = match e.law {
                Capacity { capacity, .. } => through / capacity,
                Inertance { inertance, .. } => across / inertance,
                _ => continue,
            };
            let found = rates.next().unwrap();
            assert!((found - rate).abs() < 1e-8 * size, "{case}: rate of {}: {found} for {rate}", e.name);
        }
        assert!(power.abs() < 1e-8 * size * size, "{case}: powers sum to {power} W");
    }
    assert!(solved > 400 && refused > 400, "{solved} solved, {refused} refused");
}

/// Each mistake is named by its elements and nodes, with the remedy; all mistakes of a network are found together.
#[test]
fn mistakes_are_named() {
    let source = || element("V", "in", GROUND, AcrossSource(None));
    let cases: Vec<(Vec<NetworkElement>, &str)> = vec![
        (vec![], "the network has no elements"),
        (vec![source(), element("R", "in", "gnd", Resistance(1.0))], "node `gnd` belongs to `R` alone"),
        (
            vec![element("V", "a", "b", AcrossSource(None)), element("R", "a", "b", Resistance(1.0))],
            "no element connects nodes `a`, `b` to `ground`, where the voltage is 0",
        ),
        (
            vec![source(), element("W", "in", GROUND, AcrossSource(None)), element("R", "in", GROUND, Resistance(1.0))],
            "`V`, `W` form a loop, and each of them sets the voltage",
        ),
        (
            vec![
                element("C1", "a", GROUND, capacity(1.0)),
                element("C2", "a", "b", capacity(1.0)),
                element("R", "a", "b", Resistance(1.0)),
                element("C3", "b", GROUND, capacity(1.0)),
            ],
            "`C1`, `C2`, `C3` form a loop",
        ),
        (
            vec![source(), element("L", "in", "a", inertance(1.0)), element("K", "a", GROUND, inertance(1.0))],
            "nothing but `L`, `K` leads to node `a`, and each of them sets the current",
        ),
        (
            vec![
                element("I", GROUND, "a", ThroughSource(None)),
                element("R", "a", "b", Resistance(1.0)),
                element("L", "b", GROUND, inertance(1.0)),
            ],
            "nothing but `I`, `L` leads to nodes `a`, `b`",
        ),
        (
            vec![
                element("I", GROUND, "a", ThroughSource(None)),
                element("R", "a", "b", Resistance(1.0)),
                element("Q", "a", "b", Resistance(1.0)),
            ],
            "nothing but `I` leads to nodes `a`, `b`",
        ),
        (vec![source(), element("R", "in", "in", Resistance(1.0))], "both ends of `R` are at node `in`"),
        (
            vec![source(), element("R", "in", GROUND, Resistance(0.0))],
            "resistance of `R`[0] is 0, expected a number above 0",
        ),
        (vec![source(), element("C", "in", GROUND, capacity(f64::NAN))], "capacity of `C`[0] is NaN"),
        (vec![source(), element("V", "in", GROUND, Resistance(1.0))], "elements[1] = `V` is empty or stands before"),
        (vec![source(), element("a.b", "in", GROUND, Resistance(1.0))], "`a.b` is no name of an element or a node"),
        (
            vec![source(), element("R", "in", "out", Resistance(1.0)), element("C", "uot", GROUND, capacity(1.0))],
            "did you mean `out`?",
        ),
    ];
    for (elements, expected) in cases {
        let found = faults(&elements);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{expected}\nin {found:#?}");
    }
    let all = faults(&[
        element("R", "a", GROUND, Resistance(-1.0)),
        element("V", "a", GROUND, AcrossSource(None)),
        element("W", "a", GROUND, AcrossSource(None)),
        element("S", "b", "c", Resistance(1.0)),
        element("T", "b", "c", Resistance(1.0)),
    ]);
    assert_eq!(all.len(), 3, "{all:#?}");
}

#[test]
fn too_many_elements_are_refused() {
    let row: Vec<_> = (0..1001).map(|i| element(&format!("R{i}"), "a", GROUND, Resistance(1.0))).collect();
    assert_eq!(faults(&row), ["the network has 1001 elements; at most 1000 are solved together"]);
}
