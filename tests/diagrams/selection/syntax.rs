//! The end of a wire as it is written.

use kinegraph_diagram::selection::Part;
use kinegraph_diagram::selection::split;

#[test]
fn numbers_ranges_and_names_stand_between_brackets() {
    use Part::{Name, Number, Range};
    for (text, port, parts) in [
        ("effort", "effort", None),
        ("effort[2]", "effort", Some(vec![Number(2)])),
        ("arm.state[0:3]", "arm.state", Some(vec![Range(0, Some(3))])),
        ("u[:2, 5, 7:]", "u", Some(vec![Range(0, Some(2)), Number(5), Range(7, None)])),
        ("state [shoulder.q, elbow.q]", "state", Some(vec![Name("shoulder.q"), Name("elbow.q")])),
    ] {
        assert_eq!(split(text), Ok((port, parts)), "{text}");
    }
}

#[test]
fn malformed_parts_are_faults() {
    for (text, expected) in [
        ("u[3:3]", "holds nothing"),
        ("u[-1]", "write a number from 0"),
        ("u[]", "write a number from 0"),
        ("u[1", "one pair of brackets"),
        ("u[1][2]", "one pair of brackets"),
        ("u]", "without `[`"),
        ("u[1:2:3]", "write a number from 0"),
    ] {
        let fault = split(text).unwrap_err();
        assert!(fault.contains(expected), "{text}: {fault}");
    }
}
