//! Energy, centre of mass and total inertia.
//!
//! Potential energy and total inertia include bodies fixed to the world. These do not move, so they have no kinetic
//! energy.

use super::kinematics::Kinematics;
use super::model::Inertia;
use super::spatial::{SpatialInertia, SpatialVector, lift, rotate_tensor};
use super::tree::Tree;
use kinegraph_core::scalar::Scalar;
use nalgebra::{Matrix3, Vector3};

/// Inertia of all bodies together.
#[derive(Clone, Copy, Debug)]
pub struct TotalInertia<S: Scalar> {
    /// Mass \[kg\].
    pub mass: f64,
    /// Centre of mass in world \[m\]; the origin if there is no mass.
    pub p_WCm: Vector3<S>,
    /// Rotational inertia about the centre of mass, in world axes \[kg m²\].
    pub I_Cm: Matrix3<S>,
}

impl Tree {
    /// Kinetic energy of the rigid bodies \[J\], without rotors: half `vᵀ M v` with
    /// [`Armature::Ignored`](super::Armature::Ignored).
    ///
    /// # Panics
    /// If velocities were not computed.
    pub fn kinetic_energy<S: Scalar>(&self, k: &mut Kinematics<S>) -> S {
        k.assert_velocities();
        k.ensure_inertias(self);
        let twice = k.V.iter().zip(&k.inertias).fold(S::zero(), |sum, (V, inertia)| sum + V.dot(&inertia.apply(V)));
        S::constant(0.5) * twice
    }

    /// Kinetic energy of the rotors' reflected inertia at velocities `v` \[J\].
    pub fn armature_energy<S: Scalar>(&self, v: &[S]) -> S {
        self.armature.iter().zip(v).fold(S::zero(), |sum, (a, v)| sum + S::constant(0.5 * a) * *v * *v)
    }

    /// Potential energy in a field of gravity \[m/s²\]: `-Σ m g·c` \[J\].
    ///
    /// # Panics
    /// If positions were not computed.
    pub fn potential_energy<S: Scalar>(&self, k: &Kinematics<S>, gravity: &Vector3<f64>) -> S {
        -self.first_moment(k).dot(&lift(gravity))
    }

    /// Centre of mass of all bodies \[m\].
    ///
    /// # Panics
    /// If positions were not computed.
    pub fn center_of_mass<S: Scalar>(&self, k: &Kinematics<S>) -> Vector3<S> {
        if self.total_mass == 0.0 {
            return Vector3::zeros();
        }
        self.first_moment(k) / S::constant(self.total_mass)
    }

    /// Centre of mass of some bodies \[m\] and its velocity \[m/s\], in world; `None` if they have no mass.
    ///
    /// # Panics
    /// If velocities were not computed.
    pub(crate) fn center_of_mass_of<S: Scalar>(
        &self,
        k: &Kinematics<S>,
        bodies: impl IntoIterator<Item = usize>,
    ) -> Option<[Vector3<S>; 2]> {
        let mut mass = 0.0;
        let (mut moment, mut momentum) = (Vector3::zeros(), Vector3::zeros());
        for (inertia, p_WBcm, V_WBcm) in bodies.into_iter().filter_map(|body| self.mass_at(k, body)) {
            mass += inertia.mass;
            moment += p_WBcm * S::constant(inertia.mass);
            momentum += V_WBcm.linear * S::constant(inertia.mass);
        }
        (mass > 0.0).then(|| [moment, momentum].map(|sum| sum / S::constant(mass)))
    }

    /// Mass properties of a body, with the position and the velocity of its centre of mass in world; `None` if it has
    /// no mass.
    ///
    /// # Panics
    /// If velocities were not computed.
    pub(crate) fn mass_at<S: Scalar>(
        &self,
        k: &Kinematics<S>,
        body: usize,
    ) -> Option<(Inertia, Vector3<S>, SpatialVector<S>)> {
        let inertia = self.bodies()[body].inertia.filter(|inertia| inertia.mass > 0.0)?;
        let X = self.X_WB(k, body);
        let arm = X.R_WB * lift::<S>(&inertia.p_BoBcm);
        Some((inertia, X.p_WB + arm, self.V_WB(k, body).motion_at(&arm)))
    }

    /// Mass, centre of mass and rotational inertia of all bodies.
    ///
    /// # Panics
    /// If positions were not computed.
    pub fn total_inertia<S: Scalar>(&self, k: &Kinematics<S>) -> TotalInertia<S> {
        let p_WCm = self.center_of_mass(k);
        let (mass, com, about) = &self.fixed;
        let mut total = SpatialInertia::new(S::constant(*mass), &(lift::<S>(com) - p_WCm), &about.map(S::constant));
        for (i, node) in self.nodes.iter().enumerate() {
            let R = &k.R_WN[i];
            let c = k.p_WN[i] + R * lift::<S>(&node.com) - p_WCm;
            total += &SpatialInertia::new(S::constant(node.mass), &c, &rotate_tensor(R, &node.inertia));
        }
        TotalInertia { mass: self.total_mass, p_WCm, I_Cm: total.rotational }
    }

    /// `Σ m c`, from the world's origin \[kg m\].
    fn first_moment<S: Scalar>(&self, k: &Kinematics<S>) -> Vector3<S> {
        k.assert_positions();
        let (mass, com, _) = &self.fixed;
        let mut sum = lift::<S>(&(com * *mass));
        for (i, node) in self.nodes.iter().enumerate() {
            sum += (k.p_WN[i] + k.R_WN[i] * lift::<S>(&node.com)) * S::constant(node.mass);
        }
        sum
    }
}
