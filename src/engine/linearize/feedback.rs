//! How feedback acts within a step.

/// How much of the external feedback the convex step takes implicitly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feedback {
    /// The whole gain matrix: as its positive semidefinite part where that is nearly all of it, else as it is.
    #[default]
    Full,
    /// Its diagonal only, where positive.
    Diagonal,
    /// Nothing: forces and external derivatives are those at the start of the step.
    Explicit,
}
