//! What there is to know of an integrator by its name: what it is, what it reads, how it is made.

use super::family::Family;
use super::{Integrator, IntegratorError, Options, StepControl, StepLength};
use kinegraph_diagram::Diagram;

/// An integrator that files and the command line can name.
#[derive(Clone, Copy)]
pub struct IntegratorType {
    /// The name.
    pub name: &'static str,
    /// By which laws it moves plants.
    pub family: Family,
    /// One line on it.
    pub about: &'static str,
    /// When to take it and when not, in Markdown; may be empty.
    pub remarks: &'static str,
    /// The keys of `simulation` in diagram files that it reads, besides `integrator` and `duration`.
    pub options: &'static [&'static str],
    /// How it is made.
    pub build: Build,
}

/// What an integrator is, or why it cannot be made.
type Made = Result<Box<dyn Integrator>, IntegratorError>;

/// Makes an integrator for a diagram, with steps as they are given.
pub type Make<Steps> = fn(&Options, &Diagram, Steps) -> Made;

/// How an integrator is made for a diagram, by the steps that it takes.
#[derive(Clone, Copy)]
pub enum Build {
    /// Of a given length \[s\], which must be given.
    Fixed(Make<f64>),
    /// As long as the accuracy allows.
    Controlled(Make<StepControl>),
    /// Of a given length, if one is given.
    Either(Make<StepLength>),
}

impl IntegratorType {
    /// Whether it can choose its steps; otherwise their length must be given.
    pub fn error_controlled(&self) -> bool {
        !matches!(self.build, Build::Fixed(_))
    }
}

impl PartialEq for IntegratorType {
    /// Names distinguish them.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for IntegratorType {}

impl std::fmt::Debug for IntegratorType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
