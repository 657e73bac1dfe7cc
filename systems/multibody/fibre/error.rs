//! Faults of fibres.

/// A fibre that cannot be built.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum FibreError {
    /// A number out of range.
    #[error("{what} is {value}, but must be {expected}")]
    OutOfRange {
        /// The quantity.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The valid values.
        expected: &'static str,
    },
    /// Two points of its curve coincide.
    #[error("points {first} and {second} of its curve coincide")]
    CoincidentPoints {
        /// Index of one.
        first: usize,
        /// Index of the other.
        second: usize,
    },
    /// Two nodes coincide.
    #[error("its nodes {first} and {second} coincide where its curve turns back: give it another number of elements")]
    CoincidentNodes {
        /// Index of one.
        first: usize,
        /// Index of the other.
        second: usize,
    },
    /// A curve of too few points.
    #[error("its curve has {points} point{}, but needs two or more", if *points == 1 { "" } else { "s" })]
    TooFewPoints {
        /// Number of its points.
        points: usize,
    },
    /// An element that turns too far.
    #[error(
        "between its nodes {node} and {next} its axis turns by {angle:.3} rad; at most {largest} rad can be: give it more elements"
    )]
    TooCoarse {
        /// The first node.
        node: usize,
        /// The second.
        next: usize,
        /// The angle \[rad\].
        angle: f64,
        /// The largest valid angle \[rad\].
        largest: f64,
    },
    /// A twist that turns each element too far.
    #[error(
        "its twist of {twist} rad turns each of its elements by {angle:.3} rad; at most {largest} rad can be: give it more elements"
    )]
    TwistTooCoarse {
        /// Twist from end to end \[rad\].
        twist: f64,
        /// Twist of an element \[rad\].
        angle: f64,
        /// The largest valid angle \[rad\].
        largest: f64,
    },
    /// Ends of a closed fibre that are held.
    #[error("it is closed: its ends are joined, and neither can be clamped or pinned")]
    HeldLoop,
}

kinegraph_core::debug_is_message!(FibreError);
