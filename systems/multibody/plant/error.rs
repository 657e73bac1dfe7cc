//! Faults of plants.

use crate::AssemblyErrors;
use crate::fibre::FibreError;
use kinegraph_core::names::did_you_mean;
use kinegraph_geometry::hydroelastic::FieldError;
use kinegraph_geometry::overlap::SolidError;
use kinegraph_geometry::{MeshDefect, UnsupportedShapes};

/// A fault of a plant's description.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum PlantError {
    /// The models do not assemble.
    #[error(transparent)]
    Assembly(#[from] AssemblyErrors),
    /// A model, joint or link name that the plant does not have.
    #[error("there is no {kind} `{name}` in this plant{}", did_you_mean(nearest))]
    Unknown {
        /// Kind of the object: `model`, `joint`, `link`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The most similar name there is.
        nearest: Option<String>,
    },
    /// Two shapes that may meet and have no contact method.
    #[error(
        "{a} and {b} may meet, and {fault}; exclude one of them from `collisions`, let the mesh collide as `hull` or `decomposed`, or two meshes in `points: local_minima`"
    )]
    UnsupportedShapes {
        /// One shape, by its link.
        a: String,
        /// The other.
        b: String,
        /// The reason.
        fault: UnsupportedShapes,
    },
    /// A mesh that has no inside near an edge, while contact by local minima needs one.
    #[error(
        "{shape} touches in local minima of the distance, and {fault}; mend the mesh, or let it collide as `decomposed`"
    )]
    NonManifold {
        /// The shape, by its link.
        shape: String,
        /// The defect of the mesh.
        fault: MeshDefect,
    },
    /// A number out of range.
    #[error("{what} is {value}, but must be {expected}")]
    OutOfRange {
        /// The quantity.
        what: String,
        /// Its value.
        value: f64,
        /// The valid values.
        expected: &'static str,
    },
    /// A fibre that cannot be built.
    #[error("fibre `{fibre}`: {fault}")]
    Fibre {
        /// Its name.
        fibre: String,
        /// Its fault.
        fault: FibreError,
    },
    /// Two objects of the same name.
    #[error("there is more than one {kind} `{name}`")]
    Duplicate {
        /// Kind of the objects.
        kind: &'static str,
        /// Their name.
        name: String,
    },
    /// A constraint between links that cannot move relative to each other.
    #[error("constraint `{constraint}` joins `{a}` and `{b}`, which cannot move relative to each other")]
    CannotMove {
        /// The constraint.
        constraint: String,
        /// Full name of the first link.
        a: String,
        /// Full name of the second link.
        b: String,
    },
    /// A coupler that names a joint twice.
    #[error("coupler `{constraint}` names joint `{joint}` twice: each joint is named once")]
    CouplerOfOneJoint {
        /// The coupler.
        constraint: String,
        /// Full name of the joint.
        joint: String,
    },
    /// A coupler that does not depend on a joint that it names.
    #[error("coupler `{constraint}` multiplies joint `{joint}` by 0: leave that joint out, or change its coefficient")]
    CouplerWithoutEffect {
        /// The coupler.
        constraint: String,
        /// Full name of the joint.
        joint: String,
    },
    /// An initial value, spring or actuator on a joint that does not have exactly one axis.
    #[error("joint `{joint}` does not have a single axis: {what} needs one")]
    NotSingleAxis {
        /// Full name of the joint.
        joint: String,
        /// The requested initial value, spring or actuator.
        what: &'static str,
    },
    /// An initial state of the wrong size for its model.
    #[error(
        "model `{model}` cannot start in a state of {} positions and {} velocities: it has {} and {}",
        found.0, found.1, expected.0, expected.1
    )]
    WrongStart {
        /// The model.
        model: String,
        /// Number of given positions and velocities.
        found: (usize, usize),
        /// Number of positions and velocities of the model.
        expected: (usize, usize),
    },
    /// A law of stops for a joint without stops.
    #[error("joint `{joint}` has no stops: it has no limits")]
    NoStops {
        /// Full name of the joint.
        joint: String,
    },
    /// A shape that has no pressure field.
    #[error("shape `{shape}` has no pressure field: {error}")]
    PressureField {
        /// Its full name.
        shape: String,
        /// The reason.
        error: FieldError,
    },
    /// A shape that is no convex solid, in a plant with contact by volume.
    #[error("shape `{shape}` has no contact volume: {error}")]
    Volume {
        /// Its full name.
        shape: String,
        /// The reason.
        error: SolidError,
    },
    /// Two shapes that may touch and share no compliant volume, in a plant with contact by volume.
    #[error("shapes `{}` and `{}` may touch and share no contact volume: {why}", .shapes[0], .shapes[1])]
    NoContactVolume {
        /// Their full names.
        shapes: [String; 2],
        /// The reason.
        why: &'static str,
    },
    /// Two shapes that may touch and have no contact surface, in a plant that requires one for every pair.
    #[error(
        "shapes `{}` and `{}` may touch and have no contact surface: {why}; with `hydroelastic_with_fallback` they \
         touch in points", .shapes[0], .shapes[1]
    )]
    NoContactSurface {
        /// Their full names.
        shapes: [String; 2],
        /// The reason.
        why: String,
    },
}

kinegraph_core::debug_is_message!(PlantError);

/// All faults of a plant.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct PlantErrors(pub Vec<PlantError>);

kinegraph_core::debug_is_message!(PlantErrors);
