//! What the numbers of a port show where they are a picture or a scan.

use crate::port::Sampling;
use nalgebra::{Isometry3, Vector3};

/// A picture at a port, row by row from the upper left number on; of a scan a row is a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Rows.
    pub rows: usize,
    /// Numbers of a row.
    pub columns: usize,
    /// Full name of the link that carries the sensor (`robot/mast`).
    pub link: String,
    /// Pose of the sensor in the frame of the link.
    pub X_LS: Isometry3<f64>,
    /// When pictures are taken.
    pub sampling: Sampling,
    /// Time from when a picture is taken until it is at the port \[s\].
    pub latency: f64,
    /// What the numbers are.
    pub shows: Shows,
}

/// What the numbers of a picture are.
#[derive(Clone, Debug, PartialEq)]
pub enum Shows {
    /// Distances along the axis of a camera \[m\].
    Depth {
        /// Focal length of the camera \[pixels\].
        focal_length: f64,
    },
    /// What stands in each pixel of a camera: zero for nothing, else one more than the place among `names`.
    Labels {
        /// Focal length of the camera \[pixels\].
        focal_length: f64,
        /// Names of what is distinguished.
        names: Vec<String>,
    },
    /// Distances along the rays of a scan \[m\].
    Ranges {
        /// The first azimuth and the distance of two \[rad\].
        azimuths: [f64; 2],
        /// The elevation of each layer \[rad\].
        elevations: Vec<f64>,
        /// The end of the range, read where there is nothing \[m\].
        end: f64,
    },
}

impl Picture {
    /// The points that the rays of a scan meet, in the frame of the sensor \[m\]; none of other pictures.
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

    /// When the picture was taken that stands at the port at `time` \[s\]; `None` before the first does.
    pub fn taken(&self, time: f64) -> Option<f64> {
        let Sampling { period, offset } = self.sampling;
        let k = ((time - self.latency - offset) / period + 1e-9).floor();
        (k >= 0.0).then_some(offset + k * period)
    }
}
