//! Reasons why a shape has no pressure field, or two fields no contact surface.

/// Reasons why a shape has no pressure field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// A number that must be positive (or zero).
    #[error("its {what} is {value}: {expected}")]
    OutOfRange {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The valid values.
        expected: &'static str,
    },
    /// A curved shape whose mesh would have too many cells.
    #[error("its resolution of {resolution} m would give {cells:.0} cells; at most {most} are allowed")]
    TooFine {
        /// Requested edge length \[m\].
        resolution: f64,
        /// Approximate number of cells that it gives.
        cells: f64,
        /// Maximum number of cells.
        most: usize,
    },
    /// A compliant half-space has no thickness of its own.
    #[error("a compliant half-space needs the thickness of its layer (`slab_thickness`)")]
    NoThickness,
    /// No tetrahedron with a finite gradient is left.
    #[error("it is so small or thin that its pressure field has no finite gradient")]
    Vanishes,
    /// A triangle with the index of a missing vertex.
    #[error("a triangle names a vertex that is not there")]
    Index,
}

/// Reasons why two geometries have no contact surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsupportedPair {
    /// Neither side is compliant.
    #[error("both are rigid")]
    BothRigid,
    /// Both are half-spaces: they overlap everywhere or nowhere.
    #[error("both are half-spaces")]
    BothHalfSpaces,
}
