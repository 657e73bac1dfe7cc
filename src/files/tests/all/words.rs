//! Lists and counts in messages.

use kinegraph_files::words::listed;

#[test]
fn lists_read_as_a_sentence_and_are_bounded() {
    assert_eq!(listed(&["a", "b", "c"]), "a, b or c");
    assert_eq!(listed(&vec!["n"; 40]).matches("n,").count(), 16);
}
