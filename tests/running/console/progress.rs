//! Observers of a run for the console.

use kinegraph::cli::progress::left;

#[test]
fn what_is_left_is_reported_once_something_is_done() {
    assert_eq!(left(0.0, 3.0), None);
    assert_eq!(left(0.25, 3.0), Some(9.0));
    assert_eq!(left(1.0, 3.0), Some(0.0));
}
