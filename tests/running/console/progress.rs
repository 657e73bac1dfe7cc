//! Observers of a run for the console.

use kinegraph::cli::progress::left;

#[test]
fn time_left_is_reported_once_progress_is_made() {
    assert_eq!(left(0.0, 3.0), None);
    assert_eq!(left(0.25, 3.0), Some(9.0));
    assert_eq!(left(1.0, 3.0), Some(0.0));
}
