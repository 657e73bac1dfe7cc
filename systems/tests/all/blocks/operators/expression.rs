//! Formulas as blocks.

use kinegraph_core::LeafSystem;
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::testing::{Bench, conformance};
use kinegraph_systems::operators::Expression;
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
    let texts =
        ["a*sin(2*t) + b^2", "q[1]*exp(-t/3) - a/(2 + q[0])", "max(a, b)^3 + b^(1 + 2) + atan2(a + 3, b)", "2^a * b"];
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
        ("a > 0", 3, "`>` has no meaning here: formulas do not compare; `sign(a - b)` is 1 where a > b, the blocks"),
        ("if(a, 1, 2)", 1, "`if` is no function: formulas do not decide; the blocks `relay` and `switch` do"),
        ("a ? 1 : 2", 3, "the blocks `relay` and `switch` do"),
        ("a and b", 3, "found `and`: formulas do not decide"),
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
        (vec![("a", 1), ("a", 2)], "two inputs of this name"),
    ] {
        let fault = Expression::new(&names, &["1"]).err().unwrap().to_string();
        assert!(fault.contains(message), "{fault}");
    }
    assert_eq!(Expression::new(&[], &[]).err().unwrap().to_string(), "expressions is empty");
}

proptest! {
    /// The parser accepts or rejects any text without panicking.
    #[test]
    fn no_text_panics(text in "[0-9a-z.+*/^()\\[\\], eé-]{0,40}") {
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
