//! Reasons why a shape is no convex solid.

/// Reasons why a shape is no convex solid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolidError {
    /// Triangles that collide as they are.
    #[error("triangles that collide as they are enclose no volume; let it collide as convex hulls")]
    Triangles,
    /// A number that must be positive.
    #[error("its {what} is {value}: it must be a positive finite number")]
    OutOfRange {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A curved shape whose hull would have too many corners.
    #[error("its resolution of {resolution} m would give {corners:.0} corners; at most {most} are allowed")]
    TooFine {
        /// Requested edge length \[m\].
        resolution: f64,
        /// Approximate number of corners that it gives.
        corners: f64,
        /// Maximum number of corners.
        most: usize,
    },
    /// A compliant half-space has no thickness of its own.
    #[error("a compliant half-space needs the thickness of its layer (`slab_thickness`)")]
    NoThickness,
    /// Its corners have no hull.
    #[error("it has no volume: {0}")]
    Hull(#[from] crate::HullError),
}
