//! Common periods of sampled blocks.

use super::super::fault::LinearizeFault;
use crate::choices::sampled::{LARGEST_RATIO, MAX_INSTANTS, WHOLE};
use kinegraph_core::Sampling;

/// The period of a model in discrete time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Period {
    /// The least common multiple of the periods of the sampled blocks.
    Common,
    /// This one \[s\], of which every period of a block is a part.
    Of(f64),
}

impl Period {
    /// Its length \[s\] for blocks that are sampled so.
    pub(super) fn length(self, blocks: &[(String, Sampling)]) -> Result<f64, LinearizeFault> {
        let common = common(blocks)?;
        let length = match (self, common) {
            (Period::Common, None) => return Err(LinearizeFault::NothingSampled),
            (Period::Common, Some(common)) => common,
            (Period::Of(length), _) => length,
        };
        let whole = |ratio: f64| ratio > 0.5 && (ratio - ratio.round()).abs() <= WHOLE * ratio;
        let unfit = blocks.iter().filter(|(_, sampling)| !whole(length / sampling.period));
        let unfit: Vec<(String, f64)> = unfit.map(|(name, sampling)| (name.clone(), sampling.period)).collect();
        if !unfit.is_empty() {
            return Err(LinearizeFault::PeriodOfBlocks {
                period: length,
                blocks: unfit,
                common: common.unwrap_or(length),
            });
        }
        let instants: f64 = blocks.iter().map(|(_, sampling)| length / sampling.period).sum();
        if instants > MAX_INSTANTS as f64 {
            return Err(LinearizeFault::TooManyInstants { period: length, instants });
        }
        Ok(length)
    }
}

/// The least common multiple of all periods \[s\]; `None` without any.
fn common(blocks: &[(String, Sampling)]) -> Result<Option<f64>, LinearizeFault> {
    let Some((first, shortest)) = blocks.iter().min_by(|a, b| a.1.period.total_cmp(&b.1.period)) else {
        return Ok(None);
    };
    let (mut numerator, mut denominator) = (1_u64, 0_u64);
    for (name, sampling) in blocks {
        let Some((n, d)) = fraction(sampling.period / shortest.period) else {
            let pair = [(first.clone(), shortest.period), (name.clone(), sampling.period)];
            return Err(LinearizeFault::NoCommonPeriod { blocks: Box::new(pair) });
        };
        // The least common multiple of fractions in lowest terms.
        let common = gcd(numerator, n);
        let Some(next) = (numerator / common).checked_mul(n) else {
            let (period, instants) = (f64::INFINITY, f64::INFINITY);
            return Err(LinearizeFault::TooManyInstants { period, instants });
        };
        (numerator, denominator) = (next, gcd(denominator, d));
    }
    Ok(Some(shortest.period * numerator as f64 / denominator as f64))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A ratio of small whole numbers by its continued fraction.
fn fraction(ratio: f64) -> Option<(u64, u64)> {
    let (mut before, mut now) = ((0_u64, 1_u64), (1_u64, 0_u64));
    let mut rest = ratio;
    loop {
        let whole = rest.round();
        // A negative rest after rounding up would need signs; the floor does without.
        let part = if (rest - whole).abs() <= WHOLE * rest { whole } else { rest.floor() };
        if part > LARGEST_RATIO {
            return None;
        }
        let next = (part as u64 * now.0 + before.0, part as u64 * now.1 + before.1);
        if next.0.max(next.1) as f64 > LARGEST_RATIO {
            return None;
        }
        if (next.0 as f64 - ratio * next.1 as f64).abs() <= WHOLE * next.0 as f64 {
            return Some(next);
        }
        rest = 1.0 / (rest - part);
        (before, now) = (now, next);
    }
}
