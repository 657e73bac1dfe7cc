//! Compliant stops: those of fixed tendons that run over several joints, and of ball joints.
//!
//! As with contact ([`surfaces`](super::surfaces)) the parameters `solreflimit` and `solimplimit` say how deep what is
//! at rest sinks in, whatever its mass: stiffness and dissipation are those per unit of mass, times the inertia that
//! the stop sees where all joints are at their references, `1 / (cᵀ M⁻¹ c)` along the coefficients c of a tendon, and
//! the mean of the three of a ball joint, `3 / tr(M⁻¹)`.

use super::joints::Joints;
use super::log::Log;
use super::surfaces::Law;
use super::tendons::{Tendon, Tendons};
use crate::multibody::scene_data::{Cone, Stop};
use crate::multibody::{Armature, Base, InertiaCheck, Kinematics, Model, ModelInstance, TendonPath, Tree};
use nalgebra::{DMatrix, DVector};

/// Gives tendons and ball joints with a range their stops.
pub(super) fn resolve(model: &mut Model, joints: &Joints<'_>, tendons: &Tendons<'_>, log: &mut Log<'_>) {
    let asks = |tendon: &&Tendon<'_>| tendon.range.is_some() || tendon.rests_with_joints;
    let first_tendon = tendons.tendons.iter().find(asks).map(|tendon| tendon.element);
    let first_cone = joints.all.iter().find(|joint| joint.cone.is_some()).map(|joint| joint.part.element);
    let Some(first) = first_tendon.or(first_cone) else { return };
    let Some(inertias) = Inertias::of(model) else {
        log.differs(first, "has a range, for which the inertia could not be found: it is not simulated");
        return;
    };
    for tendon in &tendons.tendons {
        let (Some((range, law)), Some(name)) = (tendon.range, &tendon.name) else { continue };
        let Some(inertia) = inertias.along(&tendon.joints) else { continue };
        let of_model = model.scene.tendons.iter_mut().find(|of_model| of_model.name == *name);
        if let Some(of_model) = of_model {
            of_model.stop = Some((range, stop(law, inertia)));
            log.differs(tendon.element, "runs over several joints: its range is a compliant stop, as in contact");
        }
    }
    for tendon in &tendons.tendons {
        let of_model = model.scene.spatial_tendons.iter_mut().find(|of| tendon.spatial.as_ref() == Some(&of.name));
        let Some(of_model) = of_model else { continue };
        let Ok(path) = TendonPath::new(&inertias.tree, "m", &of_model.path) else { continue };
        if tendon.rests_with_joints {
            let length = inertias.length_at_rest(&path, joints);
            of_model.rest = (length, length);
        }
        if let Some(((range, law), inertia)) = tendon.range.zip(inertias.along_path(&path)) {
            of_model.stop = Some((range, stop(law, inertia)));
            log.differs(tendon.element, "is a spatial tendon: its range is a stop that yields as contact does");
        }
    }
    for joint in &joints.all {
        let Some((angle, law)) = joint.cone else { continue };
        let Some(inertia) = inertias.of_ball(&joint.name) else { continue };
        model.scene.cones.push(Cone { joint: joint.name.clone(), angle, stop: stop(law, inertia) });
        log.differs(joint.part.element, "is a ball joint: its range is a compliant stop, as in contact");
    }
}

fn stop(law: Law, inertia: f64) -> Stop {
    Stop { stiffness: law.stiffness * inertia, dissipation: law.dissipation }
}

/// The inverse of the mass matrix where all joints are at their references.
struct Inertias {
    tree: Tree,
    inverse: DMatrix<f64>,
}

impl Inertias {
    fn of(model: &Model) -> Option<Self> {
        /// Inverting is cubic in time; a model of more velocities has its parts, but not such stops.
        const MAX_VELOCITIES: usize = 2000;
        let instance = ModelInstance { name: "m".into(), model, base: Base::fixed() };
        let (tree, _) = Tree::assemble(&[instance], InertiaCheck::Lenient).ok()?;
        let n = tree.num_velocities();
        if n > MAX_VELOCITIES {
            return None;
        }
        let mut k = Kinematics::default();
        tree.position_kinematics(tree.initial_positions(), &mut k);
        let mut M = vec![0.0; tree.mass_matrix_len()];
        tree.mass_matrix(&mut k, Armature::Included, &mut M);
        let mut inverse = DMatrix::zeros(n, n);
        for (clique, range) in tree.cliques().enumerate() {
            let block = DMatrix::from_column_slice(range.len(), range.len(), &M[tree.mass_matrix_block(clique)]);
            let block = block.cholesky()?.inverse();
            inverse.view_mut((range.start, range.start), (range.len(), range.len())).copy_from(&block);
        }
        Some(Inertias { tree, inverse })
    }

    fn velocity(&self, joint: &str) -> Option<usize> {
        self.tree.joint(&format!("m/{joint}")).map(|joint| self.tree.joints()[joint].velocities.start)
    }

    fn along(&self, joints: &[(String, f64)]) -> Option<f64> {
        let mut c = DVector::zeros(self.inverse.nrows());
        for (joint, coefficient) in joints {
            c[self.velocity(joint)?] += *coefficient;
        }
        let mobility = c.dot(&(&self.inverse * &c));
        (mobility > 0.0).then(|| 1.0 / mobility)
    }

    /// The length of a path where all springs of joints are at rest.
    fn length_at_rest(&self, path: &TendonPath, joints: &Joints<'_>) -> f64 {
        let mut q = self.tree.initial_positions().to_vec();
        for joint in &joints.all {
            let found = self.tree.joint(&format!("m/{}", joint.name)).map(|index| &self.tree.joints()[index]);
            if let Some(found) = found.filter(|found| found.velocities.len() == 1) {
                q[found.positions.start] = joint.spring_rest;
            }
        }
        let mut k = Kinematics::default();
        self.tree.position_kinematics(&q, &mut k);
        path.length(&self.tree, &k)
    }

    fn along_path(&self, path: &TendonPath) -> Option<f64> {
        let mut k = Kinematics::default();
        self.tree.position_kinematics(self.tree.initial_positions(), &mut k);
        let mut arms = DVector::zeros(self.inverse.nrows());
        path.push(&self.tree, &k, 1.0, arms.as_mut_slice());
        let mobility = arms.dot(&(&self.inverse * &arms));
        (mobility > 0.0).then(|| 1.0 / mobility)
    }

    fn of_ball(&self, joint: &str) -> Option<f64> {
        let first = self.velocity(joint)?;
        let mobility: f64 = (first..first + 3).map(|v| self.inverse[(v, v)]).sum();
        (mobility > 0.0).then(|| 3.0 / mobility)
    }
}
