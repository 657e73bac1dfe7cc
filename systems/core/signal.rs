//! Types of signals: the type of a port states the meaning of its numbers and the connections that are allowed.

use crate::scalar::Scalar;

/// Meaning of a port's numbers, at run time (for diagram files and error messages).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SignalKind {
    /// A plain vector of numbers.
    Vector,
    /// Positions then velocities of a (part of a) multibody plant.
    MultibodyState,
    /// Poses of bodies: per body `px py pz qw qx qy qz` in the world frame.
    BodyPoses,
    /// Spatial velocities of bodies: per body `wx wy wz vx vy vz`, in world axes, of the body origin.
    BodyVelocities,
    /// Spatial forces on bodies: per body torque then force, in world axes, about the body origin.
    SpatialForces,
    /// A picture, row by row from the upper left pixel on.
    Image,
}

/// The kind in words: `vector`, `multibody state`, ….
impl std::fmt::Display for SignalKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            SignalKind::Vector => "vector",
            SignalKind::MultibodyState => "multibody state",
            SignalKind::BodyPoses => "body poses",
            SignalKind::BodyVelocities => "body velocities",
            SignalKind::SpatialForces => "spatial forces",
            SignalKind::Image => "image",
        })
    }
}

impl SignalKind {
    /// True if an output of kind `self` may drive an input of kind `input`. A vector and a state are both flat lists of
    /// coordinates and may drive each other; a vector may drive forces, so that sources and controllers can push
    /// bodies. Widths are checked separately.
    pub fn feeds(self, input: SignalKind) -> bool {
        use SignalKind::*;
        self == input || matches!((self, input), (Vector, MultibodyState | SpatialForces) | (_, Vector))
    }

    /// The unit of number `i` of a port of this kind; empty if the kind does not determine it.
    pub fn unit(self, i: usize) -> &'static str {
        match self {
            SignalKind::Vector | SignalKind::MultibodyState | SignalKind::Image => "",
            SignalKind::BodyPoses => ["m", "m", "m", "", "", "", ""][i % 7],
            SignalKind::BodyVelocities => ["rad/s", "m/s"][i % 6 / 3],
            SignalKind::SpatialForces => ["N m", "N"][i % 6 / 3],
        }
    }
}

/// The type of a port: a flat run of scalars with a meaning.
pub trait Signal: 'static {
    /// The run-time form of this type.
    const KIND: SignalKind;
    /// The width, if the type fixes it.
    const WIDTH: Option<usize>;
    /// The value that a block reads from such a port.
    type View<'a, S: Scalar>;
    /// Reads the port's run of scalars.
    fn view<S: Scalar>(values: &[S]) -> Self::View<'_, S>;
}

/// A signal whose type states its width.
#[diagnostic::on_unimplemented(
    message = "the type `{Self}` does not state how wide the port is",
    label = "a port of run-time width",
    note = "declare it with `input_of_width` or `output_of_width`"
)]
pub trait FixedWidth: Signal {
    /// Number of scalars.
    const SCALARS: usize;
}

/// `Out<Self>` may drive `In<T>`. A missing implementation is a wiring mistake that does not compile.
#[diagnostic::on_unimplemented(
    message = "an output of type `{Self}` cannot drive an input of type `{T}`",
    label = "these two ports do not fit together",
    note = "fixed-width vectors fit the same width or a run-time-width vector; poses, velocities and forces fit their own kind",
    note = "look whether another port was meant; widths are changed with `Multiplexer`, `Demultiplexer` or `MatrixGain`"
)]
pub trait Feeds<T: Signal>: Signal {}

/// A vector whose width `W` is known at compile time.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<const W: usize>;
/// A vector whose width is known when the block is constructed.
#[derive(Clone, Copy, Debug)]
pub struct Dyn;
/// Positions then velocities of a (part of a) multibody plant; width `num_positions + num_velocities`.
#[derive(Clone, Copy, Debug)]
pub struct MultibodyState;
/// Poses of bodies, seven numbers each: see [`SignalKind::BodyPoses`].
#[derive(Clone, Copy, Debug)]
pub struct BodyPoses;
/// Spatial velocities of bodies, six numbers each: see [`SignalKind::BodyVelocities`].
#[derive(Clone, Copy, Debug)]
pub struct BodyVelocities;
/// Spatial forces on bodies, six numbers each: see [`SignalKind::SpatialForces`].
#[derive(Clone, Copy, Debug)]
pub struct SpatialForces;
/// A picture, row by row from the upper left pixel on; its layout and meaning are those of the port
/// ([`OutputPort::picture`](crate::port::OutputPort::picture)).
#[derive(Clone, Copy, Debug)]
pub struct Image;

impl<const W: usize> Signal for Fixed<W> {
    const KIND: SignalKind = SignalKind::Vector;
    const WIDTH: Option<usize> = Some(W);
    type View<'a, S: Scalar> = [S; W];
    fn view<S: Scalar>(values: &[S]) -> [S; W] {
        std::array::from_fn(|i| values[i])
    }
}

impl<const W: usize> FixedWidth for Fixed<W> {
    const SCALARS: usize = W;
}

macro_rules! run_time_width {
    ($($signal:ident => $kind:ident),*) => {$(
        impl Signal for $signal {
            const KIND: SignalKind = SignalKind::$kind;
            const WIDTH: Option<usize> = None;
            type View<'a, S: Scalar> = &'a [S];
            fn view<S: Scalar>(values: &[S]) -> &[S] {
                values
            }
        }
        impl Feeds<$signal> for $signal {}
    )*};
}
run_time_width!(Dyn => Vector, MultibodyState => MultibodyState, BodyPoses => BodyPoses,
    BodyVelocities => BodyVelocities, SpatialForces => SpatialForces, Image => Image);

impl<const W: usize> Feeds<Fixed<W>> for Fixed<W> {}
impl<const W: usize> Feeds<Dyn> for Fixed<W> {}
impl<const W: usize> Feeds<Fixed<W>> for Dyn {}
impl<const W: usize> Feeds<MultibodyState> for Fixed<W> {}
impl<const W: usize> Feeds<Fixed<W>> for MultibodyState {}
impl Feeds<MultibodyState> for Dyn {}
impl Feeds<SpatialForces> for Dyn {}
impl<const W: usize> Feeds<SpatialForces> for Fixed<W> {}
impl Feeds<Dyn> for MultibodyState {}
impl Feeds<Dyn> for BodyPoses {}
impl Feeds<Dyn> for BodyVelocities {}
impl Feeds<Dyn> for SpatialForces {}
impl Feeds<Dyn> for Image {}
