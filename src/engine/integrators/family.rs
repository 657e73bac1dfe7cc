//! Properties that distinguish methods where a diagram asks for more than rates of motion.

use super::features::Support;
use kinegraph_convex::contact::Form;

/// Formulation by which a method moves plants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Steps with contact problems; rigid elements are rows of the problem.
    Steps,
    /// Rates of motion, solved for the end of the step; rigid elements are springs.
    Implicit,
    /// Rates of motion, explicit; rigid elements are springs that require short steps.
    Explicit,
}

/// Laws by which a method moves plants. Methods of one family agree about them; a method with laws of its own has a
/// family of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// Name of the family.
    pub name: &'static str,
    /// Formulation by which it moves plants.
    pub motion: Motion,
    /// Form of the laws of elements.
    pub form: Form,
    /// Support for bodies in contact.
    pub contact: Support,
    /// Support for dry friction between bodies.
    pub friction: Support,
    /// True if bodies touch by the compliant law of their materials: methods that share it can be compared.
    pub by_materials: bool,
}

impl Family {
    /// Convex steps with the compliant contact law of the materials.
    pub const CONVEX: Family = Family {
        name: "convex",
        motion: Motion::Steps,
        form: Form::CONVEX,
        contact: Support::Fully,
        friction: Support::Fully,
        by_materials: true,
    };
    /// Rates of motion, solved for the end of the step.
    pub const IMPLICIT: Family = Family {
        name: "implicit",
        motion: Motion::Implicit,
        form: Form::CONTINUOUS,
        contact: Support::By("nothing watches for what is passed through"),
        friction: Support::Fully,
        by_materials: true,
    };
    /// Rates of motion, explicit.
    pub const EXPLICIT: Family = Family {
        name: "explicit",
        motion: Motion::Explicit,
        form: Form::CONTINUOUS,
        contact: Support::By("in steps that follow it; nothing watches for what is passed through"),
        friction: IN_STEPS_THAT_FOLLOW,
        by_materials: true,
    };
}

/// Support that explicit methods have for elements that are fast, but have rates.
pub(super) const IN_STEPS_THAT_FOLLOW: Support = Support::By("in steps that follow it");
