//! What makes an MJCF file unusable.

use crate::source::{Place, did_you_mean, quoted};

/// What is wrong with an MJCF file.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MjcfFault {
    /// The outermost element is another one.
    #[error("the outermost element of an MJCF file is <mujoco>, this is <{found}>")]
    NotMujoco {
        /// Its name.
        found: String,
    },
    /// Elements in elements without end.
    #[error("elements are nested deeper than {levels} levels")]
    TooDeep {
        /// The most levels.
        levels: usize,
    },
    /// An include that leaves the folder of the model.
    #[error(
        "{} lies outside the folder of the model, or leads there; to include it, add the line `model_paths: [{add}]` to \
         the diagram file, or run with --allow-outside",
        quoted(.file)
    )]
    IncludeOutside {
        /// As written.
        file: String,
        /// The folder that would have to be named.
        add: String,
    },
    /// A file included twice, or by itself.
    #[error("{} is included already; a file is included once, and not in itself", quoted(.file))]
    IncludedTwice {
        /// As written.
        file: String,
    },
    /// A file that cannot be read.
    #[error("cannot include {}: {reason}", quoted(.file))]
    IncludeUnreadable {
        /// As written.
        file: String,
        /// Why.
        reason: String,
    },
    /// Too many files.
    #[error("the model has more than {most} files, or includes them too deep in each other")]
    TooManyFiles {
        /// The most.
        most: usize,
    },
    /// Too many elements.
    #[error(
        "{element}: with it the model has more than {most} elements, with all that is attached, repeated and composed"
    )]
    TooManyElements {
        /// The element that would add them.
        element: String,
        /// The most.
        most: usize,
    },
    /// Coordinates that the format gave up.
    #[error("coordinate=\"global\" is no longer part of the format; save the model with local coordinates")]
    GlobalCoordinates,
    /// An attribute that must be there.
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
        /// How many there should be.
        expected: String,
        /// How many there are.
        found: usize,
    },
    /// A number that cannot be.
    #[error("`{attribute}` of {element} is {value}, but must be {expected}")]
    Range {
        /// The element.
        element: String,
        /// The attribute.
        attribute: String,
        /// The number.
        value: f64,
        /// What it must be.
        expected: &'static str,
    },
    /// A word that means nothing there.
    #[error("`{attribute}` of {element} is {}; it can be {}{}", quoted(.text), .options.join(", "), did_you_mean(.nearest))]
    Word {
        /// The element.
        element: String,
        /// The attribute.
        attribute: String,
        /// The word.
        text: String,
        /// What it can be.
        options: Vec<&'static str>,
        /// What was probably meant.
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
    /// A direction or orientation without a direction.
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
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// An attribute that the format does not have.
    #[error("{element} has no attribute `{attribute}`{}", did_you_mean(.nearest))]
    UnknownAttribute {
        /// The element.
        element: String,
        /// The attribute.
        attribute: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// A name that nothing has.
    #[error("{element} names the {what} {}, which does not exist{}", quoted(.name), did_you_mean(.nearest))]
    Unknown {
        /// The element with the name.
        element: String,
        /// What it should name.
        what: &'static str,
        /// The name.
        name: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// A name twice.
    #[error("a second {what} is named {}; the first is at {first}", quoted(.name))]
    Duplicate {
        /// What it is.
        what: &'static str,
        /// The name.
        name: String,
        /// Where the first one is.
        first: Place,
    },
    /// A free joint where there can be none.
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
    /// A body without inertia where geoms may not give it.
    #[error("{element} needs <inertial>, because the compiler has inertiafromgeom=\"false\"")]
    NoInertial {
        /// The body.
        element: String,
    },
    /// Geometry from a mesh that is not there.
    #[error("{element} has its inertia from the mesh {}, which cannot be had: {reason}", quoted(.mesh))]
    MeshInertia {
        /// The geom.
        element: String,
        /// The mesh.
        mesh: String,
        /// Why.
        reason: String,
    },
    /// Numbers that do not fit the model.
    #[error("{element}: {text}")]
    Other {
        /// The element.
        element: String,
        /// What is wrong.
        text: String,
    },
}

kinegraph_core::debug_is_message!(MjcfFault);
