//! Margins: distances from a limit.

use super::rows::Rows;
use kinegraph_core::logic::is_true;
use kinegraph_systems::operators::Condition;

/// One margin. Its channels are numbered among those of all requirements.
#[derive(Debug)]
pub(super) enum Side {
    /// Distance of a channel above a limit.
    Above(usize, Bound),
    /// Distance of a channel below a limit.
    Below(usize, Bound),
    /// Distance of a channel beyond a level, seen from its first value.
    Reached(usize, f64),
    /// Distance of a channel from the largest overshoot `most` of its target `to`, as parts of the way there.
    NotBeyond { channel: usize, to: f64, most: f64 },
    /// Margin of a condition, or of its contrary.
    Holds { condition: Condition, channels: Vec<usize>, is_contrary: bool },
}

/// Limit of a channel.
#[derive(Debug)]
pub(super) enum Bound {
    Number(f64),
    Channel(usize),
    Rows(Rows),
}

impl Bound {
    fn at(&self, moment: &Moment<'_>) -> f64 {
        match self {
            Bound::Number(x) => *x,
            Bound::Channel(channel) => moment.row[*channel],
            Bound::Rows(rows) => rows.at(moment.time, moment.beside),
        }
    }
}

/// The channels at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment<'a> {
    pub time: f64,
    /// A time on the same side of all jumps of recorded limits.
    pub beside: f64,
    /// Values of all channels.
    pub row: &'a [f64],
    /// Values where the window begins.
    pub first: &'a [f64],
}

impl Side {
    /// The margin. Zero has a sign: that of a condition is negative where it does not hold.
    pub fn margin(&self, moment: &Moment<'_>) -> f64 {
        let Moment { time, row, first, .. } = *moment;
        match self {
            Side::Above(channel, bound) => row[*channel] - bound.at(moment),
            Side::Below(channel, bound) => bound.at(moment) - row[*channel],
            // The sum gives zero its positive sign.
            Side::Reached(channel, level) => {
                let rises = first[*channel] <= *level;
                (if rises { row[*channel] - level } else { level - row[*channel] }) + 0.0
            }
            Side::NotBeyond { channel, to, most } => {
                let way = to - first[*channel];
                let end = to + most * way;
                (if way >= 0.0 { end - row[*channel] } else { row[*channel] - end }) + 0.0
            }
            Side::Holds { condition, channels, is_contrary } => {
                let value = |i: usize| row[channels[i]];
                let margin = condition.margin(time, value);
                let is_met = || is_true(condition.value(time, value)) != *is_contrary;
                match (margin == 0.0, is_contrary) {
                    (true, _) => {
                        if is_met() {
                            0.0
                        } else {
                            -0.0
                        }
                    }
                    (false, true) => -margin,
                    (false, false) => margin,
                }
            }
        }
    }

    /// Times within `from` and `to` at which the margin has a kink or a jump that no event is at.
    pub fn kinks(&self, from: f64, to: f64) -> &[f64] {
        match self {
            Side::Above(_, Bound::Rows(rows)) | Side::Below(_, Bound::Rows(rows)) => rows.kinks(from, to),
            _ => &[],
        }
    }
}

/// True for a margin that is violated.
pub(super) fn is_violated(margin: f64) -> bool {
    margin.is_nan() || margin.is_sign_negative()
}
