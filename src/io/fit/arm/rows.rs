//! Rows of the regressor of an arm at its motion, and what is known of its torques besides.

use super::motion::Motion;
use kinegraph_core::convex::{ConvexPlant, INERTIAL_PARAMETERS, PlantPoint};
use nalgebra::{DMatrix, DVector};

/// Rate at which dry friction reaches its limit, for velocities that are nearly zero \[rad/s, m/s\].
const CREEP: f64 = 1e-3;

/// A plant whose joints are measured.
pub(super) struct Arm<'a> {
    pub plant: &'a dyn ConvexPlant,
    /// Positions of all joints, where they are not measured.
    pub start: Vec<f64>,
    /// Position and velocity of each joint that is measured.
    pub joints: Vec<(usize, usize)>,
    pub friction: bool,
    pub rotors: bool,
}

impl Arm<'_> {
    /// Names of the columns: ten for each part, then viscous and dry friction and rotors of each measured joint.
    pub fn names(&self) -> Vec<String> {
        const SYMBOLS: [&str; INERTIAL_PARAMETERS] = ["m", "mx", "my", "mz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"];
        let parts = self.plant.moving_parts();
        let several = parts.iter().map(|part| part.name.split('/').next()).collect::<std::collections::HashSet<_>>();
        let short = |name: &str| match several.len() {
            1 => name.split_once('/').map_or(name, |(_, link)| link).to_owned(),
            _ => name.to_owned(),
        };
        let of_part = |name: &str| SYMBOLS.map(|symbol| format!("{} {symbol}", short(name)));
        let mut names: Vec<String> = parts.iter().flat_map(|part| of_part(&part.name)).collect();
        let joint = |velocity: usize| {
            let name = &self.plant.structure().velocity_names[velocity];
            let name = name.strip_suffix(".v").unwrap_or(name);
            let short = if several.len() == 1 { name.split_once('.').map_or(name, |(_, joint)| joint) } else { name };
            short.to_owned()
        };
        for &(_, velocity) in &self.joints {
            let of_friction: &[&str] = if self.friction { &["damping", "friction"] } else { &[] };
            names.extend(of_friction.iter().map(|what| format!("{} {what}", joint(velocity))));
            names.extend(self.rotors.then(|| format!("{} rotor", joint(velocity))));
        }
        names
    }

    /// Values of the columns in the file.
    pub fn values(&self) -> Vec<f64> {
        let parts = self.plant.moving_parts();
        let mut values: Vec<f64> = parts.iter().flat_map(|part| part.parameters).collect();
        for &(_, velocity) in &self.joints {
            if self.friction {
                values.extend([self.plant.structure().damping[velocity], self.dry(velocity)]);
            }
            values.extend(self.rotors.then(|| self.rotor(velocity)));
        }
        values
    }

    /// Dry friction of a joint in the file.
    pub fn dry(&self, velocity: usize) -> f64 {
        let own = self.plant.structure().joint_friction.iter().find(|one| one.velocity == velocity);
        own.map_or(0.0, |one| one.largest)
    }

    /// Rotor inertia of a joint in the file.
    pub fn rotor(&self, velocity: usize) -> f64 {
        let parts = self.plant.moving_parts();
        let own = parts.iter().find(|part| part.velocities.contains(&velocity));
        own.map_or(0.0, |part| part.armature[velocity - part.velocities.start])
    }

    /// The rows of the measured joints at all rows of the motion, sample by sample, and the torques less what of them
    /// the columns do not say: springs, and friction and rotors of the file where they are not sought.
    pub fn rows(&self, motion: &Motion) -> (DMatrix<f64>, DVector<f64>) {
        let (structure, parts) = (self.plant.structure(), self.plant.moving_parts());
        let (nv, inertial) = (structure.num_velocities, INERTIAL_PARAMETERS * parts.len());
        let of_file: Vec<f64> = parts.iter().flat_map(|part| part.parameters).collect();
        let of_file = DVector::from_vec(of_file);
        let count = self.joints.len();
        let per_joint = 2 * usize::from(self.friction) + usize::from(self.rotors);
        let of_joints: Vec<(f64, f64)> = self.joints.iter().map(|&(_, v)| (self.dry(v), self.rotor(v))).collect();
        let mut W = DMatrix::zeros(motion.q.len() * count, inertial + count * per_joint);
        let mut b = DVector::zeros(motion.q.len() * count);
        let (mut point, mut Y) = (PlantPoint::default(), vec![0.0; nv * inertial]);
        let (mut q, mut v, mut a) = (self.start.clone(), vec![0.0; nv], vec![0.0; nv]);
        let zero = vec![0.0; nv];
        for sample in 0..motion.q.len() {
            for (j, &(position, velocity)) in self.joints.iter().enumerate() {
                q[position] = motion.q[sample][j];
                (v[velocity], a[velocity]) = (motion.v[sample][j], motion.a[sample][j]);
            }
            // What the bias has besides rigid bodies and damping: springs, buoyancy.
            self.plant.evaluate(&q, &v, &mut point);
            let bias = point.bias.clone();
            self.plant.inertial_regressor(&q, &v, &zero, &mut point, &mut Y);
            let rigid = DMatrix::from_column_slice(nv, inertial, &Y) * &of_file;
            self.plant.inertial_regressor(&q, &v, &a, &mut point, &mut Y);
            for (j, &(_, velocity)) in self.joints.iter().enumerate() {
                let row = sample * count + j;
                for column in 0..inertial {
                    W[(row, column)] = Y[column * nv + velocity];
                }
                let damping = structure.damping[velocity] * v[velocity];
                let other = bias[velocity] - rigid[velocity] - damping;
                b[row] = motion.tau[sample][j] - other;
                let sign = (v[velocity] / CREEP).clamp(-1.0, 1.0);
                let (mut own, (dry, rotor)) = (inertial + j * per_joint, of_joints[j]);
                match self.friction {
                    true => {
                        (W[(row, own)], W[(row, own + 1)]) = (v[velocity], sign);
                        own += 2;
                    }
                    false => b[row] -= damping + dry * sign,
                }
                match self.rotors {
                    true => W[(row, own)] = a[velocity],
                    false => b[row] -= rotor * a[velocity],
                }
            }
        }
        (W, b)
    }
}
