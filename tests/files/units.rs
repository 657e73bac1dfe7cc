//! Units of wires: chains of blocks are accepted exactly when exponents agree, which are computed here by themselves.

use kinegraph::files::{LoadError, load_str};
use kinegraph::prelude::*;
use kinegraph_core::unit::Dimension;
use std::path::Path;

/// Pseudo-random numbers (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

/// Reads and builds the text of a file.
fn scenario(text: &str) -> Result<Scenario, LoadError> {
    let loaded = load_str(Path::new("units.yaml"), text, &[])?;
    Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed())
}

/// Exponents of m, s and kg.
type Exponents = [i32; 3];

/// A text for a unit of these exponents.
fn written(exponents: Exponents) -> String {
    let factors: Vec<String> = ["m", "s", "kg"]
        .iter()
        .zip(exponents)
        .filter(|(_, exponent)| *exponent != 0)
        .map(|(name, exponent)| format!("{name}^{exponent}"))
        .collect();
    if factors.is_empty() { "m/m".into() } else { factors.join(" ") }
}

fn random_unit(random: &mut Random) -> Exponents {
    std::array::from_fn(|_| random.below(5) as i32 - 2)
}

fn sum(a: Exponents, b: Exponents) -> Exponents {
    std::array::from_fn(|i| a[i] + b[i])
}

/// A chain from a source through gains, integrators, derivatives and delays; its text, its name of the last block, and
/// its unit.
fn chain(random: &mut Random, name: &str, text: &mut String, wires: &mut String) -> (String, Exponents) {
    let mut unit = random_unit(random);
    text.push_str(&format!("  {name}0: {{type: constant, value: 1 {}}}\n", written(unit)));
    let mut last = format!("{name}0");
    for i in 1..=1 + random.below(5) {
        let (block, by) = match random.below(5) {
            0 => ("{type: integrator}".to_owned(), [0, 1, 0]),
            1 => ("{type: discrete_derivative, period: 0.1}".to_owned(), [0, -1, 0]),
            2 => ("{type: first_order_lag, time_constant: 20 ms}".to_owned(), [0; 3]),
            3 => ("{type: saturation, lower: -1, upper: 1}".to_owned(), [0; 3]),
            _ => {
                let factor = random_unit(random);
                (format!("{{type: gain, gain: 2 {}}}", written(factor)), factor)
            }
        };
        text.push_str(&format!("  {name}{i}: {block}\n"));
        wires.push_str(&format!("  - {last}.output -> {name}{i}.input\n"));
        last = format!("{name}{i}");
        unit = sum(unit, by);
    }
    (last, unit)
}

#[test]
fn sums_of_random_chains_are_accepted_exactly_when_their_exponents_agree() {
    let mut random = Random(7);
    let mut counts = [0, 0];
    for case in 0..300 {
        let (mut text, mut wires) = (String::from("kinegraph: 1\nsystems:\n"), String::from("connections:\n"));
        let (a, unit_a) = chain(&mut random, "a", &mut text, &mut wires);
        let (b, mut unit_b) = chain(&mut random, "b", &mut text, &mut wires);
        let mut last = b;
        // Half of the cases are made to agree by a gain of the quotient.
        if random.below(2) == 0 {
            let quotient: Exponents = std::array::from_fn(|i| unit_a[i] - unit_b[i]);
            if quotient.iter().all(|exponent| exponent.abs() <= 9) {
                text.push_str(&format!("  c: {{type: gain, gain: 3 {}}}\n", written(quotient)));
                wires.push_str(&format!("  - {last}.output -> c.input\n"));
                (last, unit_b) = ("c".into(), unit_a);
            }
        }
        text.push_str("  sum: {type: adder, signs: \"+-\"}\n  after: {type: integrator}\n");
        wires.push_str(&format!("  - {a}.output -> sum.input0\n  - {last}.output -> sum.input1\n"));
        wires.push_str("  - sum.output -> after.input\n");
        let file = format!("{text}{wires}simulation: {{duration: 1}}\n");
        let agree = unit_a == unit_b;
        counts[usize::from(agree)] += 1;
        match scenario(&file) {
            Ok(scenario) => {
                assert!(agree, "case {case}: accepted\n{file}");
                let after = scenario.diagram.find_channels("after.output").unwrap()[0].index;
                let expected = Dimension::read(&written(sum(unit_a, [0, 1, 0]))).unwrap();
                assert_eq!(scenario.diagram.unit_at(after), Some(expected), "case {case}\n{file}");
            }
            Err(error) => {
                assert!(!agree, "case {case}: {error}\n{file}");
                assert!(error.to_string().contains("sum.input1: carries"), "case {case}: {error}\n{file}");
            }
        }
    }
    assert!(counts[0] > 50 && counts[1] > 50, "{counts:?}");
}

#[test]
fn every_shown_unit_reads_back() {
    let mut random = Random(11);
    let bases = ["kg", "m", "s", "A", "K", "mol", "rad"].map(|name| Dimension::read(name).unwrap());
    for _ in 0..2000 {
        let mut unit = Dimension::ONE;
        for base in bases {
            let exponent = random.below(7) as i32 - 3;
            unit = unit.times(base, if random.below(2) == 0 { 0 } else { exponent }).unwrap();
        }
        assert_eq!(Dimension::read(&unit.to_string()), Some(unit), "{unit}");
    }
    for name in ["N", "N m", "N/m", "N m/rad", "N s/m", "W", "Pa", "V", "Ω", "H", "m/s²", "rad/s", "kg m²", "1", "s"]
    {
        assert_eq!(Dimension::read(name).unwrap().to_string(), name);
    }
}

#[test]
fn radians_fit_numbers_without_unit_on_wires() {
    let text = "\
kinegraph: 1
systems:
  turn: {type: constant, value: 90 rpm}
  angle: {type: integrator}
  shaft: {type: gain, gain: 0.2 m}
  stiffness: {type: gain, gain: 5 N m/rad}
  torque: {type: constant, value: 3 N m}
  ratio: {type: constant, value: 2, unit: 1}
  at: {type: adder, signs: \"++\"}
  sum: {type: adder, signs: \"++\"}
connections:
  - turn.output -> angle.input
  - angle.output -> at.input0
  - ratio.output -> at.input1
  - angle.output -> stiffness.input
  - stiffness.output -> sum.input0
  - torque.output -> sum.input1
  - turn.output -> shaft.input
simulation: {duration: 1}
";
    let scenario = scenario(text).unwrap();
    let unit = |path: &str| scenario.diagram.find_channels(path).unwrap()[0].unit.to_string();
    assert_eq!(unit("angle.output"), "rad");
    assert_eq!(unit("stiffness.output"), "N m");
    assert_eq!(unit("sum.output"), "N m");
    assert_eq!(unit("shaft.output"), "m rad/s");
}
