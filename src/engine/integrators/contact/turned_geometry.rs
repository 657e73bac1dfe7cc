//! Contact geometry at other times than the start of a step.

use super::point::StepPoint;
use kinegraph_convex::contact::ContactRow;

/// Contact geometry at other times than the start of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Turning {
    /// State soon after the start of a step, or at its end, to see how geometry turns.
    pub(super) soon: Box<StepPoint>,
    /// Contact points there.
    pub(super) later: Vec<ContactRow>,
    /// Contacts of a problem before others joined.
    pub known: Vec<ContactRow>,
}
