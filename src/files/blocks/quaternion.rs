//! `type: quaternion`.

use crate::form::{BlockType, Choice, Group, Needs, Reader, SystemSpec, needs, recipe};
use kinegraph_systems::operators::{Quaternion, QuaternionOperation};
use std::convert::Infallible;

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "quaternion",
    group: Group::Operators,
    about: "an operation on quaternions [w, x, y, z]: products, rotated vectors, roll, pitch and yaw, slerp",
    example: "attitude: {type: quaternion, operation: rotate}",
    files: &[],
    read,
};

const OPERATION: Needs<Choice<QuaternionOperation>> = needs(
    "operation",
    Choice {
        what: "operation",
        options: &[
            ("product", QuaternionOperation::Product),
            ("inverse", QuaternionOperation::Inverse),
            ("rotate", QuaternionOperation::Rotate),
            ("from_rpy", QuaternionOperation::FromRpy),
            ("to_rpy", QuaternionOperation::ToRpy),
            ("slerp", QuaternionOperation::Slerp),
        ],
    },
    "with the inputs `a` and `b` (product: b turns first), `q` (inverse, to_rpy), `q` and the vector `v` (rotate), \
     `rpy` (from_rpy), `a`, `b` and `fraction` (slerp)",
);

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let operation = r.get(&OPERATION)?;
    recipe(move || Ok::<_, Infallible>(Quaternion::new(operation)))
}
