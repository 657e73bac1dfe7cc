//! Ray sensors of model files, as blocks need them.

use nalgebra::Isometry3;

/// A sampled ray sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct RaySensor {
    /// Name, unique within the model; within a plant `model/name`.
    pub name: String,
    /// The link that carries it; within a plant its full name.
    pub link: String,
    /// Pose of its frame in that of the link. For a scan, z is up and x ahead; for a camera, z is ahead and y down.
    pub X_LS: Isometry3<f64>,
    /// Directions of its rays.
    pub kind: RayKind,
    /// Time between two readings \[s\].
    pub period: f64,
    /// Offset of each reading \[m\].
    pub bias: f64,
    /// Standard deviation of the noise of each reading \[m\].
    pub noise: f64,
    /// Readings are rounded to multiples of this \[m\]; zero: no rounding.
    pub resolution: f64,
}

/// Directions of rays.
#[derive(Clone, Debug, PartialEq)]
pub enum RayKind {
    /// A scan.
    Lidar {
        /// Number of azimuths.
        columns: usize,
        /// First and last azimuth \[rad\].
        azimuths: [f64; 2],
        /// The elevation of each layer \[rad\].
        elevations: Vec<f64>,
        /// The end of the range \[m\].
        max_range: f64,
    },
    /// The pixels of a camera.
    Camera {
        /// Pixels per row.
        columns: usize,
        /// Number of rows.
        rows: usize,
        /// The angle between the left and the right edge \[rad\].
        field_of_view: f64,
        /// The end of the range \[m\].
        max_depth: f64,
        /// True if it reports labels of objects instead of depths.
        labels: bool,
    },
}
