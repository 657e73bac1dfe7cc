//! Treatment of feedback within a step.

/// Part of the external feedback that the convex step takes implicitly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feedback {
    /// The whole gain matrix: its positive semidefinite part where that is nearly all of it, else the matrix as it is.
    #[default]
    Full,
    /// Its diagonal only, where positive.
    Diagonal,
    /// None: forces and external derivatives are those at the start of the step.
    Explicit,
}
