//! What a person should know about an MJCF file that was accepted.

use crate::source::{cut, quoted};
use kinegraph_core::figures::four_digits;

/// What of an MJCF file is ignored or approximated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MjcfNote {
    /// Something that is known and not simulated. Counted together.
    #[error("{} not simulated and is ignored", what(.element, .attribute))]
    Ignored {
        /// Name of the element.
        element: String,
        /// Name of the attribute; `None`: all of the element.
        attribute: Option<String>,
    },
    /// Something that the format does not know.
    #[error("{} not known and is ignored", what(.element, .attribute))]
    Unknown {
        /// Name of the element.
        element: String,
        /// Name of the attribute; `None`: all of the element.
        attribute: Option<String>,
    },
    /// Something that is simulated in another way than the file says, or not at all.
    #[error("{element} {how}")]
    Differs {
        /// The element.
        element: String,
        /// In what.
        how: &'static str,
    },
    /// Something that is not simulated, and what is missing without it.
    #[error("{element} is not read: {what}")]
    NotRead {
        /// The element.
        element: String,
        /// What is missing.
        what: String,
        /// Whether it would touch something.
        touches: bool,
    },
    /// A shape that is lost.
    #[error("{element} touches nothing: {why}")]
    NoShape {
        /// The geom.
        element: String,
        /// Why.
        why: String,
    },
    /// A mesh that collides as its hull.
    #[error("{element} collides as the convex hull of its mesh ({vertices} vertices)")]
    Hull {
        /// The geom.
        element: String,
        /// How many vertices the hull has.
        vertices: usize,
    },
    /// A mesh that collides as convex parts.
    #[error(
        "{element} collides as {parts} convex parts of its mesh, whose volume differs from its own by {error:+.1} %"
    )]
    Decomposed {
        /// The geom.
        element: String,
        /// How many parts.
        parts: usize,
        /// By how much their volume differs from that of the mesh \[%\].
        error: f64,
    },
    /// A mesh or height field that collides as it is.
    #[error(
        "{element} collides as its triangles ({triangles}, in {faces} flat faces), rigid and from their front side"
    )]
    Exact {
        /// The geom.
        element: String,
        /// How many triangles.
        triangles: usize,
        /// How many flat faces they make.
        faces: usize,
    },
    /// Stiffness and dissipation found for contact parameters.
    #[error(
        "solref and solimp of {} geoms are read as stiffness and dissipation of contact: of the first, {}, {} \
         N/m and {} s/m", .count, quoted(.first), four_digits(*.stiffness), four_digits(*.dissipation)
    )]
    ContactMapped {
        /// How many geoms.
        count: usize,
        /// The first one.
        first: String,
        /// Its stiffness.
        stiffness: f64,
        /// Its dissipation.
        dissipation: f64,
    },
}

impl MjcfNote {
    /// Whether equal notes are counted instead of listed.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(self, Self::Ignored { .. } | Self::Unknown { .. })
    }

    /// Whether it is about shapes that should touch and do not.
    pub fn is_loss(&self) -> bool {
        matches!(self, Self::NoShape { .. } | Self::NotRead { touches: true, .. })
    }
}

fn what(element: &str, attribute: &Option<String>) -> String {
    match attribute {
        Some(attribute) => format!("`{}` of <{}> is", cut(attribute), cut(element)),
        None => format!("<{}> is", cut(element)),
    }
}
