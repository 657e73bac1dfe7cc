//! Interior-point method on all impulses of an island: the first round of a bundle of fibres.
//!
//! If many contacts open and close, Newton's method on the law itself moves from face to face. Here the impulses and
//! velocities of contacts stay within their cones, and approach the law together
//! \[Mehrotra 1992; Acary, Armand, Nguyen & Shpakovych 2023\]. In the coordinates of [`cone_pair`](super::cone_pair)
//!
//! ```text
//! A (v - vf) = J' λ(x),   y = ((un - tn + R λn)/μ + |ut|, ut),   x ∘ y = σ e,   σ -> 0
//! (A + J' D⁻¹ M D⁻¹ J) dv = -F + J' D⁻¹ M (W q - r - e ds),   M = (W² + R)⁻¹,   D = diag(μ, 1, 1)
//! dx = M (W q - r - e ds - D⁻¹ J dv),   dy = D⁻¹ J dv + r + e ds + R dx,   ds = t' Jt dv
//! ```
//!
//! with the residual r of the second equation. The rate ds of the term that friction adds to the normal velocity makes
//! the matrix unsymmetric. It is found by generalized minimal residuals with the factor of the symmetric matrix
//! ([`minimal_residual`](super::minimal_residual)), so that non-associated friction needs no rounds of its own. The
//! first direction (predictor) leads straight to the law, with its own ds: without it σ would be too small, and the
//! next step would end at the boundary. Its second-order terms are weighted by the square of its step length. Ten to
//! twenty steps lead to a gap of 1e-8 and less, for any number of contacts. Rounds of [`proximal`](super::proximal)
//! continue from there: they find the active set, and leave no gap.

use super::cone_pair::{ConePair, Point};
use super::minimal_residual::MinimalResidual;
use super::proximal::Proximal;
use super::units::{Law, Unit};
use crate::choices::interior::{
    COUPLED, FIRST_GAP, LAST_GAP, LAST_VIOLATION, LEAST_CENTRING, MAX_COUPLED, MAX_RATE_ITERATIONS, MAX_STEPS,
    MIN_PART, MIN_STRAIGHT, NEAR_GAP, NEXT_GAP, RATE_TOLERANCE, REST_RATIO, TO_BORDER,
};
use crate::choices::proximal::COMPLIANCE;
use crate::inertia_groups::Groups;
use crate::sweeps::Rows;
use nalgebra::Matrix4;

/// Gaps at the start of each way.
pub(super) const FIRST_GAPS: [f64; 3] = [FIRST_GAP, NEXT_GAP, NEXT_GAP];
/// A friction coefficient below this counts as zero.
const SMOOTH: f64 = 1e-9; // rounding

/// A contact in the coordinates of its cone.
#[derive(Clone, Copy, Debug)]
struct Touch {
    unit: usize,
    friction: f64,
    target: f64,
    softness: f64,
    mobility: f64,
    pair: ConePair,
    /// M.
    weight: Matrix4<f64>,
    /// Residual r, and `W q - r`.
    left: Point,
    aim: Point,
    /// dx, dy, and ds.
    impulse: Point,
    velocity: Point,
    rise: f64,
    /// True if its slope is in the matrix.
    couples: bool,
}

impl Touch {
    fn new(number: usize, unit: &Unit, friction: f64, rows: &Rows, start: &[f64]) -> Touch {
        let row = &rows.all[unit.row];
        let size = if friction > SMOOTH { unit.count } else { 1 };
        let friction = if size == 1 { 1.0 } else { friction };
        let mut pair = ConePair::new(size);
        (0..size).for_each(|k| pair.impulse[k] = start[unit.row + k]);
        pair.impulse[0] *= friction;
        let zero = Point::zeros();
        Touch {
            unit: number,
            friction,
            target: row.target,
            softness: row.softness,
            mobility: row.mobility,
            pair,
            weight: Matrix4::zeros(),
            left: zero,
            aim: zero,
            impulse: zero,
            velocity: zero,
            rise: 0.0,
            couples: false,
        }
    }

    /// `D⁻¹` of the rows of its unit.
    fn of_rows(&self, unit: &Unit, rows: &[f64]) -> Point {
        let mut out = Point::zeros();
        (0..self.pair.size).for_each(|k| out[k] = rows[unit.row + k]);
        out[0] /= self.friction;
        out
    }

    /// Computes y from the velocities of rows.
    fn velocity(&self, unit: &Unit, velocities: &[f64]) -> Point {
        let mut out = self.of_rows(unit, velocities);
        let sliding = out.fixed_rows::<3>(1).norm();
        out[0] += self.compliance() * self.pair.impulse[0] - self.target / self.friction + sliding;
        out
    }

    /// `D⁻¹ M` of a velocity: impulses of its rows.
    fn impulse_of(&self, velocity: Point) -> Point {
        let mut out = self.weight * velocity;
        out[0] /= self.friction;
        out
    }

    /// Compliance R, in these coordinates.
    fn compliance(&self) -> f64 {
        self.softness / (self.friction * self.friction)
    }

    /// Moves impulse and velocity from the boundary into their cones.
    fn enter(&mut self, unit: &Unit, velocities: &[f64], gap: f64) {
        let mut velocity = self.velocity(unit, velocities);
        let outside = |x: &Point| x.fixed_rows::<3>(1).norm() - x[0];
        let least = (gap * self.mobility).sqrt() / self.friction;
        velocity[0] += (outside(&velocity) + least).max(0.0);
        let impulse = &mut self.pair.impulse;
        impulse[0] += outside(impulse).max(0.0) - gap / outside(&velocity);
        self.pair.velocity = velocity;
    }

    /// Rate ds along the rates of rows. Near rest it does not use the present direction of sliding, which is unstable
    /// there.
    fn rise_along(&self, unit: &Unit, velocities: &[f64], rates: &[f64]) -> f64 {
        let (mut square, mut along) = (0.0, 0.0);
        for i in unit.row + 1..unit.row + self.pair.size {
            square += velocities[i] * velocities[i];
            along += velocities[i] * rates[i];
        }
        let rest = REST_RATIO * self.mobility * self.pair.gap();
        if square + rest > 0.0 { along / (square + rest).sqrt() } else { 0.0 }
    }

    /// Computes the changes of impulse and velocity along the rates of rows.
    fn follow(&mut self, unit: &Unit, rates: &[f64]) {
        let mut rate = self.of_rows(unit, rates);
        rate[0] += self.rise;
        self.impulse = self.weight * (self.aim - rate);
        self.velocity = rate + self.left;
        self.velocity[0] += self.compliance() * self.impulse[0];
    }
}

/// Workspace of the interior-point method.
#[derive(Clone, Debug, Default)]
pub(super) struct Interior {
    touches: Vec<Touch>,
    residuals: MinimalResidual,
    /// Contacts that are coupled in the matrix, and for each the rate of the friction term, as found and without
    /// coupling.
    coupled: Vec<usize>,
    rises: Vec<f64>,
    risen: Vec<f64>,
    /// Residual F, by velocity.
    balance: Vec<f64>,
    /// True if the last run came near to the law.
    pub is_near: bool,
}

/// Fraction of the direction straight to the law that leads to the boundary of the cones, and fraction of the step that
/// was taken.
struct Parts {
    straight: f64,
    part: f64,
}

impl Interior {
    /// Moves from the start of a round and the velocities `v` towards the law, as far as possible, and leaves impulses
    /// and velocities in the round. Returns the number of factors; `None` if there is nothing to find, or if values are
    /// no longer finite.
    pub fn approach(
        &mut self,
        round: &mut Proximal,
        rows: &Rows,
        groups: &Groups,
        first_gap: f64,
        v: &mut [f64],
    ) -> Option<usize> {
        let is_contact = |unit: &Unit| matches!(unit.law, Law::Contact { .. });
        if !round.units.iter().all(|unit| is_contact(unit) || unit.is_linear(rows)) {
            return None;
        }
        round.measure(rows, groups, v);
        let scale = self.enter(round, rows, first_gap)?;
        let (mut steps, mut is_near) = (0, false);
        while steps < MAX_STEPS {
            self.set_impulses(round, rows);
            let (balance, momenta) = round.balance(rows, groups, v);
            let (largest, mean) = self.measure(round)?;
            let violation = self.touches.iter().map(|t| t.left.norm_squared() * t.friction * t.friction / t.mobility);
            let violation = violation.fold(0.0, f64::max);
            is_near = largest <= NEAR_GAP * scale;
            if largest <= LAST_GAP * scale && violation <= LAST_VIOLATION.powi(2) * scale && balance <= momenta {
                break;
            }
            let Some(Parts { straight, part }) = self.step(round, rows, groups, mean) else { break };
            steps += 1;
            for (group, &offset) in groups.all().iter().zip(&round.offsets) {
                group.velocities.iter().zip(&round.direction[offset..]).for_each(|(&at, d)| v[at] += part * d);
            }
            round.velocities.iter_mut().zip(&round.rates).for_each(|(velocity, rate)| *velocity += part * rate);
            for touch in &mut self.touches {
                touch.pair.impulse += part * touch.impulse;
                touch.pair.velocity += part * touch.velocity;
            }
            if part < MIN_PART || is_near && straight < MIN_STRAIGHT {
                break;
            }
        }
        self.is_near = is_near;
        round.forget_couplings();
        Some(steps)
    }

    /// Moves the contacts into their cones. Returns the largest square of an impulse times its mobility.
    fn enter(&mut self, round: &Proximal, rows: &Rows, first_gap: f64) -> Option<f64> {
        self.touches.clear();
        let mut scale = 0.0_f64;
        for (number, unit) in round.units.iter().enumerate() {
            let Law::Contact { cone, .. } = unit.law else { continue };
            let row = &rows.all[unit.row];
            let asked = (row.target - round.velocities[unit.row]) / (row.mobility + row.softness);
            scale = scale.max(row.mobility * round.start[unit.row].max(asked).powi(2));
            self.touches.push(Touch::new(number, unit, cone.friction, rows, &round.start));
        }
        if scale <= 0.0 || !scale.is_finite() {
            return None;
        }
        for touch in &mut self.touches {
            touch.enter(&round.units[touch.unit], &round.velocities, first_gap * scale);
        }
        Some(scale)
    }

    fn set_impulses(&self, round: &mut Proximal, rows: &Rows) {
        round.respond(rows);
        for touch in &self.touches {
            let unit = round.units[touch.unit];
            for k in 0..unit.count {
                round.impulses[unit.row + k] = touch.pair.impulse[k];
            }
            round.impulses[unit.row] /= touch.friction;
        }
    }

    /// Computes the residuals of velocities; returns the largest gap and the mean. `None` if one is not a number.
    fn measure(&mut self, round: &Proximal) -> Option<(f64, f64)> {
        let (mut largest, mut sum) = (0.0_f64, 0.0);
        for touch in &mut self.touches {
            touch.left = touch.velocity(&round.units[touch.unit], &round.velocities) - touch.pair.velocity;
            let gap = touch.pair.gap();
            largest = largest.max(gap);
            sum += gap;
        }
        sum.is_finite().then(|| (largest, sum / self.touches.len() as f64))
    }

    /// Computes the direction, and the fraction of it to take. `None` if there is none.
    fn step(&mut self, round: &mut Proximal, rows: &Rows, groups: &Groups, gap: f64) -> Option<Parts> {
        self.balance.clear();
        self.balance.extend_from_slice(&round.gradient);
        for touch in &mut self.touches {
            if !touch.pair.scale() {
                return None;
            }
            touch.weight = touch.pair.weight(COMPLIANCE * touch.mobility, touch.compliance());
            touch.aim = -touch.pair.velocity - touch.left;
            let slope = &mut round.slopes[touch.unit];
            *slope = [[0.0; 4]; 4];
            touch.couples = touch.weight[(0, 0)] * touch.mobility >= COUPLED * touch.friction.powi(2);
            if touch.couples {
                let part = |k: usize| if k == 0 { 1.0 / touch.friction } else { 1.0 };
                let size = touch.pair.size;
                (0..size).for_each(|k| (0..size).for_each(|l| slope[k][l] = part(k) * part(l) * touch.weight[(k, l)]));
            }
        }
        let coupling = self.touches.iter().filter(|touch| touch.couples).count();
        let coupled = self.touches.iter().filter(|touch| round.coupled[touch.unit]).count();
        if coupled as f64 > MAX_COUPLED * coupling as f64 {
            round.forget_couplings();
        }
        let pattern = round.couple(rows);
        // First straight to the law; then to the gap that this direction shows to be reachable.
        if !round.factor(rows, groups, pattern) {
            return None;
        }
        self.find_with_rises(round, rows, groups, pattern);
        let straight = self.follow(round).min(1.0);
        let after = |touch: &Touch| {
            let Touch { pair, impulse, velocity, .. } = touch;
            (pair.impulse + straight * impulse).dot(&(pair.velocity + straight * velocity))
        };
        let reached = self.touches.iter().map(after).sum::<f64>() / self.touches.len() as f64;
        let aim = (reached / gap).powi(3).clamp(LEAST_CENTRING, 1.0) * gap;
        for touch in &mut self.touches {
            let Touch { pair, impulse, velocity, .. } = &*touch;
            let right = pair.correction(aim, &(straight * impulse), &(straight * velocity)) - touch.left;
            touch.aim = Point::zeros();
            (0..touch.pair.size).for_each(|k| touch.aim[k] = right[k]);
        }
        self.find_with_rises(round, rows, groups, pattern);
        let part = (TO_BORDER * self.follow(round)).min(1.0);
        part.is_finite().then_some(Parts { straight, part })
    }

    /// Computes the direction with the rates of the friction term, which those of coupled contacts change.
    fn find_with_rises(&mut self, round: &mut Proximal, rows: &Rows, groups: &Groups, pattern: usize) {
        self.touches.iter_mut().for_each(|touch| touch.rise = 0.0);
        self.set_right(round, rows, groups);
        round.solve_direction(pattern);
        let rise_along = |touch: &Touch, round: &mut Proximal| {
            let unit = round.units[touch.unit];
            (unit.row..unit.row + touch.pair.size).for_each(|i| round.find_rate(rows, groups, i));
            touch.rise_along(&unit, &round.velocities, &round.rates)
        };
        let Interior { touches, coupled, residuals, rises, risen, .. } = self;
        coupled.clear();
        coupled.extend((0..touches.len()).filter(|&k| touches[k].couples));
        risen.clear();
        risen.extend(coupled.iter().map(|&k| rise_along(&touches[k], round)));
        rises.resize(risen.len(), 0.0);
        residuals.solve(risen, rises, RATE_TOLERANCE, MAX_RATE_ITERATIONS, |rises, image| {
            round.gradient.fill(0.0);
            for (&k, rise) in coupled.iter().zip(rises) {
                let (touch, unit) = (&touches[k], round.units[touches[k].unit]);
                let impulse = touch.impulse_of(-rise * Point::x());
                (0..touch.pair.size).for_each(|k| round.add_to_gradient(rows, groups, unit.row + k, impulse[k]));
            }
            round.solve_direction(pattern);
            image.iter_mut().zip(&*coupled).for_each(|(image, &k)| *image = rise_along(&touches[k], round));
        });
        coupled.iter().zip(&*rises).for_each(|(&k, rise)| touches[k].rise = *rise);
        self.set_right(round, rows, groups);
        round.find_direction(rows, groups, pattern);
        for touch in self.touches.iter_mut().filter(|touch| !touch.couples) {
            touch.rise = touch.rise_along(&round.units[touch.unit], &round.velocities, &round.rates);
        }
    }

    /// Sets minus the right-hand side of the direction: `F - J' D⁻¹ M (W q - r - e ds)`.
    fn set_right(&self, round: &mut Proximal, rows: &Rows, groups: &Groups) {
        round.gradient.copy_from_slice(&self.balance);
        for touch in &self.touches {
            let unit = round.units[touch.unit];
            let mut aim = touch.aim;
            aim[0] -= touch.rise;
            let impulse = touch.impulse_of(aim);
            (0..touch.pair.size).for_each(|k| round.add_to_gradient(rows, groups, unit.row + k, impulse[k]));
        }
    }

    /// Computes the changes of impulses and velocities along the direction; returns the fraction of it that leads to
    /// the boundary.
    fn follow(&mut self, round: &Proximal) -> f64 {
        let mut part = f64::INFINITY;
        for touch in &mut self.touches {
            touch.follow(&round.units[touch.unit], &round.rates);
            part = part.min(touch.pair.room(&touch.impulse, &touch.velocity));
        }
        part
    }
}
