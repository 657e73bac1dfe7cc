//! The fit: base parameters by weighted least squares.

use super::base::Base;
use super::columns::{ArmData, ArmDataError, JointNames, read_columns};
use super::feasible::{Wanted, nearest, pseudo_inertia};
use super::motion::{MIN_WINDOW, Motion};
use super::report::{ArmNumber, ArmReport, JointResidual, PossibleJoint, PossibleLink};
use super::rows::Arm;
use crate::fit::Match;
use crate::fit::statistics::{Undetermined, known, student};
use kinegraph_core::convex::{ConvexPlant, Coordinate, INERTIAL_PARAMETERS};
use kinegraph_core::names::{did_you_mean, nearest as nearest_name};
use kinegraph_diagram::Diagram;
use kinegraph_scenario::FitAsked;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use std::path::{Path, PathBuf};

/// Windows of which the one with the smallest differences is taken \[samples\].
const WINDOWS: [usize; 8] = [5, 7, 9, 13, 19, 27, 41, 61];
/// Rounds in which the deviations of joints are found from their residuals.
const ROUNDS: usize = 3;
/// Smallest singular value that determines a direction, as a part of the largest.
const DETERMINED: f64 = 1e-6;
/// Deviations of the distance of possible links from its mean, from which they do not suit.
const FAR_DEVIATIONS: f64 = 3.0;

/// Reason why there is no fit of an arm.
#[derive(Clone, thiserror::Error)]
pub enum ArmFitError {
    /// A recording.
    #[error(transparent)]
    Data(#[from] ArmDataError),
    /// The diagram has no such model.
    #[error("--torques {name}: there is no such model{}; models: {}", did_you_mean(near), models.join(", "))]
    NoModel {
        /// The name.
        name: String,
        /// The nearest name.
        near: Option<String>,
        /// All models with joints.
        models: Vec<String>,
    },
    /// The model has no joint of one axis.
    #[error("--torques {name}: the model has no joint of one axis")]
    NoJoint {
        /// The model.
        name: String,
    },
    /// Recordings have other joints.
    #[error("{}: it has positions and torques of other joints than {}", path.display(), first.display())]
    OtherJoints {
        /// The recording.
        path: PathBuf,
        /// The first one.
        first: PathBuf,
    },
    /// The window is no number of samples for a derivative.
    #[error("--window {window}: expected an odd number of samples from 5")]
    Window {
        /// The number.
        window: usize,
    },
}

kinegraph_core::debug_is_message!(ArmFitError);

/// Options: quantities that are fitted besides inertias, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArmOptions {
    /// True for viscous and dry friction of the joints.
    pub friction: bool,
    /// True for inertias of rotors.
    pub rotors: bool,
    /// Samples over which derivatives are taken; `None`: those with the smallest differences.
    pub window: Option<usize>,
}

/// An arm of a diagram.
pub struct ArmFit<'a> {
    plant: &'a dyn ConvexPlant,
    start: Vec<f64>,
    model: String,
    joints: Vec<JointNames>,
    /// Position and velocity of each joint.
    places: Vec<(usize, usize)>,
}

/// Rows of an arm, and their solution.
struct Regression<'a> {
    arm: Arm<'a>,
    base: Base,
    used: Vec<usize>,
    window: Option<usize>,
    motion: Motion,
    W: DMatrix<f64>,
    b: DVector<f64>,
    solved: Solved,
}

/// Values that least squares has found.
struct Solved {
    values: DVector<f64>,
    /// Deviations of the joints.
    deviations: Vec<f64>,
    /// Weighted columns and differences.
    j: DMatrix<f64>,
    r: DVector<f64>,
    sizes: Vec<f64>,
}

impl<'a> ArmFit<'a> {
    /// The arm that is called `model` (`plant.arm`, or `arm`) in a diagram.
    ///
    /// # Errors
    /// There is no such model, or it has no joint of one axis.
    pub fn new(diagram: &'a Diagram, model: &str) -> Result<Self, ArmFitError> {
        let mut models = Vec::new();
        let state = diagram.initial_state();
        for (block, plant) in diagram.plants() {
            for name in &plant.structure().velocity_names {
                let own = name.split('.').next().unwrap_or_default();
                let full = format!("{}.{own}", block.name);
                if models.last() == Some(&full) {
                    continue;
                }
                if full == model || own == model {
                    let start = state.continuous[block.state.clone()][..plant.structure().num_positions].to_vec();
                    return ArmFit::of(plant, start, full, own);
                }
                models.push(full);
            }
        }
        let near = nearest_name(model, &models);
        Err(ArmFitError::NoModel { name: model.to_owned(), near, models })
    }

    fn of(plant: &'a dyn ConvexPlant, start: Vec<f64>, model: String, own: &str) -> Result<Self, ArmFitError> {
        let structure = plant.structure();
        let (mut joints, mut places) = (Vec::new(), Vec::new());
        let first = structure.velocity_names.iter().position(|name| name.split('.').next() == Some(own)).unwrap_or(0);
        for (velocity, name) in structure.velocity_names.iter().enumerate() {
            let joint = name.strip_prefix(own).and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".v"));
            let Some(joint) = joint else { continue };
            let position = format!("{own}.{joint}.q");
            let Some(position) = structure.position_names.iter().position(|name| *name == position) else { continue };
            let units = match structure.coordinates[velocity] {
                Coordinate::Length => ["m", "m/s", "m/s²", "N"],
                _ => ["rad", "rad/s", "rad/s²", "N m"],
            };
            joints.push(JointNames { model: model.clone(), joint: joint.to_owned(), index: velocity - first, units });
            places.push((position, velocity));
        }
        match joints.is_empty() {
            true => Err(ArmFitError::NoJoint { name: model }),
            false => Ok(ArmFit { plant, start, model, joints, places }),
        }
    }

    /// Fits the model that `asked` names to its recordings.
    ///
    /// # Errors
    /// As [`new`](Self::new) and [`solve`](Self::solve).
    pub fn asked(diagram: &Diagram, asked: &FitAsked) -> Result<ArmReport, ArmFitError> {
        let model = asked.torques.as_deref().unwrap_or_default();
        let (friction, rotors) = (asked.friction.unwrap_or(false), asked.rotors.unwrap_or(false));
        let options = ArmOptions { friction, rotors, window: asked.window };
        ArmFit::new(diagram, model)?.solve(&asked.data, &asked.matches, &options)
    }

    /// Fits the parameters to recordings.
    ///
    /// # Errors
    /// A recording has not what is needed.
    pub fn solve(
        &self,
        files: &[impl AsRef<Path>],
        matches: &[Match],
        options: &ArmOptions,
    ) -> Result<ArmReport, ArmFitError> {
        if let Some(window) = options.window.filter(|window| *window < MIN_WINDOW || window % 2 == 0) {
            return Err(ArmFitError::Window { window });
        }
        let mut all: Vec<ArmData> = Vec::new();
        for file in files {
            let (path, first) = (file.as_ref(), files[0].as_ref());
            let data = read_columns(path, &self.joints, matches)?;
            if all.first().is_some_and(|one| one.joints != data.joints) {
                return Err(ArmFitError::OtherJoints { path: path.to_owned(), first: first.to_owned() });
            }
            let least = options.window.unwrap_or(MIN_WINDOW).max(10);
            if data.times.len() < least {
                let rows = data.times.len();
                return Err(ArmDataError::Few { path: path.to_owned(), rows, least }.into());
            }
            all.push(data);
        }
        let used: Vec<usize> = all.first().map_or_else(Vec::new, |data| data.joints.clone());
        let arm = Arm {
            plant: self.plant,
            start: self.start.clone(),
            joints: used.iter().map(|&joint| self.places[joint]).collect(),
            friction: options.friction,
            rotors: options.rotors,
        };
        let base = Base::of(&arm);
        let is_whole = all.iter().all(ArmData::is_whole);
        let windows: Vec<usize> = match options.window {
            _ if is_whole => vec![MIN_WINDOW],
            Some(window) => vec![window],
            None => {
                let shortest = all.iter().map(|data| data.times.len()).min().unwrap_or(0);
                WINDOWS.into_iter().filter(|window| 4 * window <= shortest || *window == MIN_WINDOW).collect()
            }
        };
        let at_window = |window: usize| {
            let mut motion = Motion::default();
            for data in &all {
                let own = data.motion(window);
                motion.q.extend(own.q);
                motion.v.extend(own.v);
                motion.a.extend(own.a);
                motion.tau.extend(own.tau);
            }
            let (W, b) = arm.rows(&motion);
            let solved = least_squares(&arm, &base, &W, &b);
            let score: f64 = solved.deviations.iter().map(|deviation| deviation.max(1e-300).ln()).sum();
            (score, window, motion, W, b, solved)
        };
        let best = windows.into_iter().map(at_window).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, window, motion, W, b, solved)) = best else {
            return Err(ArmFitError::NoJoint { name: self.model.clone() });
        };
        let window = (!is_whole).then_some(window);
        Ok(self.report(&Regression { arm, base, used, window, motion, W, b, solved }))
    }

    fn report(&self, regression: &Regression<'_>) -> ArmReport {
        let Regression { arm, base, used, window, motion, W, b, solved } = regression;
        let file = arm.values();
        let names: Vec<String> = base.parameters.iter().map(|own| own.name.clone()).collect();
        let mut known = known(&names, &solved.sizes, &solved.j, &solved.r, None);
        let quantile = student(known.freedom);
        for one in &mut known.undetermined {
            in_units(one, &names, &solved.sizes);
        }
        let number = |(i, own): (usize, &super::base::BaseParameter)| ArmNumber {
            name: own.name.clone(),
            sum: own.sum(),
            value: solved.values[i],
            interval: known.deviations[i].is_finite().then(|| quantile * known.deviations[i]),
            file: own.value(&file),
        };
        let parts = self.plant.moving_parts();
        let welded: Vec<[f64; INERTIAL_PARAMETERS]> = parts.iter().map(|part| part.parameters_of_welded).collect();
        let information = solved.j.transpose() * &solved.j;
        let found: Vec<f64> = solved.values.iter().copied().collect();
        let (possible, distance) =
            nearest(&Wanted { base, found: &found, information: &information, file: &file, welded: &welded });
        let count = base.parameters.len() as f64;
        let is_possible = distance <= count + FAR_DEVIATIONS * (2.0 * count).sqrt();
        let of_file = W * DVector::from_column_slice(&file) - b;
        let of_possible = W * DVector::from_column_slice(&possible) - b;
        let fitted = base.columns(W) * &solved.values - b;
        let width = arm.joints.len();
        let rms = |r: &DVector<f64>, joint: usize| mean_square(r.iter().skip(joint).step_by(width)).sqrt();
        let torque = |joint: usize| mean_square(motion.tau.iter().map(|row| &row[joint])).sqrt();
        let residual = |(at, &joint): (usize, &usize)| JointResidual {
            joint: self.joints[joint].joint.clone(),
            torque: torque(at),
            file: rms(&of_file, at),
            fitted: rms(&fitted, at),
            possible: rms(&of_possible, at),
        };
        let mut notes = Vec::new();
        let impossible = |(part, at): (&kinegraph_core::convex::MovingPart, usize)| {
            let own: [f64; INERTIAL_PARAMETERS] = std::array::from_fn(|i| file[INERTIAL_PARAMETERS * at + i]);
            pseudo_inertia(&own).cholesky().is_none().then(|| part.name.clone())
        };
        let named: Vec<String> = parts.iter().zip(0..).filter_map(impossible).collect();
        if !named.is_empty() {
            notes.push(format!("the file's inertia of {} is not possible for a rigid body", named.join(", ")));
        }
        ArmReport {
            model: self.model.clone(),
            parameters: base.parameters.iter().enumerate().map(number).collect(),
            idle: base.idle.clone(),
            undetermined: known.undetermined,
            joints: used.iter().enumerate().map(residual).collect(),
            samples: motion.q.len(),
            window: *window,
            is_possible,
            links: parts
                .iter()
                .enumerate()
                .map(|(at, part)| link(part, &possible[INERTIAL_PARAMETERS * at..]))
                .collect(),
            joint_values: self.joint_values(arm, used, &possible[INERTIAL_PARAMETERS * parts.len()..]),
            notes,
        }
    }

    fn joint_values(&self, arm: &Arm<'_>, used: &[usize], values: &[f64]) -> Vec<PossibleJoint> {
        let own = self.model.rsplit('.').next().unwrap_or_default();
        let mut values = values.iter().copied();
        let mut joint = |&joint: &usize| PossibleJoint {
            name: format!("{own}/{}", self.joints[joint].joint),
            damping: if arm.friction { values.next() } else { None },
            friction: if arm.friction { values.next() } else { None },
            armature: if arm.rotors { values.next() } else { None },
        };
        used.iter().map(&mut joint).collect()
    }
}

fn mean_square<'x>(all: impl Iterator<Item = &'x f64>) -> f64 {
    let (sum, count) = all.fold((0.0, 0_usize), |(sum, count), x| (sum + x * x, count + 1));
    sum / count.max(1) as f64
}

/// Directions in the units of the parameters, their largest part 1.
fn in_units(one: &mut Undetermined, names: &[String], sizes: &[f64]) {
    for (name, part) in &mut one.parts {
        let size = names.iter().position(|own| own == name).map_or(1.0, |at| sizes[at]);
        *part *= size;
    }
    let largest = one.parts.iter().map(|(_, part)| part.abs()).fold(0.0, f64::max);
    if largest > 0.0 {
        one.parts.iter_mut().for_each(|(_, part)| *part /= largest);
    }
}

/// A link without what is welded to it.
fn link(part: &kinegraph_core::convex::MovingPart, p: &[f64]) -> PossibleLink {
    let own: [f64; INERTIAL_PARAMETERS] = std::array::from_fn(|i| p[i] - part.parameters_of_welded[i]);
    let (mass, h) = (own[0], Vector3::new(own[1], own[2], own[3]));
    let c = h / mass;
    let J = Matrix3::new(own[4], own[7], own[8], own[7], own[5], own[9], own[8], own[9], own[6]);
    let about = J - (Matrix3::identity() * h.dot(&c) - h * c.transpose());
    let inertia = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|at| about[at]);
    PossibleLink { name: part.name.clone(), mass, com: c.into(), inertia }
}

/// Base parameters nearest to the torques, by weights of the joints that are found on the way. Directions that the rows
/// do not determine stay as in the file.
fn least_squares(arm: &Arm<'_>, base: &Base, W: &DMatrix<f64>, b: &DVector<f64>) -> Solved {
    let columns = base.columns(W);
    let file = arm.values();
    let start = DVector::from_iterator(base.parameters.len(), base.parameters.iter().map(|own| own.value(&file)));
    let width = arm.joints.len();
    let sizes: Vec<f64> = columns
        .column_iter()
        .map(|column| column.norm() / (column.len().max(1) as f64).sqrt())
        .map(|norm| if norm > 0.0 { 1.0 / norm } else { 1.0 })
        .collect();
    let mut deviations = vec![1.0; width];
    let mut solved = None;
    for _ in 0..ROUNDS {
        let mut j = columns.clone();
        let mut r = &columns * &start - b;
        for row in 0..j.nrows() {
            let weight = 1.0 / deviations[row % width];
            j.row_mut(row).iter_mut().for_each(|entry| *entry *= weight);
            r[row] *= weight;
        }
        let scaled = DMatrix::from_fn(j.nrows(), j.ncols(), |row, column| j[(row, column)] * sizes[column]);
        // By the triangle, which is small, in place of all rows.
        let qr = scaled.qr();
        let (triangle, turned) = (qr.r(), qr.q().transpose() * &r);
        let factor = triangle.svd(true, true);
        let largest = factor.singular_values.iter().copied().fold(0.0, f64::max);
        let change = factor.solve(&turned, DETERMINED * largest).unwrap_or_else(|_| DVector::zeros(sizes.len()));
        let values = DVector::from_fn(sizes.len(), |i, _| start[i] - sizes[i] * change[i]);
        let off = &columns * &values - b;
        let freedom = off.len().saturating_sub(values.len()).max(1) as f64 / off.len().max(1) as f64;
        let rms = |joint: usize| (mean_square(off.iter().skip(joint).step_by(width)) / freedom).sqrt();
        let spread = mean_square(b.iter()).sqrt().max(1.0);
        let weighted = DVector::from_fn(off.len(), |row, _| off[row] / deviations[row % width]);
        deviations = (0..width).map(|joint| rms(joint).max(1e-12 * spread)).collect();
        solved = Some(Solved { values, deviations: deviations.clone(), j, r: weighted, sizes: sizes.clone() });
    }
    solved.unwrap_or_else(|| Solved {
        values: start,
        deviations,
        j: DMatrix::zeros(0, sizes.len()),
        r: DVector::zeros(0),
        sizes,
    })
}
