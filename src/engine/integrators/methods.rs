//! The integrators of the engine, and how any integrator is made. The table of all, with those of other crates, is that
//! of `kinegraph-methods`: files, the command line, the documents, messages and the tests of all integrators use it.

use super::family::Motion;
use super::integrator_type::{Build, IntegratorType};
use super::{
    Integrator, IntegratorError, Options, bs23, dopri5, icf, implicit_euler, rk3, ros2, sdirk2, semi_implicit_euler,
    step_doubling,
};
use crate::choices::fault::MAX_MATRIX_BYTES;
use crate::linearize::{External, Feedback};
use kinegraph_convex::contact::untaken_elements;
use kinegraph_core::memory;
use kinegraph_diagram::Diagram;

/// The integrators of this crate; the first is the default.
#[rustfmt::skip]
pub static CORE_METHODS: [&IntegratorType; 9] = [
    &step_doubling::TYPE,
    &icf::TYPE,
    &rk3::TYPE,
    &bs23::TYPE,
    &dopri5::TYPE,
    &sdirk2::TYPE,
    &ros2::TYPE,
    &implicit_euler::TYPE,
    &semi_implicit_euler::TYPE,
];

impl Default for Options {
    /// The default integrator with its defaults.
    fn default() -> Self {
        Options::of(CORE_METHODS[0])
    }
}

impl Options {
    /// Builds the integrator that these options describe, for `diagram`.
    ///
    /// # Errors
    /// [`IntegratorError::Option`]: an option out of range. [`IntegratorError::Elements`]: the plants have elements
    /// that the integrator has no law for, all of them together.
    pub fn build(&self, diagram: &Diagram) -> Result<Box<dyn Integrator>, IntegratorError> {
        check_elements(self.integrator, diagram)?;
        self.check_size(diagram)?;
        match self.integrator.build {
            Build::Fixed(make) => make(self, diagram, self.fixed_step()?),
            Build::Controlled(make) => make(self, diagram, self.control()?),
            Build::Either(make) => make(self, diagram, self.step_length()?),
        }
    }
}

impl Options {
    /// Checks that the matrices of a linearization fit into memory: two that are square in the coupled states outside
    /// of the plants, and for implicit methods of diagrams with plants in all states.
    fn check_size(&self, diagram: &Diagram) -> Result<(), IntegratorError> {
        let outside = diagram.blocks().iter().filter(|block| block.system.as_plant().is_none());
        let states = match self.integrator.family.motion {
            Motion::Explicit => return Ok(()),
            Motion::Implicit => diagram.state_width(),
            _ if self.feedback == Feedback::Explicit => return Ok(()),
            Motion::Steps => outside.map(|block| block.state.len()).sum(),
        };
        let mut bytes = 2.0 * size_of::<f64>() as f64 * (states as f64).powi(2);
        let by_groups = self.integrator.family.motion != Motion::Implicit || diagram.plants().next().is_none();
        let what = || format!("`{}` with derivatives of {states} states by each other", self.integrator.name);
        let is_large = bytes > MAX_MATRIX_BYTES || memory::ask(what, bytes as u64).is_err();
        if is_large && by_groups {
            // Uncoupled states take no memory; finding them is work that only such diagrams need.
            bytes = External::new(diagram).matrix_bytes();
        }
        if bytes > MAX_MATRIX_BYTES {
            return Err(IntegratorError::TooLarge { integrator: self.integrator.name, states, bytes });
        }
        Ok(memory::ask(what, bytes as u64)?)
    }
}

/// Checks that the integrator has laws for all elements of the plants.
fn check_elements(integrator: &IntegratorType, diagram: &Diagram) -> Result<(), IntegratorError> {
    let mut elements = Vec::new();
    for block in diagram.blocks() {
        if let Some(plant) = block.system.as_plant() {
            untaken_elements(&block.name, plant.structure(), integrator.family.form, &mut elements);
        }
    }
    if elements.is_empty() {
        return Ok(());
    }
    Err(IntegratorError::Elements { integrator: integrator.name, elements })
}
