//! Layout and meaning of ports whose numbers are a picture or a scan.

use crate::port::Sampling;
use nalgebra::{Isometry3, Vector3};

/// A picture at a port, row by row from the upper left; a row of a scan is one of its layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Rows.
    pub rows: usize,
    /// Numbers per row.
    pub columns: usize,
    /// Full name of the link that carries the sensor (`robot/mast`).
    pub link: String,
    /// Pose of the sensor in the frame of the link.
    pub X_LS: Isometry3<f64>,
    /// Times at which pictures are taken.
    pub sampling: Sampling,
    /// Delay from taking a picture until it is at the port \[s\].
    pub latency: f64,
    /// Meaning of the numbers.
    pub shows: Shows,
}

/// Meaning of the numbers of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Shows {
    /// Distances along the axis of a camera \[m\].
    Depth {
        /// Focal length of the camera \[pixels\].
        focal_length: f64,
    },
    /// Label of the object in each pixel of a camera: 0 for none, otherwise 1 + its index in `names`.
    Labels {
        /// Focal length of the camera \[pixels\].
        focal_length: f64,
        /// Names of the labels.
        names: Vec<String>,
    },
    /// Distances along the rays of a scan \[m\].
    Ranges {
        /// First azimuth, and the increment between two \[rad\].
        azimuths: [f64; 2],
        /// The elevation of each layer \[rad\].
        elevations: Vec<f64>,
        /// End of the range \[m\], reported by rays that meet nothing.
        end: f64,
    },
}

impl Picture {
    /// The points that the rays of a scan meet, in the frame of the sensor \[m\]; empty for other pictures.
    pub fn met(&self, ranges: &[f64]) -> Vec<Vector3<f64>> {
        let Shows::Ranges { azimuths: [first, increment], elevations, end } = &self.shows else { return Vec::new() };
        let mut points = Vec::new();
        for (row, elevation) in ranges.chunks(self.columns.max(1)).zip(elevations) {
            let (up, out) = elevation.sin_cos();
            for (i, range) in row.iter().enumerate().filter(|(_, range)| *range < end) {
                let (y, x) = (first + i as f64 * increment).sin_cos();
                points.push(Vector3::new(range * out * x, range * out * y, range * up));
            }
        }
        points
    }

    /// Time at which the picture at the port at `time` was taken \[s\]; `None` before the first picture.
    pub fn taken(&self, time: f64) -> Option<f64> {
        let Sampling { period, offset } = self.sampling;
        let k = ((time - self.latency - offset) / period + 1e-9).floor();
        (k >= 0.0).then_some(offset + k * period)
    }
}
