//! Base parameters: the combinations of inertial parameters that act on the torques of the measured joints.
//!
//! The regressor at many random states has columns that depend on others. Column by column, from the base of the arm to
//! its tip, a column is kept if it does not depend on those that are kept, `d = Σ k c_k` otherwise: then the parameter
//! of d acts only together with those of the c, and joins them \[Gautier 1991\].

use super::motion::Motion;
use super::rows::Arm;
use kinegraph_core::random::normal;
use kinegraph_files::node::show_rounded;
use nalgebra::{DMatrix, DVector};

/// Size of what is left of a column, over the column, from which it counts as new.
const INDEPENDENT: f64 = 1e-7;
/// Smallest part with which a parameter joins another.
const JOINS: f64 = 1e-8;
/// Random states for each column of the regressor.
const STATES_PER_COLUMN: usize = 3;

/// A base parameter: a parameter, and those that act together with it.
#[derive(Clone, Debug)]
pub struct BaseParameter {
    /// Its leading parameter.
    pub name: String,
    /// Index of the leading parameter.
    pub column: usize,
    /// The others with their factors.
    pub with: Vec<(String, f64)>,
    /// Indices of the others.
    pub others: Vec<(usize, f64)>,
}

impl BaseParameter {
    /// The sum, as `link1 Izz + link2 Iyy + 0.1 link2 mx`.
    pub fn sum(&self) -> String {
        let term = |(name, factor): &(String, f64)| {
            let sign = if *factor < 0.0 { '-' } else { '+' };
            match factor.abs() {
                one if (one - 1.0).abs() < 1e-9 => format!(" {sign} {name}"),
                size => format!(" {sign} {} {name}", show_rounded(size, 3)),
            }
        };
        format!("{}{}", self.name, self.with.iter().map(term).collect::<String>())
    }

    /// Its value, where the parameters have these values.
    pub fn value(&self, parameters: &[f64]) -> f64 {
        parameters[self.column] + self.others.iter().map(|(at, factor)| factor * parameters[*at]).sum::<f64>()
    }
}

/// The base parameters of an arm.
#[derive(Clone, Debug, Default)]
pub struct Base {
    /// The parameters.
    pub parameters: Vec<BaseParameter>,
    /// Names of the parameters on which no torque depends.
    pub idle: Vec<String>,
}

impl Base {
    /// Finds the base parameters of an arm.
    pub(super) fn of(arm: &Arm<'_>) -> Self {
        let names = arm.names();
        let (W, _) = arm.rows(&random_motion(arm, STATES_PER_COLUMN * names.len() / arm.joints.len().max(1) + 10));
        Base::of_matrix(&W, &names)
    }

    /// Finds the base parameters of a regressor.
    pub(super) fn of_matrix(W: &DMatrix<f64>, names: &[String]) -> Self {
        let largest = W.column_iter().map(|column| column.norm()).fold(0.0, f64::max);
        let (mut kept, mut directions): (Vec<usize>, Vec<DVector<f64>>) = (Vec::new(), Vec::new());
        let (mut dependent, mut idle) = (Vec::new(), Vec::new());
        for (column, name) in names.iter().enumerate() {
            let own = W.column(column).into_owned();
            let size = own.norm();
            if size <= INDEPENDENT * largest {
                idle.push(name.clone());
                continue;
            }
            let mut left = own;
            // Twice, so that rounding leaves nothing.
            for _ in 0..2 {
                for direction in &directions {
                    let part = direction.dot(&left);
                    left.axpy(-part, direction, 1.0);
                }
            }
            match left.norm() > INDEPENDENT * size {
                true => {
                    directions.push(left.normalize());
                    kept.push(column);
                }
                false => dependent.push(column),
            }
        }
        let base = DMatrix::from_columns(&kept.iter().map(|&column| W.column(column).into_owned()).collect::<Vec<_>>());
        let factor = base.svd(true, true);
        let mut parameters: Vec<BaseParameter> = kept
            .iter()
            .map(|&column| BaseParameter { name: names[column].clone(), column, with: Vec::new(), others: Vec::new() })
            .collect();
        for column in dependent {
            let Ok(parts) = factor.solve(&W.column(column).into_owned(), 1e-12) else { continue };
            for (own, part) in parameters.iter_mut().zip(parts.iter()).filter(|(_, part)| part.abs() > JOINS) {
                own.with.push((names[column].clone(), *part));
                own.others.push((column, *part));
            }
        }
        Base { parameters, idle }
    }

    /// The columns of the base parameters.
    pub(super) fn columns(&self, W: &DMatrix<f64>) -> DMatrix<f64> {
        let columns: Vec<DVector<f64>> = self.parameters.iter().map(|own| W.column(own.column).into_owned()).collect();
        DMatrix::from_columns(&columns)
    }
}

/// Random states of an arm.
fn random_motion(arm: &Arm<'_>, count: usize) -> Motion {
    const SEED: u64 = 50;
    let rows = |channel: u64, size: f64| -> Vec<Vec<f64>> {
        let number = |row: usize, joint: usize| size * normal(SEED, channel, (row * arm.joints.len() + joint) as u64);
        (0..count).map(|row| (0..arm.joints.len()).map(|joint| number(row, joint)).collect()).collect()
    };
    Motion { q: rows(0, 1.5), v: rows(1, 2.0), a: rows(2, 5.0), tau: vec![vec![0.0; arm.joints.len()]; count] }
}
