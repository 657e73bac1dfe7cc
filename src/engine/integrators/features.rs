//! What a diagram may have, and what each method makes of it: one table, printed in the documents and held to by the
//! tests, which have a small diagram with a closed form for each line and run it by every method.
//!
//! Events, samples, switches and records are the work of the loop around all methods, so that most lines say the same
//! of all. What differs follows from the [`Family`] of a method: by which law bodies touch, and what holds them where
//! they are held.

use super::family::{Family, IN_STEPS_THAT_FOLLOW, Motion};
use super::integrator_type::IntegratorType;
use std::fmt;

/// What a method makes of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// What the feature says, to the order and the accuracy of the method.
    Fully,
    /// The same by a law of its own.
    By(&'static str),
    /// A spring with a period of 1 ms stands for what is rigid.
    Spring,
    /// The same, followed in steps that are short against it. Longer ones are refused where their length is given
    /// ([`StepFailure::TooStiff`](super::StepFailure::TooStiff)).
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

/// Something that a diagram may have.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Its name.
    pub name: &'static str,
    by: fn(&Family) -> Support,
}

impl Feature {
    /// What `method` makes of it.
    pub fn support_by(&self, method: &IntegratorType) -> Support {
        (self.by)(&method.family)
    }
}

const fn all(name: &'static str) -> Feature {
    Feature { name, by: |_| Support::Fully }
}

/// What a spring stands for where there are no rows.
fn rigid(family: &Family) -> Support {
    match family.motion {
        Motion::Steps => Support::Fully,
        Motion::Implicit => Support::Spring,
        Motion::Explicit => Support::ShortSpring,
    }
}

/// What is fast, but has rates.
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

/// Every feature, by what it is about: signals, plants, contact, joints, constraints, running.
pub static FEATURES: [Feature; 41] = [
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
