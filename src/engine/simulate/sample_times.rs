//! Times of samples.
//!
//! The multiples of a period that is written in decimals are decimals, too: 345 102 times 0.001 s is 345.102 s, where
//! the product of two doubles is 345.10200000000003. So period and start are taken as fractions over one power of ten,
//! as they are written, and a time is one division of whole numbers, which is rounded once.

/// The times `start + k every`, or those of a list.
pub struct SampleTimes {
    start: f64,
    every: f64,
    /// Times where they are listed; there are no others.
    listed: Option<Vec<f64>>,
    /// Start and period times `ten`, where all are whole numbers.
    decimal: Option<Decimal>,
}

struct Decimal {
    start: f64,
    every: f64,
    ten: f64,
}

/// Limit above which doubles skip whole numbers.
const WHOLE: f64 = 9_007_199_254_740_992.0;
/// Largest power of ten that is exact in a double.
const MAX_DIGITS: usize = 22;

impl SampleTimes {
    /// Samples at every multiple of `every` from `start` on; none where that is no positive number.
    pub fn new(start: f64, every: f64) -> Self {
        let every = if every > 0.0 { every } else { f64::INFINITY };
        SampleTimes { start, every, listed: None, decimal: Decimal::new(start, every) }
    }

    /// Samples at `times`, which ascend.
    pub fn listed(times: &[f64]) -> Self {
        SampleTimes { start: 0.0, every: f64::INFINITY, listed: Some(times.to_vec()), decimal: None }
    }

    /// The time of sample `k`.
    pub fn at(&self, k: u64) -> f64 {
        if let Some(times) = &self.listed {
            return usize::try_from(k).ok().and_then(|k| times.get(k)).copied().unwrap_or(f64::INFINITY);
        }
        if let Some(Decimal { start, every, ten }) = self.decimal {
            let whole = start + k as f64 * every;
            if whole.abs() < WHOLE {
                return whole / ten;
            }
        }
        self.start + k as f64 * self.every
    }
}

impl Decimal {
    /// Returns `None` where there are too many digits, and for numbers that are not finite.
    fn new(start: f64, every: f64) -> Option<Self> {
        let digits = decimals(start)?.max(decimals(every)?);
        let ten: f64 = format!("1e{digits}").parse().ok()?;
        let whole = |x: f64| Some((x * ten).round()).filter(|whole| whole.abs() < WHOLE && whole / ten == x);
        Some(Decimal { start: whole(start)?, every: whole(every)?, ten })
    }
}

/// Number of decimal digits that it takes to write `x`.
fn decimals(x: f64) -> Option<usize> {
    let shown = x.is_finite().then(|| format!("{x}"))?;
    let digits = shown.split_once('.').map_or(0, |(_, digits)| digits.len());
    (digits <= MAX_DIGITS).then_some(digits)
}
