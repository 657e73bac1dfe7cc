//! How long a piece of work takes by the clock alone.

use std::time::Instant;

/// Mean microseconds of one piece of work in the quickest of 40 batches.
pub fn microseconds(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    let repeats = (2e-4 / start.elapsed().as_secs_f64()).clamp(1.0, 1000.0) as usize;
    let batch = |_| {
        let start = Instant::now();
        (0..repeats).for_each(|_| work());
        start.elapsed().as_secs_f64() / repeats as f64 * 1e6
    };
    (0..40).map(batch).fold(f64::INFINITY, f64::min)
}
