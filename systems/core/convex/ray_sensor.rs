//! Sensors of model files that look along rays: what a block needs to know of them.

use nalgebra::Isometry3;

/// A sensor that looks along rays, sampled.
#[derive(Clone, Debug, PartialEq)]
pub struct RaySensor {
    /// Name, unique among those of the model; of a plant `model/name`.
    pub name: String,
    /// The link that carries it; of a plant its full name.
    pub link: String,
    /// Pose of its frame in that of the link: z is up and x ahead of a scan, z ahead and y down of a lens.
    pub X_LS: Isometry3<f64>,
    /// Where its rays go.
    pub kind: RayKind,
    /// Time between two readings \[s\].
    pub period: f64,
    /// What is added to each reading \[m\].
    pub bias: f64,
    /// Standard deviation of each reading \[m\].
    pub noise: f64,
    /// Readings are multiples of this \[m\]; zero: they are not rounded.
    pub resolution: f64,
}

/// Where rays go.
#[derive(Clone, Debug, PartialEq)]
pub enum RayKind {
    /// A scan.
    Lidar {
        /// How many azimuths there are.
        columns: usize,
        /// The first and the last \[rad\].
        azimuths: [f64; 2],
        /// The elevation of each layer \[rad\].
        elevations: Vec<f64>,
        /// The end of the range \[m\].
        max_range: f64,
    },
    /// The pixels of a camera.
    Camera {
        /// Pixels of a row.
        columns: usize,
        /// Rows.
        rows: usize,
        /// The angle between the left and the right edge \[rad\].
        field_of_view: f64,
        /// The end of the range \[m\].
        max_depth: f64,
        /// Whether it sees what stands there, and not how far away.
        labels: bool,
    },
}
