//! A signal that is kept until its last value is known.

use super::piece::Piece;

/// Pieces of a signal, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Vec<Part>);

#[derive(Clone, Debug)]
struct Part {
    times: Vec<f64>,
    values: Vec<f64>,
    smooth: bool,
}

impl Part {
    fn piece(&self) -> Piece<'_> {
        Piece { times: &self.times, values: &self.values, smooth: self.smooth }
    }
}

impl Kept {
    /// Adds the next piece.
    pub fn add(&mut self, piece: &Piece<'_>) {
        match self.0.last_mut() {
            // Samples are one line.
            Some(last) if !last.smooth && !piece.smooth => {
                last.times.extend_from_slice(&piece.times[1..]);
                last.values.extend_from_slice(&piece.values[1..]);
            }
            _ => {
                let (times, values) = (piece.times.to_vec(), piece.values.to_vec());
                self.0.push(Part { times, values, smooth: piece.smooth });
            }
        }
    }

    /// First time at which the signal crosses `level`.
    pub fn crossing(&self, level: f64) -> Option<f64> {
        self.0.iter().find_map(|part| part.piece().crossing(level))
    }

    /// Time from which the distance from `target` is at most `band`; `None` if it always is.
    pub fn last_outside(&self, target: f64, band: f64) -> Option<f64> {
        self.0.iter().rev().find_map(|part| part.piece().last_outside(target, band))
    }
}
