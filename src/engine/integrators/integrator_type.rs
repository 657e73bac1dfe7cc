//! Description of an integrator by its name: its laws, its options, and how it is made.

use super::family::Family;
use super::{Integrator, IntegratorError, Options, StepControl, StepLength};
use kinegraph_diagram::Diagram;

/// An integrator that files and the command line can name.
#[derive(Clone, Copy)]
pub struct IntegratorType {
    /// Name of the integrator.
    pub name: &'static str,
    /// Laws by which it moves plants.
    pub family: Family,
    /// One line on it.
    pub about: &'static str,
    /// When to choose it and when not, in Markdown; may be empty.
    pub remarks: &'static str,
    /// Keys of `simulation` in diagram files that it reads, besides `integrator` and `duration`.
    pub options: &'static [&'static str],
    /// Function that makes it.
    pub build: Build,
}

/// An integrator, or the reason why it cannot be made.
type Made = Result<Box<dyn Integrator>, IntegratorError>;

/// Makes an integrator for a diagram, with the given steps.
pub type Make<Steps> = fn(&Options, &Diagram, Steps) -> Made;

/// Function that makes an integrator for a diagram, by the kind of its steps.
#[derive(Clone, Copy)]
pub enum Build {
    /// Steps of a given length \[s\], which must be given.
    Fixed(Make<f64>),
    /// Steps as long as the accuracy allows.
    Controlled(Make<StepControl>),
    /// Steps of a given length, if one is given.
    Either(Make<StepLength>),
}

impl IntegratorType {
    /// True if it can choose its steps; otherwise their length must be given.
    pub fn error_controlled(&self) -> bool {
        !matches!(self.build, Build::Fixed(_))
    }
}

impl PartialEq for IntegratorType {
    /// Integrators with the same name are equal.
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
