//! The inverse of the mass matrix of a model where all joints are at their references: what stops, equalities, muscles
//! and damping ratios are scaled by.

use super::joints::Joints;
use kinegraph_multibody::plant::arms_of_push;
use kinegraph_multibody::scene_data::Actuator;
use kinegraph_multibody::{
    Armature, Base, InertiaCheck, Kinematics, Model, ModelInstance, SpatialVector, TendonPath, Tree,
};
use nalgebra::{DMatrix, DVector, Vector3};

/// The mass matrix where all joints are at their references.
pub(super) struct Inertias {
    pub tree: Tree,
    inverse: DMatrix<f64>,
}

impl Inertias {
    /// Computes the inertias of a model; `None` if there are none, or the model is too large.
    pub fn of(model: &Model) -> Option<Self> {
        /// Inverting is cubic in time; a model of more velocities has its parts, but not what needs this.
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
        let mut found = Inertias { tree, inverse };
        found.add_tendons(model);
        Some(found)
    }

    /// Adds the inertias along tendons: `(M + a c c')⁻¹ = M⁻¹ - a M⁻¹c (M⁻¹c)'/(1 + a c · M⁻¹c)`.
    fn add_tendons(&mut self, model: &Model) {
        let fixed = model.scene.tendons.iter().filter(|of| of.armature != 0.0);
        let mut all: Vec<_> = fixed.filter_map(|of| Some((of.armature, self.arms_along(&of.joints)?))).collect();
        for of in model.scene.spatial_tendons.iter().filter(|of| of.armature != 0.0) {
            let path = TendonPath::new(&self.tree, "m", &of.path).ok();
            all.extend(path.map(|path| (of.armature, self.arms_of_path(&path))));
        }
        for (armature, arms) in all {
            let eased = &self.inverse * &arms;
            let share = armature / (1.0 + armature * arms.dot(&eased));
            self.inverse -= &eased * eased.transpose() * share;
        }
    }

    fn velocity(&self, joint: &str) -> Option<usize> {
        let velocities = &self.tree.joints()[self.tree.joint(&format!("m/{joint}"))?].velocities;
        (!velocities.is_empty()).then_some(velocities.start)
    }

    fn arms_along(&self, joints: &[(String, f64)]) -> Option<DVector<f64>> {
        let mut c = DVector::zeros(self.inverse.nrows());
        for (joint, coefficient) in joints {
            c[self.velocity(joint)?] += *coefficient;
        }
        Some(c)
    }

    fn arms_of_path(&self, path: &TendonPath) -> DVector<f64> {
        let mut k = Kinematics::default();
        self.tree.position_kinematics(self.tree.initial_positions(), &mut k);
        let mut arms = DVector::zeros(self.inverse.nrows());
        path.push(&self.tree, &k, 1.0, arms.as_mut_slice());
        arms
    }

    /// The inertia along these arms where all velocities are free.
    pub fn inertia(&self, arms: &DVector<f64>) -> Option<f64> {
        let mobility = arms.dot(&(&self.inverse * arms));
        (mobility > 0.0).then(|| 1.0 / mobility)
    }

    /// The inertia along a fixed tendon.
    pub fn along(&self, joints: &[(String, f64)]) -> Option<f64> {
        self.inertia(&self.arms_along(joints)?)
    }

    /// The inertia along a spatial tendon.
    pub fn along_path(&self, path: &TendonPath) -> Option<f64> {
        self.inertia(&self.arms_of_path(path))
    }

    /// The length of a path where all springs of joints are at rest.
    pub fn length_at_rest(&self, path: &TendonPath, joints: &Joints<'_>) -> f64 {
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

    /// The length of a path where all joints are at their references.
    pub fn length_at_references(&self, path: &TendonPath) -> f64 {
        let mut k = Kinematics::default();
        self.tree.position_kinematics(self.tree.initial_positions(), &mut k);
        path.length(&self.tree, &k)
    }

    /// The mean inertia about the three axes of a ball joint.
    pub fn of_ball(&self, joint: &str) -> Option<f64> {
        let first = self.velocity(joint)?;
        let mobility: f64 = (first..first + 3).map(|v| self.inverse[(v, v)]).sum();
        (mobility > 0.0).then(|| 3.0 / mobility)
    }

    /// How easily a link moves, and how easily it turns: the mean over three axes of the acceleration at its centre of
    /// mass per force, and of the angular acceleration per torque; zero of what stands still.
    pub fn mobilities_of(&self, link: &str) -> [f64; 2] {
        let Some(body) = self.tree.body(&format!("m/{link}")) else { return [0.0; 2] };
        let mut k = Kinematics::default();
        self.tree.position_kinematics(self.tree.initial_positions(), &mut k);
        let center = self.tree.bodies()[body].inertia.map_or(Vector3::zeros(), |inertia| inertia.p_BoBcm);
        let arm = self.tree.X_WB(&k, body).R_WB * center;
        let mean = |force: fn(Vector3<f64>) -> SpatialVector<f64>| {
            let along = |axis: Vector3<f64>| {
                let mut efforts = DVector::zeros(self.inverse.nrows());
                self.tree.add_spatial_force(&k, body, &force(axis).force_at(&-arm), efforts.as_mut_slice());
                efforts.dot(&(&self.inverse * &efforts))
            };
            [Vector3::x(), Vector3::y(), Vector3::z()].map(along).iter().sum::<f64>() / 3.0
        };
        [mean(|f| SpatialVector::new(Vector3::zeros(), f)), mean(|t| SpatialVector::new(t, Vector3::zeros()))]
    }

    /// The moment arms of an actuator on the velocities.
    pub fn arms(&self, model: &Model, actuator: &Actuator) -> Option<DVector<f64>> {
        if let Some(push) = &actuator.push {
            let (mut k, q) = (Kinematics::default(), self.tree.initial_positions());
            self.tree.position_kinematics(q, &mut k);
            return arms_of_push(&self.tree, "m", push, &k, q).map(DVector::from_vec);
        }
        let Some((name, gear)) = &actuator.tendon else { return self.arms_along(&actuator.joints) };
        let tendon = model.scene.spatial_tendons.iter().find(|tendon| tendon.name == *name)?;
        let path = TendonPath::new(&self.tree, "m", &tendon.path).ok()?;
        Some(self.arms_of_path(&path) * *gear)
    }

    /// The acceleration that a unit force along these arms gives.
    pub fn acceleration(&self, arms: &DVector<f64>) -> f64 {
        (&self.inverse * arms).norm()
    }
}
