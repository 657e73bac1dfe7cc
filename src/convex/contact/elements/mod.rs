//! Elements: forces in a step besides inertia. **An element is one file here and one word in the list below.**
//!
//! The file has the data; the continuous force, generic over the scalar so that dual numbers have its derivative; the
//! discrete law that convex solvers minimize (cost, impulse, Hessian, smooth pieces); the energy. The convex solver,
//! the continuous form and the schemes go through the trait [`Element`] and the list: none of them names an element. A
//! method that has laws of another form names the kinds that it has them for ([`Form`]).
//!
//! Elements on the list act on single velocities, so that they never join islands. Others have their file here as well,
//! with all of their laws, and a place of their own in a problem, since they have another form: contact points
//! (`contact.rs`, on the motion of two bodies), bilateral constraints (`constraint_rows.rs`, three rows over any
//! velocities), dry friction along such rows (`row_friction.rs`), ranges of such rows (`row_range.rs`) and springs of
//! joints (`joint_spring.rs`, a part of the inertia of a step).

mod compliant_stop;
mod constraint_rows;
mod contact;
mod element;
mod form;
mod joint_friction;
mod joint_spring;
#[doc(hidden)]
pub mod joint_stops;
mod limited_effort;
mod list;
mod near_rigid;
mod plant_elements;
mod report;
mod rigid;
mod row_friction;
#[doc(hidden)]
pub mod row_range;
#[doc(hidden)]
pub mod untaken;
mod velocity_law;

pub use compliant_stop::{CompliantStop, CompliantStopLaw};
pub use constraint_rows::{Resisting, RowGroup, RowName, RowOrigin};
pub use constraint_rows::{RowCompliance, RowLaw};
pub use contact::{
    Balance, ContactLaw, ContactMaterial, ContactPiece, ContactRow, ContactStart, free_delassus, friction_coefficient,
    tangential_delassus,
};
pub use element::{Element, ForceContext, LawContext};
pub use form::Form;
pub use joint_friction::{JointFriction, JointFrictionLaw};
pub use joint_spring::JointSpring;
pub use joint_stops::{JointStops, JointStopsLaw, Rebound};
pub use limited_effort::{LimitedEffort, LimitedEffortLaw};
pub use list::Elements;
pub use near_rigid::NearRigid;
pub use plant_elements::{PlantElements, VelocityStart};
pub use report::Report;
pub use rigid::RIGID_RATE;
pub use row_friction::{RowFriction, RowFrictionLaw};
pub use row_range::{RowRangeLaw, only_takes};
pub use untaken::{Untaken, UntakenElement, untaken_elements};
pub use velocity_law::VelocityLaw;

/// Action for every kind of element.
pub trait ElementVisitor {
    /// Runs the action for one kind.
    fn visit<E: Element>(&mut self);
}

// THE list of elements, in the order in which their impulses are summed.
macro_rules! list {
    ($each:ident $visitor:ident) => {
        $each! { $visitor
            JointStops
            CompliantStop
            LimitedEffort
            JointFriction
        }
    };
}

macro_rules! forwards {
    ($visitor:ident $($kind:ident)*) => { $($visitor.visit::<$kind>();)* };
}

macro_rules! backwards {
    ($visitor:ident) => {};
    ($visitor:ident $first:ident $($rest:ident)*) => {
        backwards!($visitor $($rest)*);
        $visitor.visit::<$first>();
    };
}

/// Visits all kinds of elements, in the order in which their impulses are summed.
pub fn visit(visitor: &mut impl ElementVisitor) {
    list!(forwards visitor);
}

/// Visits all kinds of elements from the last to the first.
pub(crate) fn visit_backwards(visitor: &mut impl ElementVisitor) {
    list!(backwards visitor);
}
