//! Features of a diagram, and the support of each method for them. The table is printed in the documents and checked by
//! tests, which have a small diagram with a closed form for each line and run it by every method.
//!
//! Events, samples, switches and records are the work of the loop around all methods, so that most lines are the same
//! for all. Differences follow from the [`Family`] of a method: the law by which bodies touch, and the constraints that
//! hold them.

use super::family::{Family, IN_STEPS_THAT_FOLLOW, Motion};
use super::integrator_type::IntegratorType;
use std::fmt;

/// Support of a method for a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// In full, to the order and the accuracy of the method.
    Fully,
    /// By a law of its own.
    By(&'static str),
    /// By a spring with a period of 1 ms in place of rigid elements.
    Spring,
    /// By such a spring, followed in steps that are short against it. Longer ones are refused where their length is
    /// given ([`StepFailure::TooStiff`](super::StepFailure::TooStiff)).
    ShortSpring,
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Support::Fully => "yes",
            Support::By(law) => law,
            Support::Spring => "a spring of 1 ms",
            Support::ShortSpring => "a spring of 1 ms in short steps; a longer `step` is refused",
        })
    }
}

/// Feature that a diagram may have.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Name of the feature.
    pub name: &'static str,
    by: fn(&Family) -> Support,
}

impl Feature {
    /// Support by `method`.
    pub fn support_by(&self, method: &IntegratorType) -> Support {
        (self.by)(&method.family)
    }
}

const fn all(name: &'static str) -> Feature {
    Feature { name, by: |_| Support::Fully }
}

/// Support for rigid elements, for which a spring stands where there are no rows.
fn rigid(family: &Family) -> Support {
    match family.motion {
        Motion::Steps => Support::Fully,
        Motion::Implicit => Support::Spring,
        Motion::Explicit => Support::ShortSpring,
    }
}

/// Support for elements that are fast, but have rates.
fn stiff(family: &Family) -> Support {
    match family.motion {
        Motion::Explicit => IN_STEPS_THAT_FOLLOW,
        _ => Support::Fully,
    }
}

fn friction(family: &Family) -> Support {
    family.friction
}

fn contact(family: &Family) -> Support {
    family.contact
}

/// Every feature, by subject: signals, plants, contact, joints, constraints, running.
pub static FEATURES: [Feature; 42] = [
    all("sampled controllers"),
    all("delays"),
    all("jumps of sources"),
    all("events that reset states"),
    all("relays and counters"),
    all("algebraic loops"),
    all("diagrams in diagrams"),
    all("blocks without derivatives"),
    all("free motion"),
    all("several plants"),
    all("controllers with a state of their own"),
    all("sampled control of a plant"),
    all("events of a plant"),
    all("effort limits"),
    Feature { name: "stiff control", by: stiff },
    all("springs and dampers of joints"),
    Feature { name: "dry friction of joints", by: stiff },
    Feature { name: "contact", by: contact },
    Feature { name: "friction", by: friction },
    Feature { name: "friction that depends on the direction", by: friction },
    Feature { name: "impacts", by: contact },
    Feature { name: "belts", by: stiff },
    Feature { name: "contact in more points than determine its forces", by: contact },
    Feature { name: "contact in local minima of the distance", by: contact },
    Feature { name: "contact by volume", by: contact },
    Feature { name: "fibres", by: stiff },
    all("suction"),
    Feature { name: "joint stops", by: rigid },
    Feature { name: "stops with restitution", by: rigid },
    all("compliant stops"),
    all("locked joints"),
    Feature { name: "locks switched in motion", by: rigid },
    Feature { name: "welds", by: rigid },
    Feature { name: "ball constraints, closed loops", by: rigid },
    Feature { name: "distances", by: rigid },
    Feature { name: "couplers, mimic joints", by: rigid },
    all("compliant constraints"),
    Feature { name: "constraints that grip on a signal", by: rigid },
    all("inertial measurement units"),
    all("records, samples between steps"),
    all("snapshots, copies: bit for bit"),
    all("another method in the middle of a run"),
];
