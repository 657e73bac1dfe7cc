//! Faults of models that are to be assembled into one tree.

use kinegraph_core::names::did_you_mean;
use std::fmt;
use thiserror::Error;

/// A fault that prevents the assembly of a plant.
#[derive(Clone, PartialEq, Error)]
pub enum AssemblyError {
    /// Two models of one name.
    #[error("there are two models named `{model}`")]
    DuplicateModel {
        /// The name.
        model: String,
    },
    /// A model welded to something that does not exist.
    #[error("model `{model}` is welded to `{base}`, which does not exist{}", did_you_mean(nearest))]
    UnknownBase {
        /// The model.
        model: String,
        /// The base that it names, `model/link`.
        base: String,
        /// The nearest valid name.
        nearest: Option<String>,
    },
    /// Models welded to each other in a ring.
    #[error("models welded in a ring, none of them to the world: {}", models.join(", "))]
    WeldRing {
        /// The models of the ring and those welded to it.
        models: Vec<String>,
    },
    /// A model without links.
    #[error("model `{model}` has no links")]
    NoLinks {
        /// The model.
        model: String,
    },
    /// Two links of one name.
    #[error("model `{model}` has two links named `{link}`")]
    DuplicateLink {
        /// The model.
        model: String,
        /// The link.
        link: String,
    },
    /// Two joints of one name.
    #[error("model `{model}` has two joints named `{joint}`")]
    DuplicateJoint {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
    },
    /// A joint that names a link that does not exist.
    #[error("joint `{model}/{joint}`: {role} link `{link}` does not exist{}", did_you_mean(nearest))]
    UnknownLink {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
        /// `parent` or `child`.
        role: &'static str,
        /// The name it gives.
        link: String,
        /// The nearest valid name.
        nearest: Option<String>,
    },
    /// A link that is the child of two joints.
    #[error("link `{model}/{link}` is the child of two joints, `{first}` and `{second}`")]
    TwoParents {
        /// The model.
        model: String,
        /// The link.
        link: String,
        /// One joint.
        first: String,
        /// The other.
        second: String,
    },
    /// Links joined in a ring.
    #[error("model `{model}`: links form a ring: {} -> {}", links.join(" -> "), links[0])]
    Ring {
        /// The model.
        model: String,
        /// The links of the ring, parents first.
        links: Vec<String>,
    },
    /// More than one link without a parent.
    #[error("model `{model}` falls apart: no joint leads to any of the links {}", roots.join(", "))]
    SeveralRoots {
        /// The model.
        model: String,
        /// The links without a parent.
        roots: Vec<String>,
    },
    /// A floating joint between bodies that move.
    #[error("joint `{model}/{joint}` is floating, but its parent link is not fixed to the world")]
    FloatingNotAtWorld {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
    },
    /// A mass that is negative or not a number.
    #[error("link `{model}/{link}` has mass {mass}")]
    BadMass {
        /// The model.
        model: String,
        /// The link.
        link: String,
        /// Its mass \[kg\].
        mass: f64,
    },
    /// A rotational inertia that is not positive, as that of every body is.
    #[error("link `{model}/{link}`: rotational inertia is not positive, principal moments {principal:?} kg m²")]
    InertiaNotPositive {
        /// The model.
        model: String,
        /// The link.
        link: String,
        /// Principal moments about the centre of mass \[kg m²\].
        principal: [f64; 3],
    },
    /// A rotational inertia that is not symmetric.
    #[error("link `{model}/{link}`: rotational inertia is not symmetric")]
    InertiaNotSymmetric {
        /// The model.
        model: String,
        /// The link.
        link: String,
    },
    /// A number that is infinite or not a number.
    #[error("{owner}: {quantity} is not a finite number")]
    NotFinite {
        /// Its owner: `link `arm/hand``, ….
        owner: String,
        /// Name of the quantity.
        quantity: &'static str,
    },
    /// A joint without an axis.
    #[error("joint `{model}/{joint}`: the axis is zero")]
    ZeroAxis {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
    },
    /// Joint stops the wrong way round, or not a number.
    #[error("joint `{model}/{joint}`: lower limit {lower} is not below the upper limit {upper}")]
    BadLimits {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
        /// Lower stop.
        lower: f64,
        /// Upper stop.
        upper: f64,
    },
    /// A quantity of a joint that is negative or not a number.
    #[error("joint `{model}/{joint}`: {quantity} is {value}, it must not be negative")]
    Negative {
        /// The model.
        model: String,
        /// The joint.
        joint: String,
        /// Name of the quantity.
        quantity: &'static str,
        /// Its value.
        value: f64,
    },
    /// A link without mass between joints whose motion is undetermined, such as a floating base on which one joint
    /// slides.
    #[error(
        "link `{link}` has no mass, and nothing determines how it moves: give it mass, or a base or a joint that holds it"
    )]
    MasslessLink {
        /// The link, full name.
        link: String,
    },
    /// A joint that moves nothing with inertia.
    #[error(
        "joint `{joint}` moves nothing with inertia in its direction: give mass to `{link}` or to what it carries, or an armature"
    )]
    NothingToMove {
        /// The joint, full name.
        joint: String,
        /// The link it carries, full name.
        link: String,
    },
    /// More coupled velocities than a mass matrix has room for.
    #[error(
        "the mass matrix of {velocities} velocities takes {gigabytes:.1} GB, more than {most:.2} GB: {largest} of them, \
         from `{joint}` on, depend on each other. Take fewer pieces, or a fibre, whose nodes are bodies of their own"
    )]
    TooManyVelocities {
        /// The first joint of the largest block, full name.
        joint: String,
        /// Number of all velocities.
        velocities: usize,
        /// Number of velocities of the largest block.
        largest: usize,
        /// Memory of the matrix \[GB\].
        gigabytes: f64,
        /// Maximum memory of the matrix \[GB\].
        most: f64,
    },
}

kinegraph_core::debug_is_message!(AssemblyError);

/// A doubtful property that does not prevent a plant from running.
#[derive(Clone, PartialEq, Error)]
pub enum AssemblyWarning {
    /// Principal moments of inertia a, b, c with a + b < c.
    #[error(
        "link `{link}`: no body has the principal moments {principal:?} kg m²: the two smaller must sum to at least the largest"
    )]
    TriangleInequality {
        /// The link, full name.
        link: String,
        /// Principal moments about the centre of mass \[kg m²\].
        principal: [f64; 3],
    },
    /// A link without mass but with rotational inertia.
    #[error("link `{link}` has rotational inertia but no mass")]
    InertiaWithoutMass {
        /// The link, full name.
        link: String,
    },
    /// A mimic joint that names a joint that does not exist.
    #[error("joint `{joint}` mimics `{followed}`, which does not exist{}", did_you_mean(nearest))]
    UnknownMimic {
        /// The joint, full name.
        joint: String,
        /// The name it gives.
        followed: String,
        /// The nearest valid name.
        nearest: Option<String>,
    },
    /// Two links of one model overlap in the initial positions.
    #[error(
        "links `{}` and `{}` overlap by {depth:.2e} m at the start{}", .links[0], .links[1],
        if *.excluded { " and do not collide with each other (`exclude_touching_at_start` of `collisions`)" } else {
            ": the contact pushes them apart"
        }
    )]
    OverlapAtStart {
        /// The links, full names.
        links: [String; 2],
        /// Depth of the overlap \[m\].
        depth: f64,
        /// True if the pair is excluded from contact.
        excluded: bool,
    },
    /// A floating body that starts on another one, and does not collide with it.
    #[error(
        "`{upper}` starts on `{lower}`, which does not hold it: the pair is excluded from contact {}",
        if *.by_name { "by name" } else { "since it overlaps at the start (`exclude_touching_at_start` of `collisions`)" }
    )]
    ExcludedSupport {
        /// The upper body, full name.
        upper: String,
        /// The lower body, full name.
        lower: String,
        /// True if the pair is excluded by name, not for its overlap.
        by_name: bool,
    },
    /// A body that starts inside a triangle mesh, which pushes outwards at its surface only.
    #[error(
        "`{body}` starts inside the triangles of `{of}`, which touch from outside only: nothing pushes it out; start \
         it outside"
    )]
    StartsInside {
        /// The body inside, full name.
        body: String,
        /// The body around it, full name: a mesh that collides as it is, or a height field.
        of: String,
    },
    /// A fault of the mass properties that the caller chose to accept.
    #[error("{0}")]
    Accepted(AssemblyError),
    /// Pairs of shapes without a contact surface, in a plant whose shapes touch with contact surfaces.
    #[error(
        "{pairs} pairs of shapes touch in points, not with a surface, such as `{}` and `{}`: {why}", .shapes[0], .shapes[1]
    )]
    TouchInPoints {
        /// Number of such pairs.
        pairs: usize,
        /// One of the pairs, full names.
        shapes: [String; 2],
        /// Reason why that pair has no surface.
        why: String,
    },
}

kinegraph_core::debug_is_message!(AssemblyWarning);

/// All faults of the models of one plant.
#[derive(Clone, PartialEq)]
pub struct AssemblyErrors(
    /// The faults; at least one.
    pub Vec<AssemblyError>,
);

impl fmt::Display for AssemblyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

kinegraph_core::debug_is_message!(AssemblyErrors);

impl std::error::Error for AssemblyErrors {}
