//! Columns of positions, velocities, accelerations and torques of joints in a recording.

use crate::fit::Match;
use kinegraph_data::Table;
use kinegraph_files::recording::{self, RecordingError, in_unit, table, time_column};
use std::path::{Path, PathBuf};

/// Reason why a recording of an arm cannot be used.
#[derive(Clone, thiserror::Error)]
pub enum ArmDataError {
    /// The file is no recording.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// No joint has positions and torques.
    #[error(
        "{}: no joint of {model} has a column of positions and one of torques; expected {}, or name them, as in \
         --match {joint}.tau=COLUMN; the columns are: {}", path.display(), expected.join(" and "), columns.join(", ")
    )]
    NoJoint {
        /// The file.
        path: PathBuf,
        /// The model.
        model: String,
        /// A joint.
        joint: String,
        /// Columns that it would have.
        expected: Vec<String>,
        /// Names of all columns.
        columns: Vec<String>,
    },
    /// A quantity is matched that no joint has.
    #[error(
        "--match {name}: expected JOINT.q, JOINT.v, JOINT.a or JOINT.tau with a joint of {model} ({}), or q, v, a or tau for \
         all of them", joints.join(", ")
    )]
    NoQuantity {
        /// The name that was matched.
        name: String,
        /// The model.
        model: String,
        /// Its joints.
        joints: Vec<String>,
    },
    /// A unit does not suit.
    #[error("{}: the column `{name}`: {reason}", path.display())]
    Unit {
        /// The file.
        path: PathBuf,
        /// The column.
        name: String,
        /// The reason.
        reason: String,
    },
    /// Too few rows have all numbers.
    #[error("{}: {rows} rows have a time, positions and torques: at least {least} are needed", path.display())]
    Few {
        /// The file.
        path: PathBuf,
        /// Number of rows.
        rows: usize,
        /// How many are needed.
        least: usize,
    },
}

kinegraph_core::debug_is_message!(ArmDataError);

/// Quantities of a joint: their names in recordings, the first of which are those of channels.
const QUANTITIES: [&[&str]; 4] =
    [&["q", "position"], &["v", "velocity"], &["a", "acceleration"], &["tau", "effort", "torque"]];
/// Index of torques.
const TORQUE: usize = 3;

/// A joint of one axis as recordings name it.
#[derive(Clone, Debug)]
pub(super) struct JointNames {
    /// Name of the block and the model, `plant.arm`.
    pub model: String,
    /// Name of the joint.
    pub joint: String,
    /// Its index among the velocities of the model.
    pub index: usize,
    /// Units of position, velocity, acceleration and torque.
    pub units: [&'static str; 4],
}

/// Columns of some joints in a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArmData {
    /// Times \[s\].
    pub times: Vec<f64>,
    /// Indices of the joints that have positions and torques.
    pub joints: Vec<usize>,
    /// Positions of each of these joints at the times.
    pub q: Vec<Vec<f64>>,
    /// Velocities, if they were recorded.
    pub v: Option<Vec<Vec<f64>>>,
    /// Accelerations, if they were recorded.
    pub a: Option<Vec<Vec<f64>>>,
    /// Torques.
    pub tau: Vec<Vec<f64>>,
}

/// Reads what the recording at `path` has of the joints. Rows without a time, position or torque are left out.
pub(super) fn read_columns(path: &Path, joints: &[JointNames], matches: &[Match]) -> Result<ArmData, ArmDataError> {
    let table = table(path)?;
    let columns = || table.names().map(str::to_owned).collect::<Vec<_>>();
    check(joints, matches)?;
    let mut found = Vec::new();
    for joint in joints {
        let mut own = Vec::new();
        for quantity in 0..QUANTITIES.len() {
            own.push(column(&table, path, joint, quantity, matches)?);
        }
        found.push(own);
    }
    let used: Vec<usize> = (0..joints.len()).filter(|&j| found[j][0].is_some() && found[j][TORQUE].is_some()).collect();
    if used.is_empty() {
        let one = &joints[0];
        let expected = [0, TORQUE].map(|quantity| format!("`{}.{}`", one.joint, QUANTITIES[quantity][0])).to_vec();
        let (path, model, joint) = (path.to_owned(), one.model.clone(), one.joint.clone());
        return Err(ArmDataError::NoJoint { path, model, joint, expected, columns: columns() });
    }
    let all = |quantity: usize| used.iter().all(|&j| found[j][quantity].is_some());
    let (has_v, has_a) = (all(1), all(2));
    let (time, guessed) = time_column(&table).map_or((&[][..], None), |(time, guessed)| (&time.values[..], guessed));
    let empty = || vec![Vec::new(); used.len()];
    let mut data = ArmData { joints: used.clone(), q: empty(), tau: empty(), ..ArmData::default() };
    (data.v, data.a) = (has_v.then(empty), has_a.then(empty));
    for (row, &t) in time.iter().enumerate() {
        let number = |j: usize, quantity: usize| {
            found[j][quantity].as_ref().and_then(|column| column.get(row)).copied().unwrap_or(f64::NAN)
        };
        let wanted = [true, has_v, has_a, true];
        let is_whole =
            |&j: &usize| (0..wanted.len()).all(|quantity| !wanted[quantity] || number(j, quantity).is_finite());
        if !t.is_finite() || !used.iter().all(is_whole) {
            continue;
        }
        if let Some(&before) = data.times.last().filter(|before| t <= **before) {
            let (path, column) = (path.to_owned(), guessed);
            return Err(RecordingError::Times { path, column, row: row + 1, time: t, before }.into());
        }
        data.times.push(t);
        for (at, &j) in used.iter().enumerate() {
            data.q[at].push(number(j, 0));
            data.tau[at].push(number(j, TORQUE));
            data.v.iter_mut().for_each(|v| v[at].push(number(j, 1)));
            data.a.iter_mut().for_each(|a| a[at].push(number(j, 2)));
        }
    }
    Ok(data)
}

/// Checks that matches name a quantity of a joint, or of all.
fn check(joints: &[JointNames], matches: &[Match]) -> Result<(), ArmDataError> {
    for one in matches {
        let is_known = QUANTITIES.iter().enumerate().any(|(quantity, _)| {
            joints.iter().any(|joint| names(joint, quantity).contains(&one.channel))
                || is_of_all(&one.channel, quantity)
        });
        if !is_known {
            let model = joints[0].model.clone();
            let joints: Vec<String> = joints.iter().map(|joint| joint.joint.clone()).collect();
            return Err(ArmDataError::NoQuantity { name: one.channel.clone(), model, joints });
        }
    }
    Ok(())
}

fn is_of_all(name: &str, quantity: usize) -> bool {
    QUANTITIES[quantity].contains(&name)
}

/// Names that a quantity of a joint has.
fn names(joint: &JointNames, quantity: usize) -> Vec<String> {
    let of = |name: &&str| [format!("{}.{}.{name}", joint.model, joint.joint), format!("{}.{name}", joint.joint)];
    QUANTITIES[quantity].iter().flat_map(of).collect()
}

/// Column of a quantity of a joint, in SI units.
fn column(
    table: &Table,
    path: &Path,
    joint: &JointNames,
    quantity: usize,
    matches: &[Match],
) -> Result<Option<Vec<f64>>, ArmDataError> {
    let own = names(joint, quantity);
    let named = matches.iter().find(|one| own.contains(&one.channel)).map(|one| one.column.clone());
    let of_all = matches.iter().find(|one| is_of_all(&one.channel, quantity));
    let named = named.or_else(|| of_all.map(|one| format!("{}[{}]", one.column, joint.index)));
    let found = match &named {
        Some(name) => Some(recording::column(table, name, path)?),
        None => {
            let effort = (quantity == TORQUE).then(|| format!("{}.net_actuation[{}]", joint.model, joint.index));
            own.iter().chain(&effort).find_map(|name| table.column(name))
        }
    };
    let Some(found) = found else { return Ok(None) };
    let fault = |reason: String| ArmDataError::Unit { path: path.to_owned(), name: found.name.clone(), reason };
    let [zero, one] = in_unit(&found.unit, joint.units[quantity]).map_err(fault)?;
    Ok(Some(found.values.iter().map(|x| zero + (one - zero) * x).collect()))
}
