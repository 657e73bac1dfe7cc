//! Computes a measure of a signal while it comes.

use super::kept::Kept;
use super::measure::MeasureKind;
use super::piece::Piece;
use kinegraph_core::logic::least;

/// Parts of the way from the first value to the last between which a signal rises.
const RISE: (f64, f64) = (0.1, 0.9);

/// Computes one measure of a signal.
#[derive(Clone, Debug)]
pub struct Gauge {
    kind: MeasureKind,
    /// Time and value of the first sample and of the last.
    first: (f64, f64),
    last: Option<(f64, f64)>,
    /// Value so far: an extreme, an integral, the time of the crossing.
    gathered: Option<f64>,
    /// The smallest value and the largest, where both count.
    extremes: (f64, f64),
    /// The signal, where the measure depends on its last value.
    kept: Kept,
}

impl Gauge {
    /// Creates a gauge of a signal that is to come.
    pub fn new(kind: MeasureKind) -> Self {
        let kept = Kept::default();
        Gauge { kind, first: (0.0, 0.0), last: None, gathered: None, extremes: (0.0, 0.0), kept }
    }

    /// Adds the next sample, joined by a straight line.
    pub fn take(&mut self, time: f64, value: f64) {
        match self.last {
            None => self.begin(time, value),
            Some((t, x)) => self.add(&Piece { times: &[t, time], values: &[x, value], smooth: false }),
        }
        self.last = Some((time, value));
    }

    /// Adds the values of a smooth signal at evenly spaced times; a jump may be before it.
    pub fn take_smooth(&mut self, times: &[f64], values: &[f64]) {
        let (Some(&time), Some(&value)) = (times.first(), values.first()) else { return };
        if self.last != Some((time, value)) {
            self.take(time, value);
        }
        if times.len() > 1 {
            self.add(&Piece { times, values, smooth: true });
        }
        self.last = times.last().copied().zip(values.last().copied());
    }

    fn begin(&mut self, time: f64, value: f64) {
        (self.first, self.extremes) = ((time, value), (value, value));
        self.gathered = match self.kind {
            MeasureKind::Max | MeasureKind::Min => Some(value),
            MeasureKind::Peak | MeasureKind::MaxAbs => Some(value.abs()),
            MeasureKind::Mean
            | MeasureKind::Rms
            | MeasureKind::Integral
            | MeasureKind::IntegralAbs
            | MeasureKind::Energy => Some(0.0),
            MeasureKind::Crossing(level) => (value == level).then_some(time),
            MeasureKind::At(at) => (time == at).then_some(value),
            MeasureKind::End | MeasureKind::Overshoot | MeasureKind::Settling(_) | MeasureKind::Rise => None,
        };
    }

    fn add(&mut self, piece: &Piece<'_>) {
        match (self.kind, &mut self.gathered) {
            (MeasureKind::Max, Some(most)) => *most = -least(-*most, piece.least(-1.0)),
            (MeasureKind::Min, Some(low)) => *low = least(*low, piece.least(1.0)),
            (MeasureKind::Peak | MeasureKind::MaxAbs, Some(most)) => {
                *most = -least(-*most, least(piece.least(-1.0), piece.least(1.0)));
            }
            (MeasureKind::Mean | MeasureKind::Integral, Some(sum)) => *sum += piece.integral(|x| x),
            (MeasureKind::Rms | MeasureKind::Energy, Some(sum)) => *sum += piece.integral(|x| x * x),
            (MeasureKind::IntegralAbs, Some(sum)) => *sum += piece.integral_of_magnitude(),
            (MeasureKind::Crossing(level), found @ None) => *found = piece.crossing(level),
            // At a jump the value after it counts.
            (MeasureKind::At(at), found) => *found = piece.at(at).or(*found),
            (MeasureKind::Overshoot, _) => {
                let (low, high) = self.extremes;
                self.extremes = (least(low, piece.least(1.0)), -least(-high, piece.least(-1.0)));
            }
            (MeasureKind::Settling(_) | MeasureKind::Rise, _) => self.kept.add(piece),
            _ => {}
        }
    }

    /// Measure of the signal so far; `None` without one.
    pub fn value(&self) -> Option<f64> {
        let (time, value) = self.last?;
        let (began, start) = self.first;
        let (over, way) = (time - began, value - start);
        match (self.kind, self.gathered) {
            (MeasureKind::End, _) => Some(value),
            // A run of zero length has one value.
            (MeasureKind::Mean, Some(_)) if over <= 0.0 => Some(value),
            (MeasureKind::Rms, Some(_)) if over <= 0.0 => Some(value.abs()),
            (MeasureKind::Mean, Some(sum)) => Some(sum / over),
            (MeasureKind::Rms, Some(sum)) => Some((sum / over).sqrt()),
            (MeasureKind::Overshoot, _) => {
                let (low, high) = self.extremes;
                let beyond = if way > 0.0 { high - value } else { value - low };
                (way != 0.0).then(|| beyond / way.abs())
            }
            (MeasureKind::Settling(band), _) => Some(self.kept.last_outside(value, band).unwrap_or(began)),
            (MeasureKind::Rise, _) => {
                let at = |part: f64| self.kept.crossing(start + part * way);
                Some(at(RISE.1)? - at(RISE.0)?).filter(|_| way != 0.0)
            }
            (_, gathered) => gathered,
        }
    }
}
