//! The convex problem of a step \[Kurtz and Castro, CENIC, eq. 13-16\]:
//!
//! ```text
//! l(v) = 1/2 v'A v - r'v + sum mu n0 |vt|_s - N(vn),   A = M + dt D,   r = A v0 - dt k
//! |x|_s = sqrt(x.x + eps^2) - eps,   N'(vn) = n(vn) = dt (fe0 - dt k vn)+ (1 - d vn)+
//! ```
//!
//! with n0 and mu of the start of the step, and `eps = max(v_s, 1e-3 mu n0 w)`.

use kinegraph::contact::{free_delassus, friction_coefficient};
use kinegraph::systems::ConvexPlant;
use kinegraph::systems::convex::PlantPoint;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

/// A part of the step over which friction must not stop more than the regularization velocity.
const SIGMA: f64 = 1e-3;

/// A contact point.
#[derive(Clone, Debug)]
pub struct Contact {
    /// Columns of the Jacobian that are not zero.
    pub columns: Vec<(usize, Vector3<f64>)>,
    /// The bodies.
    pub bodies: (usize, usize),
    normal: Vector3<f64>,
    elastic: f64,
    stiffness: f64,
    dissipation: f64,
    friction: f64,
    force: f64,
    stiction: f64,
    mobility: f64,
}

/// Parts of the convex problem that do not depend on the length of the step.
pub struct Problem {
    mass: DMatrix<f64>,
    damping: DVector<f64>,
    bias: DVector<f64>,
    v0: DVector<f64>,
    contacts: Vec<Contact>,
}

/// The problem of one step.
pub struct StepProblem<'a> {
    /// A.
    pub inertia: DMatrix<f64>,
    /// r.
    pub momentum: DVector<f64>,
    /// diag(M)^-1/2.
    pub scale: DVector<f64>,
    /// The contact points.
    pub contacts: &'a [Contact],
    /// Length of the step \[s\].
    pub dt: f64,
}

impl Problem {
    /// `plant` at positions `q` and velocities `v`.
    pub fn new(plant: &dyn ConvexPlant, q: &[f64], v: &[f64]) -> Self {
        let structure = plant.structure();
        let n = structure.num_velocities;
        let mut point = PlantPoint::default();
        plant.evaluate(q, v, &mut point);
        plant.jacobians(&vec![true; structure.bodies.len()], &mut point);
        plant.contacts(0.0, &mut point);
        let mut mass = DMatrix::zeros(n, n);
        let mut at = 0;
        for clique in &structure.cliques {
            let size = clique.len();
            let block = DMatrix::from_column_slice(size, size, &point.mass_matrix[at..at + size * size]);
            mass.view_mut((clique.start, clique.start), (size, size)).copy_from(&block);
            at += size * size;
        }
        let v0 = DVector::from_column_slice(v);
        let contacts = (0..point.contacts.len()).map(|i| contact(plant, &point, i, &v0)).collect();
        let damping = DVector::from_column_slice(&structure.damping);
        Problem { mass, damping, bias: DVector::from_column_slice(&point.bias), v0, contacts }
    }

    /// For a step of length `dt` \[s\].
    pub fn for_step(&self, dt: f64) -> StepProblem<'_> {
        let inertia = &self.mass + DMatrix::from_diagonal(&(&self.damping * dt));
        let momentum = &inertia * &self.v0 - &self.bias * dt;
        let scale = self.mass.diagonal().map(|m| m.powf(-0.5));
        StepProblem { inertia, momentum, scale, contacts: &self.contacts, dt }
    }
}

fn contact(plant: &dyn ConvexPlant, point: &PlantPoint, index: usize, v0: &DVector<f64>) -> Contact {
    let (found, structure) = (&point.contacts[index], plant.structure());
    let (mut columns, mut mobility) = (Vec::new(), 0.0);
    for (body, sign) in [(found.body_a, -1.0), (found.body_b, 1.0)] {
        let own = &structure.bodies[body];
        let Some(clique) = own.clique else { continue };
        mobility += free_delassus(own.mass);
        let arm = Vector3::from(found.p_WC) - Vector3::from(point.p_WB[body]);
        for (k, velocity) in structure.cliques[clique].clone().enumerate() {
            let mut spatial = [0.0; 6];
            if own.free {
                spatial[k] = 1.0;
            } else {
                spatial.copy_from_slice(&point.jacobians[own.jacobian.clone()][6 * k..6 * k + 6]);
            }
            let [angular, linear] = [0, 3].map(|at| Vector3::new(spatial[at], spatial[at + 1], spatial[at + 2]));
            columns.push((velocity, (linear + angular.cross(&arm)) * sign));
        }
    }
    let normal = Vector3::from(found.normal);
    let relative: Vector3<f64> = columns.iter().map(|(i, column)| column * v0[*i]).sum();
    let vn = normal.dot(&relative);
    let stiction = plant.stiction_tolerance();
    let slip = (relative - normal * vn).norm() / stiction;
    let elastic = found.stiffness * found.depth;
    Contact {
        columns,
        bodies: (found.body_a, found.body_b),
        normal,
        elastic,
        stiffness: found.stiffness,
        dissipation: found.dissipation,
        friction: friction_coefficient(slip, found.static_friction, found.dynamic_friction),
        force: elastic.max(0.0) * (1.0 - found.dissipation * vn).max(0.0),
        stiction,
        mobility,
    }
}

impl Contact {
    /// Its relative velocity when the velocities are `v`.
    pub fn velocity(&self, v: &DVector<f64>) -> Vector3<f64> {
        self.columns.iter().map(|(i, column)| column * v[*i]).sum()
    }

    /// `mu n0` and the regularization velocity, in a step of length `dt`.
    fn rubbing(&self, dt: f64) -> (f64, f64) {
        let impulse = self.friction * dt * self.force;
        (impulse, self.stiction.max(SIGMA * impulse * self.mobility))
    }

    /// The potential \[J\].
    pub fn cost(&self, vc: &Vector3<f64>, dt: f64) -> f64 {
        let (impulse, eps) = self.rubbing(dt);
        let vn = self.normal.dot(vc);
        let vt = vc - self.normal * vn;
        let release = (1.0 / (self.dissipation + 1e-20)).min(self.elastic / dt / (self.stiffness + 1e-20));
        let v = vn.min(release);
        let change = -dt * self.stiffness * v;
        let normal = dt
            * (v * (self.elastic + 0.5 * change)
                - 0.5 * self.dissipation * v * v * (self.elastic + 2.0 / 3.0 * change));
        impulse * ((vt.norm_squared() + eps * eps).sqrt() - eps) - normal
    }

    /// Impulse on the second body, and the Hessian of the potential.
    pub fn impulse_and_hessian(&self, vc: &Vector3<f64>, dt: f64) -> (Vector3<f64>, Matrix3<f64>) {
        let (impulse, eps) = self.rubbing(dt);
        let n = self.normal;
        let vn = n.dot(vc);
        let vt = vc - n * vn;
        let soft = (vt.norm_squared() + eps * eps).sqrt();
        let t = vt / soft;
        let (elastic, damping) = (self.elastic - dt * self.stiffness * vn, 1.0 - self.dissipation * vn);
        let (normal, slope) = if elastic > 0.0 && damping > 0.0 {
            (dt * elastic * damping, dt * (self.stiffness * dt * damping + self.dissipation * elastic))
        } else {
            (0.0, 0.0)
        };
        let across = Matrix3::identity() - t * t.transpose() - n * n.transpose();
        (n * normal - t * impulse, across * (impulse / soft) + n * n.transpose() * slope)
    }
}
