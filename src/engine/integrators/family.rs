//! What distinguishes methods where a diagram asks for more than rates of motion.

use kinegraph_convex::contact::Form;

/// By which laws a method moves plants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Convex steps with the compliant contact law of the materials; what is rigid is a row of the problem.
    Convex,
    /// The same steps with the contact law of SAP.
    NearRigid,
    /// The same steps with bodies that are rigid.
    Rigid,
    /// Rates of motion, solved for the end of the step; what is rigid is a spring.
    Implicit,
    /// Rates of motion, followed; what is rigid is a spring that asks for short steps.
    Explicit,
}

impl Family {
    /// The form of the laws of elements that such a method takes.
    pub fn form(self) -> Form {
        match self {
            Family::Convex | Family::NearRigid => Form::Convex,
            Family::Rigid => Form::Sweeps,
            Family::Implicit | Family::Explicit => Form::Continuous,
        }
    }
}
