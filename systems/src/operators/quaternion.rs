//! Operations on quaternions.

use super::quaternion_algebra::{from_rpy, inverse, product, rotate, slerp, to_rpy};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// An operation on quaternions `[w, x, y, z]`, with the inputs of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuaternionOperation {
    /// `a b`, of `a` and `b`: the rotation b, then a.
    Product,
    /// `q⁻¹`, of `q`: the opposite rotation, of the reciprocal length.
    Inverse,
    /// `q v q⁻¹`, of `q` and the vector `v`: the rotated vector, of its own length.
    Rotate,
    /// The quaternion of length 1 of `rpy`: roll, pitch and yaw \[rad\] about the fixed axes x, y and z, in this order.
    FromRpy,
    /// Roll, pitch and yaw \[rad\] of `q`, the pitch from -π/2 to π/2; at a vertical pitch roll is zero.
    ToRpy,
    /// The quaternion of length 1 by the number `fraction` on the shorter arc from `a` (0) to `b` (1).
    Slerp,
}

impl QuaternionOperation {
    /// Names and widths of the inputs.
    fn inputs(self) -> &'static [(&'static str, usize)] {
        match self {
            Self::Product => &[("a", 4), ("b", 4)],
            Self::Inverse | Self::ToRpy => &[("q", 4)],
            Self::Rotate => &[("q", 4), ("v", 3)],
            Self::FromRpy => &[("rpy", 3)],
            Self::Slerp => &[("a", 4), ("b", 4), ("fraction", 1)],
        }
    }

    /// Width of the output.
    fn width(self) -> usize {
        if matches!(self, Self::Rotate | Self::ToRpy) { 3 } else { 4 }
    }
}

/// An operation on quaternions `[w, x, y, z]`. Rotations do not depend on the length of a quaternion, as long as it is
/// not zero: inputs need not be normalized.
///
/// Roll and yaw jump by 2π at ±π, a slerp where its ends are opposite rotations; neither is an event.
pub struct Quaternion {
    /// The inputs, in the order of the operation's description; 4 numbers of a quaternion, 3 of a vector or of angles.
    pub inputs: Vec<In<Dyn>>,
    /// The result: 4 numbers of a quaternion, 3 of a vector or of angles.
    pub output: Out<Dyn>,
    operation: QuaternionOperation,
    ports: Ports,
}

impl Quaternion {
    /// A block for one operation.
    pub fn new(operation: QuaternionOperation) -> Self {
        let mut ports = Ports::new();
        let inputs = operation.inputs().iter().map(|&(name, width)| ports.input_of_width(name, width)).collect();
        let output = ports.output_of_width("output", operation.width());
        Quaternion { inputs, output, operation, ports }
    }
}

impl LeafSystem for Quaternion {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let input = |i: usize| ctx.get(self.inputs[i]);
        let quaternion = |i: usize| -> [S; 4] { std::array::from_fn(|k| input(i)[k]) };
        let vector = |i: usize| -> [S; 3] { std::array::from_fn(|k| input(i)[k]) };
        match self.operation {
            QuaternionOperation::Product => out.set(self.output, product(quaternion(0), quaternion(1))),
            QuaternionOperation::Inverse => out.set(self.output, inverse(quaternion(0))),
            QuaternionOperation::Rotate => out.set(self.output, rotate(quaternion(0), vector(1))),
            QuaternionOperation::FromRpy => out.set(self.output, from_rpy(vector(0))),
            QuaternionOperation::ToRpy => out.set(self.output, to_rpy(quaternion(0))),
            QuaternionOperation::Slerp => out.set(self.output, slerp(quaternion(0), quaternion(1), input(2)[0])),
        }
    }
}
