//! Faults of MJCF files.

use crate::source::{Place, did_you_mean, quoted};

/// Kind of a fault of an MJCF file.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MjcfFault {
    /// The outermost element is another one.
    #[error("the outermost element of an MJCF file is <mujoco>, this is <{found}>")]
    NotMujoco {
        /// Its name.
        found: String,
    },
    /// Elements nested too deep.
    #[error("elements are nested deeper than {levels} levels")]
    TooDeep {
        /// Maximum number of levels.
        levels: usize,
    },
    /// An include that leaves the folder of the model.
    #[error(
        "{} lies outside the folder of the model, or leads there; to include it, add the line `model_paths: [{add}]` to \
         the diagram file, or run with --allow-outside",
        quoted(.file)
    )]
    IncludeOutside {
        /// The file as written.
        file: String,
        /// The folder to permit.
        add: String,
    },
    /// A file included twice, or by itself.
    #[error("{} is included already; a file is included once, and not in itself", quoted(.file))]
    IncludedTwice {
        /// The file as written.
        file: String,
    },
    /// A file that cannot be read.
    #[error("cannot include {}: {reason}", quoted(.file))]
    IncludeUnreadable {
        /// The file as written.
        file: String,
        /// The reason.
        reason: String,
    },
    /// Too many files.
    #[error("the model has more than {most} files, or includes them too deep in each other")]
    TooManyFiles {
        /// Maximum number of files.
        most: usize,
    },
    /// Too many elements.
    #[error(
        "{element}: with it the model has more than {most} elements, with all that is attached, repeated and composed"
    )]
    TooManyElements {
        /// The element that would add them.
        element: String,
        /// Maximum number of elements.
        most: usize,
    },
    /// Coordinates that the format gave up.
    #[error("coordinate=\"global\" is no longer part of the format; save the model with local coordinates")]
    GlobalCoordinates,
    /// A required attribute is missing.
    #[error("{element} needs the attribute `{attribute}`")]
    Missing {
        /// The element.
        element: String,
        /// The attribute.
        attribute: &'static str,
    },
    /// A text that is not a number.
    #[error("`{attribute}` of {element} is {}, which is not a finite number", quoted(.text))]
    NotANumber {
        /// The element.
        element: String,
        /// The attribute.
        attribute: String,
        /// The text.
        text: String,
    },
    /// A list of numbers of another length.
    #[error("`{attribute}` of {element} needs {expected} numbers, it has {found}")]
    Count {
        /// The element.
        element: String,
        /// The attribute.
        attribute: String,
        /// Number of values expected.
        expected: String,
        /// Number of values found.
        found: usize,
    },
    /// A number outside of its range.
    #[error("`{attribute}` of {element} is {value}, but must be {expected}")]
    Range {
        /// The element.
        element: String,
        /// The attribute.
        attribute: String,
        /// The number.
        value: f64,
        /// The valid values.
        expected: &'static str,
    },
    /// A word without a meaning there.
    #[error("`{attribute}` of {element} is {}; it can be {}{}", quoted(.text), .options.join(", "), did_you_mean(.nearest))]
    Word {
        /// The element.
        element: String,
        /// The attribute.
        attribute: String,
        /// The word.
        text: String,
        /// The valid words.
        options: Vec<&'static str>,
        /// The word that was probably meant.
        nearest: Option<String>,
    },
    /// Limits without a word on whether they hold.
    #[error("{element} has a `{range}` and no `{limited}`, and autolimits is \"false\"; write `{limited}=\"true\"`")]
    RangeAlone {
        /// The element.
        element: String,
        /// The attribute with the range.
        range: &'static str,
        /// The attribute that is missing.
        limited: &'static str,
    },
    /// A direction or orientation of zero length.
    #[error("`{attribute}` of {element} is zero, which is no direction")]
    NoDirection {
        /// The element.
        element: String,
        /// The attribute.
        attribute: &'static str,
    },
    /// An orientation written twice.
    #[error("{element} has both `{first}` and `{second}`; keep one orientation")]
    TwoOrientations {
        /// The element.
        element: String,
        /// One of them.
        first: &'static str,
        /// The other one.
        second: &'static str,
    },
    /// An element that the format does not have.
    #[error("<{element}> is no element of the format{}", did_you_mean(.nearest))]
    UnknownElement {
        /// The element.
        element: String,
        /// The element that was probably meant.
        nearest: Option<String>,
    },
    /// An attribute that the format does not have.
    #[error("{element} has no attribute `{attribute}`{}", did_you_mean(.nearest))]
    UnknownAttribute {
        /// The element.
        element: String,
        /// The attribute.
        attribute: String,
        /// The attribute that was probably meant.
        nearest: Option<String>,
    },
    /// A name that no element has.
    #[error("{element} names the {what} {}, which does not exist{}", quoted(.name), did_you_mean(.nearest))]
    Unknown {
        /// The element with the name.
        element: String,
        /// Kind of the thing named.
        what: &'static str,
        /// The name.
        name: String,
        /// The name that was probably meant.
        nearest: Option<String>,
    },
    /// A duplicate name.
    #[error("a second {what} is named {}; the first is at {first}", quoted(.name))]
    Duplicate {
        /// Kind of the thing named.
        what: &'static str,
        /// The name.
        name: String,
        /// Place of the first one.
        first: Place,
    },
    /// A free joint at a wrong place.
    #[error("{element} is free, so it must be the only joint of its body, and the body stand directly in <worldbody>")]
    FreeJoint {
        /// The joint.
        element: String,
    },
    /// A joint outside of all bodies.
    #[error("{element} stands directly in <worldbody>, and the world does not move; put it into a <body>")]
    JointOfWorld {
        /// The element.
        element: String,
    },
    /// A body without inertia although it may not come from its geoms.
    #[error("{element} needs <inertial>, because the compiler has inertiafromgeom=\"false\"")]
    NoInertial {
        /// The body.
        element: String,
    },
    /// Geometry from a missing mesh.
    #[error("{element} has its inertia from the mesh {}, which cannot be had: {reason}", quoted(.mesh))]
    MeshInertia {
        /// The geom.
        element: String,
        /// The mesh.
        mesh: String,
        /// The reason.
        reason: String,
    },
    /// Numbers that do not fit the model.
    #[error("{element}: {text}")]
    Other {
        /// The element.
        element: String,
        /// The fault.
        text: String,
    },
}

kinegraph_core::debug_is_message!(MjcfFault);
