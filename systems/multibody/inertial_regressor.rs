//! Generalized forces as a linear function of the inertial parameters: `M v̇ + bias = Y π`.
//!
//! A part is a node of the tree: a link with all that is welded to it. Its ten parameters are its mass m, its first
//! moment h and its rotational inertia J, about the origin and in the axes of the link that its joint moves. At the
//! reference point O of its kinematic tree, with r the way from O to that origin,
//!
//! ```text
//! m,   h_O = R h + m r,   J_O = R J Rᵀ + (2 (R h · r) 1 - R h rᵀ - r (R h)ᵀ) + m ((r · r) 1 - r rᵀ)
//! ```
//!
//! are linear in the ten, and so is the force `f = I A + V ×* I V` of the recursion of inverse dynamics.

use super::kinematics::Kinematics;
use super::spatial::{SpatialInertia, SpatialVector, parallel_axis};
use super::tree::{Node, Tree};
use kinegraph_core::convex::{INERTIAL_PARAMETERS, MovingPart};
use nalgebra::{Matrix3, Vector3};

impl Tree {
    /// The parts that move as one, in the order of the columns of [`inertial_regressor`](Self::inertial_regressor).
    pub fn moving_parts(&self) -> Vec<MovingPart> {
        let part = |(index, node): (usize, &Node)| {
            let own = || self.bodies.iter().filter(move |body| body.node == Some(index));
            let others = own().filter(|body| !body.leads && body.inertia.is_some());
            let other = |mut sum: [f64; INERTIAL_PARAMETERS], body: &super::tree::Body| {
                if let Some(inertia) = &body.inertia {
                    let c = body.X_NB.rotation * inertia.p_BoBcm + body.X_NB.translation.vector;
                    let turned = body.R_NB * inertia.I_BBcm * body.R_NB.transpose();
                    let added = parameters(inertia.mass, &c, &turned);
                    sum.iter_mut().zip(added).for_each(|(sum, added)| *sum += added);
                }
                sum
            };
            MovingPart {
                name: own().find(|body| body.leads).map_or_else(String::new, |body| body.name.clone()),
                welded: others.clone().map(|body| body.name.clone()).collect(),
                velocities: node.velocities(),
                parameters: parameters(node.mass, &node.com, &node.inertia),
                parameters_of_welded: others.fold([0.0; INERTIAL_PARAMETERS], other),
                armature: self.armature[node.velocities()].to_vec(),
            }
        };
        self.nodes.iter().enumerate().map(part).collect()
    }

    /// The regressor Y at the state of `k`, for gravity in world \[m/s²\]: a row for each velocity, ten columns for
    /// each part, column by column. Rotors are not part of it.
    ///
    /// # Panics
    /// If velocities were not computed, or a slice has the wrong length.
    pub fn inertial_regressor(&self, k: &mut Kinematics<f64>, v_dot: &[f64], gravity: &Vector3<f64>, Y: &mut [f64]) {
        let rows = self.num_velocities;
        assert_eq!(v_dot.len(), rows, "number of accelerations");
        assert_eq!(Y.len(), rows * INERTIAL_PARAMETERS * self.nodes.len(), "size of the regressor");
        k.assert_velocities();
        Y.fill(0.0);
        for (i, node) in self.nodes.iter().enumerate() {
            let world = SpatialVector::new(Vector3::zeros(), -gravity);
            let mut A = node.parent.map_or(world, |parent| k.accelerations[parent]);
            for velocity in node.velocities() {
                A += k.columns[velocity] * v_dot[velocity];
            }
            A += k.A_bias[i];
            k.accelerations[i] = A;
            let V = k.V[i];
            for parameter in 0..INERTIAL_PARAMETERS {
                let inertia = unit(parameter, &k.R_WN[i], &k.r_N[i]);
                let force = inertia.apply(&A) + V.cross_force(&inertia.apply(&V));
                let column = &mut Y[rows * (INERTIAL_PARAMETERS * i + parameter)..][..rows];
                for carrier in self.ancestry(i) {
                    for velocity in self.nodes[carrier].velocities() {
                        column[velocity] = k.columns[velocity].dot(&force);
                    }
                }
            }
        }
    }
}

/// The ten parameters of a body: mass, first moment, and the entries xx, yy, zz, xy, xz, yz of the rotational inertia
/// about the origin.
fn parameters(mass: f64, c: &Vector3<f64>, about_com: &Matrix3<f64>) -> [f64; INERTIAL_PARAMETERS] {
    let h = c * mass;
    let J = about_com + parallel_axis(&h, c);
    [mass, h.x, h.y, h.z, J[(0, 0)], J[(1, 1)], J[(2, 2)], J[(0, 1)], J[(0, 2)], J[(1, 2)]]
}

/// Inertia about O of a body with one of its parameters 1 and the others 0.
fn unit(parameter: usize, R: &Matrix3<f64>, r: &Vector3<f64>) -> SpatialInertia<f64> {
    match parameter {
        0 => SpatialInertia { mass: 1.0, moment: *r, rotational: parallel_axis(r, r) },
        1..=3 => {
            let h: Vector3<f64> = R.column(parameter - 1).into();
            let crossed = h * r.transpose();
            let rotational = Matrix3::identity() * (2.0 * h.dot(r)) - crossed - crossed.transpose();
            SpatialInertia { mass: 0.0, moment: h, rotational }
        }
        _ => {
            const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
            let (i, j) = ENTRIES[parameter - 4];
            let mut J = Matrix3::zeros();
            (J[(i, j)], J[(j, i)]) = (1.0, 1.0);
            SpatialInertia { mass: 0.0, moment: Vector3::zeros(), rotational: R * J * R.transpose() }
        }
    }
}
