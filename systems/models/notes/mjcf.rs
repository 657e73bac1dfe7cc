//! Notes on accepted MJCF files.

use crate::source::{cut, quoted};
use kinegraph_core::figures::four_digits;

/// Kind of a note on an MJCF file: something ignored or approximated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MjcfNote {
    /// Something known that is not simulated. Counted together.
    #[error("{} not simulated and is ignored", what(.element, .attribute))]
    Ignored {
        /// Name of the element.
        element: String,
        /// Name of the attribute; `None`: the whole element.
        attribute: Option<String>,
    },
    /// Something unknown to the format.
    #[error("{} not known and is ignored", what(.element, .attribute))]
    Unknown {
        /// Name of the element.
        element: String,
        /// Name of the attribute; `None`: the whole element.
        attribute: Option<String>,
    },
    /// Something that is simulated differently from the file, or not at all.
    #[error("{element} {how}")]
    Differs {
        /// The element.
        element: String,
        /// The difference.
        how: &'static str,
    },
    /// Something that is not simulated, with its consequence.
    #[error("{element} is not read: {what}")]
    NotRead {
        /// The element.
        element: String,
        /// The missing effect.
        what: String,
        /// True if it would collide.
        touches: bool,
    },
    /// A shape that is left out.
    #[error("{element} touches nothing: {why}")]
    NoShape {
        /// The geom.
        element: String,
        /// The reason.
        why: String,
    },
    /// A mesh that collides as its hull.
    #[error("{element} collides as the convex hull of its mesh ({vertices} vertices)")]
    Hull {
        /// The geom.
        element: String,
        /// Number of vertices of the hull.
        vertices: usize,
    },
    /// A mesh that collides as convex parts.
    #[error(
        "{element} collides as {parts} convex parts of its mesh, whose volume differs from its own by {error:+.1} %"
    )]
    Decomposed {
        /// The geom.
        element: String,
        /// Number of parts.
        parts: usize,
        /// Difference of their volume from that of the mesh \[%\].
        error: f64,
    },
    /// A mesh or height field that collides as it is.
    #[error(
        "{element} collides as its triangles ({triangles}, in {faces} flat faces), rigid and from their front side"
    )]
    Exact {
        /// The geom.
        element: String,
        /// Number of triangles.
        triangles: usize,
        /// Number of flat faces.
        faces: usize,
    },
    /// Stiffness and dissipation found for contact parameters.
    #[error(
        "solref and solimp of {} geoms are read as stiffness and dissipation of contact: of the first, {}, {} \
         N/m and {} s/m", .count, quoted(.first), four_digits(*.stiffness), four_digits(*.dissipation)
    )]
    ContactMapped {
        /// Number of geoms.
        count: usize,
        /// The first one.
        first: String,
        /// Stiffness of the first one.
        stiffness: f64,
        /// Dissipation of the first one.
        dissipation: f64,
    },
}

impl MjcfNote {
    /// True if equal notes are counted instead of listed.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(self, Self::Ignored { .. } | Self::Unknown { .. })
    }

    /// True if it is about shapes that should collide and do not.
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
