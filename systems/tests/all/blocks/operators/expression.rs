//! Formulas as blocks.

use kinegraph_core::LeafSystem;
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::{Condition, Expression};
use proptest::prelude::*;

const INPUTS: &[(&str, usize)] = &[("a", 1), ("b", 1), ("q", 2)];

/// The value at t = 3, a = 2, b = -5, q = (7, 0.5).
fn value(text: &str) -> f64 {
    let block = Expression::new(INPUTS, &[text]).unwrap_or_else(|fault| panic!("{fault}"));
    let values: [&[f64]; 3] = [&[2.0], &[-5.0], &[7.0, 0.5]];
    let bench = block.inputs.iter().zip(values).fold(Bench::new(&block).time(3.0), |b, (&port, v)| b.input(port, v));
    bench.eval(block.output)[0]
}

#[test]
fn only_functions_with_kinks_are_marked_so() {
    for (text, has_kinks) in
        [("sin(a) * b^2", false), ("1 + abs(a)", true), ("max(a, b)", true), ("atan2(a, b)", false)]
    {
        assert_eq!(Expression::new(INPUTS, &["t", text]).unwrap().has_kinks(), has_kinks, "{text}");
    }
}

#[test]
fn conforms() {
    let texts = [
        "if(a > b, a*b, t)",
        "not (a < 0 or q[0] >= 1)",
        "a*sin(2*t) + b^2",
        "q[1]*exp(-t/3) - a/(2 + q[0])",
        "max(a, b)^3 + b^(1 + 2) + atan2(a + 3, b)",
        "2^a * b",
    ];
    conformance::check(&Expression::new(INPUTS, &texts).unwrap());
}

#[test]
fn values_are_those_of_the_book() {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("8/4/2", 1.0),
        ("8 - 4 - 2", 2.0),
        ("-2^2", -4.0),
        ("2^-2", 0.25),
        ("2^3^2", 512.0),
        ("b^2", 25.0),
        ("b^(1+2)", -125.0),
        ("--a + +a", 4.0),
        ("1.5e+1 * .2", 3.0),
        ("a*t + q[0]*q[1]", 9.5),
        ("sqrt(9) + abs(b)", 8.0),
        ("hypot(3, 4) - min(a, b)", 10.0),
        ("cos(pi)", -1.0),
        (" a\t", 2.0),
        ("clamp(b, -1, 1) + clamp(a, 0, 1) + clamp(q[1], 0, 1)", 0.5),
        ("if(a > b, q[0], q[1])", 7.0),
        ("a > 1 and b > 1 or t == 3", 1.0),
        ("a > 1 and (b > 1 or t != 3)", 0.0),
        ("not a <= 2 or not b >= -5", 0.0),
        ("1 + 2 > 2 and not 0", 1.0),
        ("if(q[1], 1, 2) + if(q[0], 10, 20)", 12.0),
        ("(a > b) + (b > a)", 1.0),
    ] {
        let found = value(text);
        assert!((found - expected).abs() < 1e-15, "{text} = {found}");
    }
}

#[test]
fn faults_name_the_column() {
    let deep = "(".repeat(5000);
    let wide = format!("{}1{}", "1+(".repeat(40), ")".repeat(40));
    for (text, column, message) in [
        ("", 1, "expected a number, a name or `(`, found the end"),
        ("1 +", 4, "expected a number, a name or `(`, found the end"),
        ("1 + * 2", 5, "found `*`"),
        ("(a + 1", 7, "expected `)`, found the end"),
        ("a b", 3, "expected an operator or the end, found `b`"),
        ("2 $ 3", 3, "`$` has no meaning here"),
        ("1.2.3", 1, "`1.2.3` is no number"),
        ("1e999", 1, "is no number"),
        ("a + sni(t)", 5, "`sni` is not known; did you mean `sin`?"),
        ("a + distance", 5, "`distance` is neither an input nor a function"),
        ("sin t", 5, "expected `(`, found `t`"),
        ("min(a)", 6, "expected `,`, found `)`"),
        ("q + 1", 1, "the input `q` has 2 elements: write `q[0]` for the first one"),
        ("q[2]", 3, "expected the number of an element, below 2, found `2`"),
        ("q[a]", 3, "below 2, found `a`"),
        ("0 < a < 1", 7, "expected an operator or the end, found `<`: of three numbers, write `a < b and b < c`"),
        ("a = 1", 3, "`=` has no meaning here: two numbers are compared by `a == b`"),
        ("a > 0 && b > 0", 7, "`&` has no meaning here: two conditions together are `a and b`"),
        ("a | b", 3, "one of two conditions is `a or b`"),
        ("!a", 1, "the contrary of a condition is `not a`"),
        ("a ? 1 : 2", 3, "one of two numbers is `if(condition, a, b)`"),
        ("if(a, 1)", 8, "found `)`: if(condition, a, b) takes three"),
        ("ifelse(a, 1, 2)", 1, "`ifelse` is not known; write `if(condition, a, b)`"),
        ("clamp(a, 1)", 11, "found `)`: clamp(x, low, high) takes three numbers"),
        ("a and", 6, "expected a number, a name or `(`, found the end"),
        ("a not b", 3, "expected an operator or the end, found `not`"),
        ("a ** 2", 4, "found `*`: a power is written `a^b`"),
        ("a // 2", 4, "found `/`: the whole part of a quotient is `floor(a/b)`"),
        ("2a", 2, "found `a`: a product is written with `*`"),
        ("ln(a)", 1, "`ln` is not known; write `log(x)`"),
        ("math.sin(a)", 5, "`.` is no number: inputs and functions have no dots"),
        ("é€", 2, "`€` has no meaning here"),
        ("é", 1, "`é` is neither an input nor a function"),
        (&deep, 101, "nested deeper than 100 levels"),
        (&wide, 1, "too many intermediate results"),
    ] {
        let fault = Expression::new(INPUTS, &[text]).err().unwrap_or_else(|| panic!("{text} is accepted"));
        let ParameterError::Expression { expression, column: found, message: said } = fault else { panic!("{fault}") };
        assert_eq!((expression.as_str(), found), (text, column), "{said}");
        assert!(said.contains(message), "{text}: {said}");
    }
    let fault = Expression::new(INPUTS, &["a", "a + "]).err().unwrap();
    assert_eq!(fault.to_string(), "`a + `, column 5: expected a number, a name or `(`, found the end");
}

#[test]
fn a_comparison_keeps_its_truth_until_the_event() {
    let block = Expression::new(&[("a", 1), ("b", 1)], &["a*b", "if(a > b, 1, 2)", "10*(a >= b)"]).unwrap();
    let at = |truths: [f64; 2], a: f64| {
        Bench::new(&block).discrete(truths).input(block.inputs[0], [a]).input(block.inputs[1], [1.0])
    };
    // Before time zero the numbers decide; later the state does, and the witness functions report that it is due.
    assert_eq!(at([-1.0, -1.0], 1.0).eval(block.output), [1.0, 2.0, 10.0]);
    assert_eq!(at([1.0, 0.0], 1.0).eval(block.output), [1.0, 1.0, 0.0]);
    let due = at([1.0, 0.0], 1.0).witnesses();
    assert!(due[0] > 0.0 && due[1] > 0.0 && due[0] < 1e-300, "{due:?}");
    assert_eq!(at([0.0, 0.0], 0.75).witnesses(), [-0.25, -0.25]);
    assert_eq!(at([1.0, 0.0], 0.75).witnesses(), [0.25, -0.25]);
    assert_eq!(at([0.0, 0.0], 1.5).witnesses(), [0.5, 0.5]);
}

#[test]
fn the_margin_of_a_condition_is_the_distance_from_its_change() {
    let channels = ["plant.box.z", "plant.box.vz", "lag/x.output", "row[1].angle", "lag"];
    for (text, margin) in [
        ("plant.box.z < 0.01", -1.99),
        ("plant.box.z > 1 and plant.box.vz > -4", 1.0),
        ("plant.box.z > 1.5 or plant.box.vz > 1", 0.5),
        ("not plant.box.z > 1.5", -0.5),
        ("abs(lag/x.output) > 5", 2.0),
        ("lag/lag >= 1", f64::MIN_POSITIVE),
        ("row[1].angle - t == 0", -2.0),
        ("if(plant.box.z > 0, plant.box.vz < 0, 1)", 3.0),
        ("lag", 3.5),
    ] {
        let condition = Condition::new(text, &channels).unwrap();
        let values = [2.0, -3.0, 7.0, 5.0, 4.0];
        let found = condition.margin(3.0, |i| values[condition.channels()[i]]);
        assert!((found - margin).abs() < 1e-14, "{text}: {found}");
        assert_eq!(condition.value(3.0, |i| values[condition.channels()[i]]) > 0.5, margin > 0.0, "{text}");
    }
    let fault = Condition::new("plant.box.y > 1", &channels).unwrap_err().to_string();
    assert_eq!(
        fault,
        "`plant.box.y > 1`, column 1: `plant.box.y` is no channel of the diagram; did you mean `plant.box.z`?"
    );
}

#[test]
fn a_formula_of_numbers_is_a_number() {
    assert_eq!(Expression::number("pi/2"), Some(std::f64::consts::FRAC_PI_2));
    assert_eq!(Expression::number("2*3"), Some(6.0));
    assert_eq!([Expression::number("t"), Expression::number("fast"), Expression::number("1/0")], [None; 3]);
}

#[test]
fn inputs_need_names_of_their_own() {
    for (names, message) in [
        (vec![("1a", 1)], "letters, digits"),
        (vec![("sin", 1)], "has a meaning"),
        (vec![("t", 1)], "has a meaning"),
        (vec![("and", 1)], "has a meaning"),
        (vec![("clamp", 1)], "has a meaning"),
        (vec![("a", 1), ("a", 2)], "this name is given twice"),
    ] {
        let fault = Expression::new(&names, &["1"]).err().unwrap().to_string();
        assert!(fault.contains(message), "{fault}");
    }
    assert_eq!(Expression::new(&[], &[]).err().unwrap().to_string(), "expressions is empty");
}

proptest! {
    /// The parser accepts or rejects any text without panicking.
    #[test]
    fn no_text_panics(text in "([0-9a-z.+*/^()<>=!\\[\\], eé-]| and | or |not |if\\(){0,40}") {
        if let Ok(block) = Expression::new(INPUTS, &[&text]) {
            let bench = block.inputs.iter().zip([1, 1, 2]).fold(Bench::new(&block), |b, (&p, n)| b.input(p, vec![1.5; n]));
            bench.eval(block.output);
        }
    }

    /// Sums, differences, products and quotients of inputs equal those of the numbers.
    #[test]
    fn sums_and_products_are_those_of_numbers(a in -1e3..1e3_f64, b in -1e3..1e3_f64) {
        let block = Expression::new(&[("a", 1), ("b", 1)], &["a + b", "a - b", "a*b", "a/b"]).unwrap();
        let found = Bench::new(&block).input(block.inputs[0], [a]).input(block.inputs[1], [b]).eval(block.output);
        prop_assert_eq!(found, [a + b, a - b, a * b, a / b]);
    }
}
