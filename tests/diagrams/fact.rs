//! Facts about a diagram, and differences between two lists of them.

use kinegraph_diagram::{Fact, differences};

#[test]
fn every_difference_is_a_line() {
    let facts = |pairs: &[(&str, &str)]| -> Vec<Fact> {
        pairs.iter().map(|(path, text)| Fact((*path).into(), (*text).into())).collect()
    };
    let (old, new) = (facts(&[("a", "1"), ("b", "2"), ("d", "4")]), facts(&[("a", "1"), ("b", "3"), ("c", "0")]));
    let lines = differences(&old, &new);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].starts_with("b: 2 when it was saved, now 3"));
    assert_eq!(differences(&old, &old), Vec::<String>::new());
}
