//! Dry friction of joints: the saturated law `tau(v) = -clamp(f v/v_s, -f, f)` on one degree of freedom.
//!
//! Its potential is that of Huber, `dt f (|v| - v_s/2)` beyond v_s and `dt f v²/(2 v_s)` within: convex, with an
//! impulse that goes on continuously. A joint that sticks under a load tau creeps at `v_s tau/f`. The law depends on
//! the state alone, not on the step, so that steps of all lengths solve the same one.

use super::element::{Element, ForceContext, LawContext};
use super::plant_elements::{PlantElements, named};
use super::velocity_law::VelocityLaw;
use crate::choices::joint_friction::STICTION_PART;
use kinegraph_core::Scalar;
use kinegraph_core::convex::PlantStructure;

/// A joint that resists motion with an effort of at most `force`, whatever its speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFriction {
    /// The velocity that it resists.
    pub velocity: usize,
    /// The largest effort \[N, N m\].
    pub force: f64,
    /// Regularization velocity \[rad/s, m/s\].
    pub creep: f64,
    /// The velocity at the start of the step \[rad/s, m/s\].
    pub start: f64,
}

impl Element for JointFriction {
    const NAME: &'static str = "dry friction of a joint";
    const KIND: &'static str = "joint_friction";
    const PARAMETERS: Option<&'static [&'static str]> = Some(&["force"]);
    type Law = JointFrictionLaw;

    fn velocities(structure: &PlantStructure, add: &mut dyn FnMut(usize)) {
        structure.joint_friction.iter().for_each(|friction| add(friction.velocity));
        named::<Self>(structure).for_each(|element| add(element.velocity));
    }

    fn of_plant(plant: &PlantElements<'_>, add: &mut dyn FnMut(Self)) {
        let of = |velocity: usize, force: f64, creep: f64| {
            let creep = creep.max(STICTION_PART * plant.stiction_tolerance_of(velocity));
            let start = (plant.start)(velocity).velocity;
            JointFriction { velocity: plant.first + velocity, force, creep, start }
        };
        plant.structure.joint_friction.iter().for_each(|law| add(of(law.velocity, law.largest, law.creep)));
        for (velocity, _, parameters) in plant.named::<Self>() {
            parameters.iter().for_each(|&force| add(of(velocity - plant.first, force, 0.0)));
        }
    }

    fn velocity(&self) -> usize {
        self.velocity
    }

    fn moved(self, _: f64) -> Self {
        self
    }

    fn force<S: Scalar>(&self, at: &ForceContext<S>) -> S {
        let share = at.velocity / S::constant(self.creep);
        let share = if share.value() > 1.0 {
            S::one()
        } else if share.value() < -1.0 {
            -S::one()
        } else {
            share
        };
        S::constant(-self.force) * share
    }
}

/// The friction of one degree of freedom within one solve.
#[derive(Clone, Copy, Debug)]
pub struct JointFrictionLaw {
    /// Largest impulse \[N s, N m s\].
    impulse: f64,
    /// Regularization velocity \[rad/s, m/s\].
    creep: f64,
    /// The velocity at the start of the step.
    start: f64,
}

impl JointFrictionLaw {
    /// The law of a largest impulse \[N s, N m s\].
    pub(super) fn of(impulse: f64, creep: f64) -> Self {
        JointFrictionLaw { impulse, creep, start: 0.0 }
    }
}

impl VelocityLaw for JointFrictionLaw {
    type Data = JointFriction;
    const KIND: u64 = 6;
    const ONE_SIDED: bool = false;

    fn new(friction: &JointFriction, context: &LawContext) -> Self {
        JointFrictionLaw { start: friction.start, ..JointFrictionLaw::of(context.dt * friction.force, friction.creep) }
    }

    fn cost<S: Scalar>(&self, v: S) -> S {
        if v.value().abs() > self.creep {
            S::constant(self.impulse) * (v.abs() - S::constant(0.5 * self.creep))
        } else {
            S::constant(0.5 * self.impulse / self.creep) * v * v
        }
    }

    #[inline]
    fn impulse<S: Scalar>(&self, v: S) -> S {
        if v.value().abs() > self.creep {
            S::constant(-self.impulse.copysign(v.value()))
        } else {
            S::constant(-self.impulse / self.creep) * v
        }
    }

    #[inline]
    fn hessian(&self, v: f64) -> f64 {
        if v.abs() > self.creep { 0.0 } else { self.impulse / self.creep }
    }

    /// 0 where the joint sticks, 1 and 2 where it moves forwards or backwards.
    fn piece(&self, v: f64) -> u8 {
        u8::from(v > self.creep) | u8::from(v < -self.creep) << 1
    }

    fn ends(&self, _v0: f64, v: f64) -> bool {
        self.piece_at_start(v) != self.piece(v)
    }

    /// A joint that comes to rest within the step, or reverses, moves at its start: both halves of a step may end at
    /// rest, wherever it is that they do.
    fn piece_at_start(&self, v: f64) -> u8 {
        let (start, end) = (self.piece(self.start), self.piece(v));
        if start & !end == 0 { end } else { start }
    }
}
