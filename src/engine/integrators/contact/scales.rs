//! Scales of a run: the lengths and speeds that count as zero.
//!
//! No rule has a length, a time or a speed of its own. A run knows its accuracy with the weights of errors, the
//! stiction tolerance of its plants and its largest step; from these follow
//!
//! ```text
//! rest \[m/s\]    what moves no faster rests:                      at_rest * stiction tolerance
//! sticks \[m/s\]  what moves no faster may stick:                  stiction tolerance
//! touch \[m\]     gaps of joint stops below it are none:           rest * max_step
//! rounding \[m\]  violations below it are not corrected:      ROUNDING * touch
//! off \[m\]       farther off its stop or constraint it returns:   stiction tolerance * off_constraint * max_step
//! ```
//!
//! The largest step of a run with steps of fixed length is that length. An angle counts as the length that errs as
//! much: weight of angles over weight of lengths.

use super::options::StepOptions;
use crate::integrators::ErrorWeights;
use crate::linearize::External;
use kinegraph_convex::contact::RunScales;
use kinegraph_core::convex::{ConstraintRows, Coordinate, RowMeasure};
use nalgebra::Vector3;

/// Largest violation of constraints that counts as none, as a part of the largest gap of a closed stop.
const ROUNDING: f64 = 1e-5; // rounding

/// The scales of a run.
#[derive(Clone, Debug, Default)]
pub struct Scales {
    /// Unit of the position of each velocity: the part that counts as 1 m does.
    units: Vec<f64>,
    /// Scales that laws use.
    of_laws: RunScales,
    /// Speed \[m/s\].
    rest: f64,
    sticks: f64,
    /// Gap \[m\].
    touch: f64,
    /// Violations \[m\].
    rounding: f64,
    off: f64,
    /// Length that counts as an accuracy of 1 \[m\].
    length: f64,
}

impl Scales {
    /// Scales of a run of the diagram of `external` with `options`.
    pub fn new(options: &StepOptions, external: &External) -> Self {
        let (diagram, layout) = (external.diagram(), external.layout());
        let weights = options.error_weights.unwrap_or_default();
        let of_laws = laws(&weights, options.max_step);
        let unit = |kind: Coordinate| of_laws.unit(kind);
        let plants = || layout.plants.iter().map(|slot| layout.plant(diagram, slot));
        let units = plants().flat_map(|plant| plant.structure().coordinates.iter().map(|kind| unit(*kind))).collect();
        let tolerance = plants().map(|plant| plant.stiction_tolerance()).fold(f64::INFINITY, f64::min);
        let tolerance = if tolerance.is_finite() { tolerance } else { 0.0 };
        let tuning = &options.tuning;
        let rest = tuning.at_rest * tolerance;
        let touch = rest * options.max_step;
        let length = 1.0 / counted(weights.length);
        // The distance of creep in a first step.
        let off = tolerance * tuning.off_constraint * options.max_step;
        let rounding = ROUNDING * touch;
        Scales { units, of_laws, rest, sticks: tolerance, touch, rounding, off, length }
    }

    /// Scales that laws use.
    pub fn of_laws(&self) -> RunScales {
        self.of_laws
    }

    /// The error \[m\] that a length may have at `accuracy`.
    pub fn length(&self, accuracy: f64) -> f64 {
        accuracy * self.length
    }

    /// Weight of an error of the position of `velocity` \[1/m, 1/rad\]; of an orientation, that of its quaternion.
    pub fn weight(&self, velocity: usize) -> f64 {
        1.0 / (self.length * self.unit(velocity))
    }

    /// Unit of the position of `velocity`: the part that counts as 1 m does.
    pub fn unit(&self, velocity: usize) -> f64 {
        self.units[velocity]
    }

    /// Unit of the measure of rows, of the plant whose velocities begin with `first`.
    pub fn unit_of(&self, rows: &ConstraintRows, first: usize) -> f64 {
        match rows.measure {
            RowMeasure::Orientation { .. } | RowMeasure::Turn { .. } => self.of_laws.angle,
            RowMeasure::Point { .. }
            | RowMeasure::Shift { .. }
            | RowMeasure::Distance { .. }
            | RowMeasure::Arms { .. } => 1.0,
            RowMeasure::Coordinates(entries) => self.unit(first + entries[0].0),
        }
    }

    /// Largest speed of a `velocity` at rest \[m/s, rad/s\].
    pub fn rest(&self, velocity: usize) -> f64 {
        self.rest * self.unit(velocity)
    }

    /// Largest speed of a `velocity` that may be the creep of sticking \[m/s, rad/s\].
    pub fn sticks(&self, velocity: usize) -> f64 {
        self.sticks * self.unit(velocity)
    }

    /// Largest speed at rest \[m/s\].
    pub fn rest_speed(&self) -> f64 {
        self.rest
    }

    /// Largest gap of a closed joint stop \[m, rad\].
    pub fn touch(&self, velocity: usize) -> f64 {
        self.touch * self.unit(velocity)
    }

    /// Largest gap of a closed row \[m\].
    pub fn touch_length(&self) -> f64 {
        self.touch
    }

    /// Largest violation of constraints that is not corrected, for rounding \[m\].
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// Violation of a stop from which a joint returns by position corrections \[m, rad\].
    pub fn off(&self, velocity: usize) -> f64 {
        self.off * self.unit(velocity)
    }

    /// True if rows, of the plant whose velocities begin with `first`, are off by more than that.
    pub fn is_off(&self, rows: &ConstraintRows, first: usize) -> bool {
        self.is_far(Vector3::from(rows.violation).norm(), rows, first)
    }

    /// True if the displacement `way` of rows, of the plant whose velocities begin with `first`, is longer than that.
    pub fn is_far(&self, way: f64, rows: &ConstraintRows, first: usize) -> bool {
        way > self.off * self.unit_of(rows, first)
    }

    /// Largest of the velocities `v` of all plants, in m/s or its equivalent.
    pub fn fastest(&self, v: &[f64]) -> f64 {
        v.iter().zip(&self.units).fold(0.0, |most: f64, (v, unit)| most.max(v.abs() / unit))
    }
}

/// Scales that laws use, in a run with these weights of errors and this largest step.
pub(in crate::integrators) fn laws(weights: &ErrorWeights, max_step: f64) -> RunScales {
    RunScales {
        max_step,
        angle: counted(weights.length) / counted(weights.angle),
        // Half an angle deviates a quaternion by as much.
        spin: counted(weights.length) / (2.0 * counted(weights.rotation)),
    }
}

/// Weight to divide by: 1 for coordinates that are left out of the norm.
fn counted(weight: f64) -> f64 {
    if weight > 0.0 { weight } else { 1.0 }
}
