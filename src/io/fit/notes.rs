//! Notes of a fit on its recordings.

use super::levenberg::{Evaluated, Stop};
use super::problem::Fit;
use super::report::{FittedNumber, FittedSeries};
use std::f64::consts::PI;

/// Differences over the stated noise from which it is noted.
const ABOVE_NOISE: f64 = 1.5;
/// Correlation of neighbouring differences from which it is noted.
const COLOURED: f64 = 0.3;
/// Samples of a series from which its differences are judged.
const MIN_JUDGED_SAMPLES: usize = 20;
/// How near a ratio of data and run must be to that of two units, as a part of it.
const NEAR_RATIO: f64 = 0.03;
/// Part of the data that may be left where they are in another unit.
const LEFT_RATIO: f64 = 0.2;
/// Times of a recording beyond the run, over its duration, from which their unit is doubted.
const OTHER_UNIT: f64 = 100.0;
/// Change by the error of the run, over the half interval, from which it is noted.
const MOVED: f64 = 0.3;
/// Ratios of units that are often mistaken, with their names.
const UNITS: [(f64, &str); 6] = [
    (180.0 / PI, "in degrees, the channel in radians"),
    (PI / 180.0, "in radians, the channel in degrees"),
    (1e3, "in thousandths (mm, ms), the channel is not"),
    (1e-3, "in thousands (km, kN), the channel is not"),
    (30.0 / PI, "in revolutions a minute, the channel in rad/s"),
    (-1.0, "of the other sign"),
];

/// Notes on a fit.
pub(super) fn of(fit: &Fit, series: &[FittedSeries], at: &Evaluated, deviations: &[f64], stop: Stop) -> Vec<String> {
    let mut notes = Vec::new();
    let duration = fit.scenario.duration;
    for recording in fit.recordings.iter().filter(|recording| recording.left_out > 0) {
        let rows = recording.left_out + recording.times.len();
        let doubt = if recording.left_out as f64 > (1.0 - 1.0 / OTHER_UNIT) * rows as f64 - 1.0 {
            ": are its times in seconds from the start of the run?"
        } else {
            ""
        };
        let (left, file) = (recording.left_out, recording.path.display());
        notes.push(format!(
            "{file}: {left} of {rows} rows are before or after the run, which ends at {duration} s{doubt}"
        ));
    }
    for own in series.iter().filter(|own| own.times.len() >= MIN_JUDGED_SAMPLES) {
        let looks = own.differences.iter().find_map(|differences| other_unit(own, differences));
        if let Some(words) = looks {
            notes.push(format!("{}: the column of {} looks as if it were {words}", own.file, own.channel));
        }
        let c = neighbours(&own.differences[1]);
        if c > COLOURED && stop != Stop::Interrupted {
            notes.push(format!(
                "{}: differences of {} have a pattern (correlation of neighbours {c:.2}): something is not in the \
                 model, and intervals are too narrow",
                own.file, own.channel
            ));
        }
    }
    for (channel, one) in fit.matches.iter().enumerate() {
        let ratio = fit.rms(&at.differences)[channel].0 / deviations[channel];
        if fit.noise[channel].is_some() && ratio > ABOVE_NOISE {
            notes.push(format!("{}: differences are {ratio:.1} times the noise that was stated", one.channel));
        }
    }
    notes
}

/// Note on numbers whose values the error of the run moves.
pub(super) fn of_run_errors(parameters: &[FittedNumber], accuracy: f64) -> Option<String> {
    let ratio = |one: &FittedNumber| Some(one.run_error?.abs() / one.interval?);
    let is_moved = |one: &&FittedNumber| ratio(one).is_some_and(|ratio| ratio > MOVED);
    let most = parameters.iter().filter_map(ratio).fold(0.0, f64::max);
    let names: Vec<&str> = parameters.iter().filter(is_moved).map(|one| one.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "at an eighth of the accuracy {accuracy:?} values move by up to {most:.1} of their intervals ({}): set \
             simulation.accuracy to a smaller one",
            names.join(", ")
        )
    })
}

/// Correlation of neighbours.
fn neighbours(r: &[f64]) -> f64 {
    let square: f64 = r.iter().map(|r| r * r).sum();
    let product: f64 = r.windows(2).map(|pair| pair[0] * pair[1]).sum();
    if square > 0.0 { product / square } else { 0.0 }
}

/// Unit in which the data seem to be.
fn other_unit(series: &FittedSeries, differences: &[f64]) -> Option<&'static str> {
    let run: Vec<f64> = series.data.iter().zip(differences).map(|(data, r)| data + r).collect();
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let (own, all) = (dot(&run, &run), dot(&series.data, &series.data));
    if own == 0.0 || all == 0.0 {
        return None;
    }
    let ratio = dot(&series.data, &run) / own;
    let left = (all - ratio * ratio * own).max(0.0).sqrt() / all.sqrt();
    UNITS.iter().find(|(unit, _)| left < LEFT_RATIO && (ratio / unit - 1.0).abs() < NEAR_RATIO).map(|(_, words)| *words)
}
