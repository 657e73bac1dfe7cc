//! Inertia along tendons: rotors that a string or a linkage turns.
//!
//! With the length l(q) of a tendon, its arms `J = dl/dq` and the armature a, the kinetic energy is `a l̇²/2`: the mass
//! matrix gets `a J' J` and the bias `a J' (J̇ v)`. For joints J is constant. For a string of straight parts from P to
//! Q, with w the velocity of Q relative to P, A their accelerations at constant joint velocities, e the direction and L
//! the length of a part:
//!
//! ```text
//! J̇ v = Σ (e · (A_Q - A_P) + (|w|² - (e · w)²)/L) / divisor
//! ```
//!
//! Accelerations follow from those without these inertias, one tendon after the other (Sherman and Morrison 1950):
//! `(M + a J' J)⁻¹ x = M⁻¹ x - M⁻¹J' a (J M⁻¹ x)/(1 + a J M⁻¹ J')`.

use super::model::PlantModel;
use super::single_axis::single_axis;
use super::spatial_tendon::PlacedTendon;
use crate::scene_data::Tendon;
use crate::thread_kinematics::lend;
use crate::{Armature, Kinematics, Tree};
use kinegraph_core::scalar::Scalar;
use nalgebra::Vector3;

/// An inertia along a tendon.
#[derive(Clone, Debug)]
pub(super) struct TendonInertia {
    armature: f64,
    along: Along,
}

/// Path of a tendon.
#[derive(Clone, Debug)]
pub(super) enum Along {
    /// Velocities and coefficients.
    Joints(Vec<(usize, f64)>),
    /// A spatial tendon, by its number in the plant.
    Path(usize),
}

/// Inertias along the tendons of all models.
pub(super) fn place(tree: &Tree, models: &[PlantModel], tendons: &[PlacedTendon]) -> Vec<TendonInertia> {
    let inertias = Property {
        value: |armature: &f64| *armature,
        of_joints: |tendon| tendon.armature,
        of_path: |tendon| tendon.armature,
    };
    inertias
        .place(tree, models, tendons)
        .into_iter()
        .map(|(armature, along)| TendonInertia { armature, along })
        .collect()
}

/// A property of tendons; a tendon whose value is zero does not have it.
pub(super) struct Property<T> {
    pub value: fn(&T) -> f64,
    pub of_joints: fn(&Tendon) -> T,
    pub of_path: fn(&PlacedTendon) -> T,
}

impl<T> Property<T> {
    /// The property of each tendon whose value is not zero, with its path. Tendons of missing joints are left out: they
    /// are a fault of their own forces.
    pub fn place(&self, tree: &Tree, models: &[PlantModel], tendons: &[PlacedTendon]) -> Vec<(T, Along)> {
        let mut placed = Vec::new();
        for PlantModel { name, model, .. } in models {
            for tendon in &model.scene.tendons {
                let property = (self.of_joints)(tendon);
                if (self.value)(&property) == 0.0 {
                    continue;
                }
                let place = |(joint, coefficient): &(String, f64)| {
                    let joint = single_axis(tree, &format!("{name}/{joint}"), "a tendon", &mut Vec::new())?;
                    Some((joint.velocities.start, *coefficient))
                };
                let along = Along::Joints(tendon.joints.iter().filter_map(place).collect());
                placed.push((property, along));
            }
        }
        let paths = tendons.iter().enumerate().map(|(i, tendon)| ((self.of_path)(tendon), Along::Path(i)));
        placed.extend(paths.filter(|(property, _)| (self.value)(property) != 0.0));
        placed
    }
}

impl Along {
    /// Its arms on the velocities, where `k` has the positions.
    pub fn arms<S: Scalar>(&self, tree: &Tree, tendons: &[PlacedTendon], k: &Kinematics<S>, arms: &mut [S]) {
        arms.fill(S::zero());
        match self {
            Along::Joints(joints) => joints.iter().for_each(|(v, by)| arms[*v] += S::constant(*by)),
            Along::Path(i) => tendons[*i].path.push(tree, k, S::one(), arms),
        }
    }
}

impl TendonInertia {
    /// `J̇ v`, where `k` has positions and velocities.
    fn rate_of_arms<S: Scalar>(&self, tree: &Tree, tendons: &[PlacedTendon], k: &Kinematics<S>) -> S {
        match &self.along {
            Along::Joints(_) => S::zero(),
            Along::Path(i) => tendons[*i].path.bias_acceleration(tree, k),
        }
    }
}

/// The inertias along tendons of a plant.
pub(super) struct Moved<'a> {
    pub tree: &'a Tree,
    pub tendons: &'a [PlacedTendon],
    pub inertias: &'a [TendonInertia],
}

impl Moved<'_> {
    /// Adds them to the mass matrix and the bias, where `k` has positions and velocities.
    pub fn add(&self, k: &mut Kinematics<f64>, M: &mut [f64], bias: &mut [f64]) {
        let mut arms = std::mem::take(&mut k.v_dot);
        arms.resize(bias.len(), 0.0);
        for inertia in self.inertias {
            inertia.along.arms(self.tree, self.tendons, k, &mut arms);
            let force = inertia.armature * inertia.rate_of_arms(self.tree, self.tendons, k);
            for (clique, range) in self.tree.cliques().enumerate() {
                let (n, own) = (range.len(), &arms[range.clone()]);
                if own.iter().all(|arm| *arm == 0.0) {
                    continue;
                }
                let block = &mut M[self.tree.mass_matrix_block(clique)];
                for (column, by) in block.chunks_exact_mut(n).zip(own) {
                    column.iter_mut().zip(own).for_each(|(entry, arm)| *entry += inertia.armature * arm * by);
                }
            }
            bias.iter_mut().zip(&arms).for_each(|(bias, arm)| *bias += arm * force);
        }
        k.v_dot = arms;
    }

    /// Their kinetic energy \[J\], where `k` has the positions.
    pub fn energy<S: Scalar>(&self, k: &mut Kinematics<S>, v: &[S]) -> S {
        let mut arms = std::mem::take(&mut k.v_dot);
        arms.resize(v.len(), S::zero());
        let of = self.inertias.iter().map(|inertia| {
            inertia.along.arms(self.tree, self.tendons, k, &mut arms);
            let rate = dot(&arms, v);
            S::constant(0.5 * inertia.armature) * rate * rate
        });
        let sum = of.fold(S::zero(), |sum, energy| sum + energy);
        k.v_dot = arms;
        sum
    }

    /// Accelerations under the forces `tau`, where `k` has positions and velocities and `v_dot` holds the accelerations
    /// without these inertias.
    pub fn slow<S: Scalar>(&self, k: &mut Kinematics<S>, tau: &mut [S], gravity: &Vector3<f64>, v_dot: &mut [S]) {
        lend(|Slowed { free, all }: &mut Slowed<S>| {
            free.clear();
            free.extend_from_slice(v_dot);
            all.resize_with(self.inertias.len().max(all.len()), Resisting::default);
            for (i, inertia) in self.inertias.iter().enumerate() {
                let (before, rest) = all.split_at_mut(i);
                let (own, a) = (&mut rest[0], S::constant(inertia.armature));
                let Resisting { arms, answer, .. } = own;
                [&mut *arms, &mut *answer].into_iter().for_each(|of| of.resize(tau.len(), S::zero()));
                inertia.along.arms(self.tree, self.tendons, k, arms);
                let force = inertia.rate_of_arms(self.tree, self.tendons, k) * a;
                // Change of the accelerations, without any of the inertias, by a unit force along the arms.
                tau.iter_mut().zip(&*arms).for_each(|(tau, arm)| *tau += *arm);
                self.tree.forward_dynamics(k, tau, gravity, Armature::Included, answer);
                tau.iter_mut().zip(&*arms).for_each(|(tau, arm)| *tau -= *arm);
                answer.iter_mut().zip(&*free).for_each(|(answer, free)| *answer -= *free);
                before.iter().for_each(|before| before.ease(answer));
                v_dot.iter_mut().zip(&*answer).for_each(|(v_dot, answer)| *v_dot -= *answer * force);
                own.share = a / (S::one() + a * dot(&own.arms, &own.answer));
                own.ease(v_dot);
            }
        });
    }
}

/// Buffers of [`Moved::slow`].
struct Slowed<S: Scalar> {
    free: Vec<S>,
    all: Vec<Resisting<S>>,
}

impl<S: Scalar> Default for Slowed<S> {
    fn default() -> Self {
        Slowed { free: Vec::new(), all: Vec::new() }
    }
}

/// An inertia: its arms, the accelerations under a unit force along them, and the share of these that it resists.
struct Resisting<S: Scalar> {
    arms: Vec<S>,
    answer: Vec<S>,
    share: S,
}

impl<S: Scalar> Default for Resisting<S> {
    fn default() -> Self {
        Resisting { arms: Vec::new(), answer: Vec::new(), share: S::zero() }
    }
}

impl<S: Scalar> Resisting<S> {
    /// Subtracts from accelerations the part that the inertia resists.
    fn ease(&self, v_dot: &mut [S]) {
        let resisted = dot(&self.arms, v_dot) * self.share;
        v_dot.iter_mut().zip(&self.answer).for_each(|(v_dot, answer)| *v_dot -= *answer * resisted);
    }
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).fold(S::zero(), |sum, (a, b)| sum + *a * *b)
}
