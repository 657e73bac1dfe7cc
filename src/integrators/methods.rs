//! The integrators by name. A new one is a file with its [`IntegratorType`] and a line here: files, the command line,
//! the documents, messages and the tests of all integrators read this table.

use super::integrator_type::{Build, IntegratorType};
use super::rates::first_plant;
use super::{Integrator, IntegratorError, Options, cenic, dopri5, icf, projected_gauss_seidel, rk3, trapezoid};
use crate::diagram::Diagram;

/// Every integrator; the first is the default.
#[rustfmt::skip]
pub static METHODS: [&IntegratorType; 6] = [
    &cenic::TYPE,
    &trapezoid::TYPE,
    &icf::TYPE,
    &projected_gauss_seidel::TYPE,
    &rk3::TYPE,
    &dopri5::TYPE,
];

/// The integrator of this name.
pub fn method(name: &str) -> Option<&'static IntegratorType> {
    METHODS.into_iter().find(|method| method.name == name)
}

impl Default for Options {
    /// The default integrator with its defaults.
    fn default() -> Self {
        Options::of(METHODS[0])
    }
}

impl Options {
    /// Whether the integrator can be made for `diagram`: what [`build`](Self::build) would say, without the work.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn check_for(&self, diagram: &Diagram) -> Result<(), IntegratorError> {
        self.check()?;
        match first_plant(diagram) {
            Some(plant) if !self.integrator.takes_plants => Err(IntegratorError::NeedsDerivatives {
                integrator: self.integrator.name,
                plant: plant.to_owned(),
                advice: Some(advice()),
            }),
            _ => Ok(()),
        }
    }

    /// The integrator that these options describe, for `diagram`.
    ///
    /// # Errors
    /// [`IntegratorError::Option`]: an option out of range; [`IntegratorError::NeedsDerivatives`]: a diagram with
    /// plants, which the integrator does not take.
    pub fn build(&self, diagram: &Diagram) -> Result<Box<dyn Integrator>, IntegratorError> {
        self.check_for(diagram)?;
        match self.integrator.build {
            Build::Fixed(make) => make(self, diagram, self.fixed_step()?),
            Build::Controlled(make) => make(self, diagram, self.control()?),
            Build::Either(make) => make(self, diagram, self.pace()?),
        }
    }
}

/// Which integrators take plants.
fn advice() -> String {
    let names = |controlled: bool| {
        let fit = METHODS.into_iter().filter(|method| method.takes_plants && method.error_controlled() == controlled);
        fit.map(|method| format!("`{}`", method.name)).collect::<Vec<_>>().join(" or ")
    };
    format!("Use {}, or {} for steps of fixed length", names(true), names(false))
}
