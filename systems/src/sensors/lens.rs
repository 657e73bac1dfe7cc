//! The camera model: a lens without distortion.

use kinegraph_core::parameter::{self, ParameterError};
use nalgebra::Vector3;
use std::f64::consts::PI;

/// A pinhole camera without distortion. It looks along z of its frame, with x to the right and y down: the middle of
/// the pixel in row r and column c lies along `((c + 1/2 - columns/2)/f, (r + 1/2 - rows/2)/f, 1)` with
/// `f = columns/2 / tan(field_of_view/2)` (Hartley and Zisserman, Multiple View Geometry, section 6.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Lens {
    /// Pixels per row.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
    /// The angle between the left and the right edge \[rad\].
    pub field_of_view: f64,
    /// The end of the range, along z \[m\].
    pub max_depth: f64,
}

impl Lens {
    /// Focal length \[pixels\].
    pub fn focal_length(&self) -> f64 {
        0.5 * self.columns as f64 / (0.5 * self.field_of_view).tan()
    }

    pub(super) fn check(&self) -> Result<(), ParameterError> {
        for (name, count) in [("columns", self.columns), ("rows", self.rows)] {
            parameter::within(name, &[count as f64], "at least 1", |count| count >= 1.0)?;
        }
        let open = |angle: f64| angle > 0.0 && angle < PI;
        parameter::within("field_of_view", &[self.field_of_view], "an angle between 0 and 180°", open)?;
        parameter::finite("max_depth", &[self.max_depth])?;
        parameter::positive("max_depth", &[self.max_depth])?;
        parameter::held("columns", self.columns, self.rows).map(|_| ())
    }

    /// Directions of the pixels, row by row, with third component one.
    pub fn directions(&self) -> impl Iterator<Item = Vector3<f64>> {
        let (focal, half) = (self.focal_length(), |count: usize| 0.5 * count as f64 - 0.5);
        let (right, down) = (half(self.columns), half(self.rows));
        let columns = self.columns;
        (0..self.rows).flat_map(move |r| {
            (0..columns).map(move |c| Vector3::new((c as f64 - right) / focal, (r as f64 - down) / focal, 1.0))
        })
    }

    /// Directions of the pixels, with the distance at which the range ends along each \[m\].
    pub(super) fn rays(&self) -> impl Iterator<Item = (Vector3<f64>, f64)> {
        let max_depth = self.max_depth;
        self.directions().map(move |d| (d, max_depth * d.norm()))
    }
}
