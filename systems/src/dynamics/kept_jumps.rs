//! Jumps of the input that delays keep beside its samples, each with its time, the values before it and those after it.

/// Maximum number of samples per channel that one delay keeps.
pub(super) const MAX_SAMPLES: f64 = 1e6;
/// The smallest jump, relative to the largest input that is kept.
const SMALLEST_JUMP: f64 = 1e-6;

/// Jump `k` of `width` channels, counted from the latest: its time, the values before it and those after it.
pub(super) fn jump(jumps: &[f64], width: usize, k: usize) -> (f64, &[f64], &[f64]) {
    let size = 1 + 2 * width;
    let jump = &jumps[k * size..][..size];
    (jump[0], &jump[1..=width], &jump[1 + width..])
}

/// True if the input jumps from `old` to `new`; `samples` are those that are kept. `old` may be read a moment before
/// the event; meanwhile a smooth input may change by a fraction of its size that no sample shows.
pub(super) fn is_jump(old: &[f64], new: &[f64], samples: &[f64]) -> bool {
    (0..old.len()).any(|i| {
        let kept = samples[i..].iter().step_by(old.len());
        let size = kept.fold(old[i].abs().max(new[i].abs()), |size, u| size.max(u.abs()));
        (new[i] - old[i]).abs() > SMALLEST_JUMP * size
    })
}
