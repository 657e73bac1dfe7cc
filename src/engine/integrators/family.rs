//! What distinguishes methods where a diagram asks for more than rates of motion.

use super::features::Support;
use kinegraph_convex::contact::Form;

/// By what a method moves plants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Steps with contact problems; what is rigid is a row of the problem.
    Steps,
    /// Rates of motion, solved for the end of the step; what is rigid is a spring.
    Implicit,
    /// Rates of motion, followed; what is rigid is a spring that asks for short steps.
    Explicit,
}

/// By which laws a method moves plants. Methods of one family agree about them; a method with laws of its own has a
/// family of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The name.
    pub name: &'static str,
    /// By what it moves plants.
    pub motion: Motion,
    /// The form of the laws of elements that it takes.
    pub form: Form,
    /// Its support for bodies that touch.
    pub contact: Support,
    /// Its support for dry friction between bodies.
    pub friction: Support,
    /// True if bodies touch by the compliant law of their materials: methods that agree about that can be compared.
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
    /// Rates of motion, followed.
    pub const EXPLICIT: Family = Family {
        name: "explicit",
        motion: Motion::Explicit,
        form: Form::CONTINUOUS,
        contact: Support::By("in steps that follow it; nothing watches for what is passed through"),
        friction: IN_STEPS_THAT_FOLLOW,
        by_materials: true,
    };
}

/// The support that explicit methods have for what is fast, but has rates.
pub(super) const IN_STEPS_THAT_FOLLOW: Support = Support::By("in steps that follow it");
