//! Compliant joint stops with the law of a contact \[Hunt & Crossley\]: with x the displacement beyond the stop, the
//! force is `k x (1 + d x')`, and never towards it.
//!
//! In a step, with s the speed away from the stop and x0 the displacement beyond it at its start, the impulse is
//!
//! ```text
//! gamma(s) = dt k (x0 - dt s)+ (1 - d s)+
//! ```
//!
//! the force at the end of the step. It falls with s, so that it has a convex potential: with s_m the smaller of the
//! roots `x0/dt` and `1/d`, and `e = s_m - s`, its two factors are `dt e + a` and `d e + b`, one of a and b zero, and
//!
//! ```text
//! cost = dt k (dt d e³/3 + (dt b + d a) e²/2),   e > 0.
//! ```
//!
//! Or with a damper beside the spring (`d = 0`, a damping c): the force is `(k x + c x')+` beyond the stop. A step that
//! ends beyond it is braked for the part of it that is beyond, so that the impulse is a continuous function of x0:
//!
//! ```text
//! gamma(s) = dt (dt k + c) (s_m - s)+,   s_m = x0/dt where x0 < 0, k x0/(dt k + c) where x0 >= 0
//! ```

use super::element::{Element, ForceContext, LawContext};
use super::plant_elements::PlantElements;
use super::report::Report;
use super::velocity_law::VelocityLaw;
use kinegraph_core::Scalar;
use kinegraph_core::convex::{JointLimit, PlantStructure, StopCompliance};

/// A stop of one velocity with the force `stiffness x (1 + dissipation x')` at the displacement x beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompliantStop {
    /// The velocity.
    pub velocity: usize,
    /// Direction away from it: 1 of a lower stop, -1 of an upper one.
    pub sign: f64,
    /// Distance to it at the start of the step \[m, rad\]; negative beyond.
    pub gap: f64,
    /// Stiffness \[N/m, N m/rad\].
    pub stiffness: f64,
    /// Dissipation \[s/m, s/rad\].
    pub dissipation: f64,
    /// Damping \[N s/m, N m s/rad\]; with it there is no dissipation.
    pub damping: f64,
}

impl CompliantStop {
    /// True if it pushes, or would at the end of a step of length `dt` at the velocity `v`.
    pub fn may_push(&self, v: f64, dt: f64) -> bool {
        self.gap.min(self.gap + dt * self.sign * v) < 0.0
    }

    /// Displacement of the coordinate beyond the stop after it `moved`.
    fn beyond<S: Scalar>(&self, moved: S) -> S {
        let beyond = -(S::constant(self.gap) + S::constant(self.sign) * moved);
        if beyond.value() > 0.0 { beyond } else { S::zero() }
    }
}

impl Element for CompliantStop {
    const NAME: &'static str = "compliant joint stop";
    const KIND: &'static str = "compliant_stop";
    const REPORT: Report = Report::Stop;
    // Steps of free motion end where one is met.
    const LEAVES_MOTION_FREE: bool = true;
    type Law = CompliantStopLaw;

    fn velocities(structure: &PlantStructure, add: &mut dyn FnMut(usize)) {
        let compliant = structure.limits.iter().filter(|limit| limit.compliance.is_some());
        compliant.for_each(|limit| add(limit.velocity));
    }

    fn of_plant(plant: &PlantElements<'_>, add: &mut dyn FnMut(Self)) {
        let compliant = |limit: &JointLimit| Some((*limit, limit.compliance?));
        for (limit, law) in plant.structure.limits.iter().filter_map(compliant) {
            let StopCompliance { stiffness, dissipation, damping } = law;
            let (q, velocity) = (plant.q[limit.position], plant.first + limit.velocity);
            for (sign, place) in limit.stops() {
                add(CompliantStop { velocity, sign, gap: sign * (q - place), stiffness, dissipation, damping });
            }
        }
    }

    fn velocity(&self) -> usize {
        self.velocity
    }

    fn moved(self, by: f64) -> Self {
        CompliantStop { gap: self.gap + self.sign * by, ..self }
    }

    fn force<S: Scalar>(&self, at: &ForceContext<S>) -> S {
        let v = S::constant(self.sign) * at.velocity;
        if self.damping > 0.0 {
            let beyond = self.beyond(at.moved);
            let force = S::constant(self.stiffness) * beyond - S::constant(self.damping) * v;
            let pushes = beyond.value() > 0.0 && force.value() > 0.0;
            return if pushes { S::constant(self.sign) * force } else { S::zero() };
        }
        let damping = S::one() - S::constant(self.dissipation) * v;
        if damping.value() <= 0.0 {
            return S::zero();
        }
        S::constant(self.sign) * (S::constant(self.stiffness) * self.beyond(at.moved) * damping)
    }

    fn energy<S: Scalar>(&self, moved: S) -> S {
        let beyond = self.beyond(moved);
        S::constant(0.5 * self.stiffness) * beyond * beyond
    }

    fn hinders_explicit(&self, v: f64, h: f64) -> bool {
        self.may_push(v, h)
    }
}

/// A compliant stop within one solve.
#[derive(Clone, Copy, Debug)]
pub struct CompliantStopLaw {
    sign: f64,
    /// True if it pushes at the start of the step.
    beyond: bool,
    /// `s_m`: speed away from the stop from which on there is no force.
    fastest: f64,
    /// Coefficients of e and e² in the impulse.
    linear: f64,
    quadratic: f64,
}

impl CompliantStopLaw {
    /// The law of `stop` in a step of length `dt`.
    pub fn of(stop: &CompliantStop, dt: f64) -> Self {
        if stop.damping > 0.0 {
            let gain = dt * stop.stiffness + stop.damping;
            let fastest = if stop.gap > 0.0 { -stop.gap / dt } else { -stop.gap * stop.stiffness / gain };
            let (sign, beyond) = (stop.sign, stop.gap < 0.0);
            return CompliantStopLaw { sign, beyond, fastest, linear: dt * gain, quadratic: 0.0 };
        }
        let (k, d) = (dt * stop.stiffness, stop.dissipation);
        let fastest = (-stop.gap / dt).min(1.0 / d);
        let (a, b) = ((-stop.gap - dt * fastest).max(0.0), (1.0 - d * fastest).max(0.0));
        let (linear, quadratic) = (k * (dt * b + d * a), k * dt * d);
        CompliantStopLaw { sign: stop.sign, beyond: stop.gap < 0.0, fastest, linear, quadratic }
    }

    /// Bit 0: the lower stop acts; bit 1: the upper.
    fn side(&self, acts: bool) -> u8 {
        if self.sign > 0.0 { u8::from(acts) } else { u8::from(acts) << 1 }
    }

    fn slower_by<S: Scalar>(&self, v: S) -> S {
        S::constant(self.fastest) - v * S::constant(self.sign)
    }
}

impl VelocityLaw for CompliantStopLaw {
    type Data = CompliantStop;
    const KIND: u64 = 7;
    const ONE_SIDED: bool = true;
    // The law is the same in steps of every length.
    const RIGID: bool = false;

    fn new(stop: &CompliantStop, context: &LawContext) -> Self {
        CompliantStopLaw::of(stop, context.dt)
    }

    fn cost<S: Scalar>(&self, v: S) -> S {
        let e = self.slower_by(v);
        if e.value() <= 0.0 {
            return S::constant(0.0);
        }
        e * e * (S::constant(0.5 * self.linear) + e * S::constant(self.quadratic / 3.0))
    }

    #[inline]
    fn impulse<S: Scalar>(&self, v: S) -> S {
        let e = self.slower_by(v);
        if e.value() <= 0.0 {
            return S::constant(0.0);
        }
        e * (S::constant(self.linear) + e * S::constant(self.quadratic)) * S::constant(self.sign)
    }

    fn piece(&self, v: f64) -> u8 {
        self.side(self.slower_by(v) > 0.0)
    }

    // A stop that is left within the step pushes until then: steps are cut there.
    fn piece_at_start(&self, _: f64) -> u8 {
        self.side(self.beyond)
    }

    #[inline]
    fn hessian(&self, v: f64) -> f64 {
        let e = self.slower_by(v);
        if e > 0.0 { self.linear + 2.0 * self.quadratic * e } else { 0.0 }
    }
}
