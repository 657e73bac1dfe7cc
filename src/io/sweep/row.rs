//! The result of one run of a sweep, and the table of such rows.

use super::spec::Sweep;
use crate::template::Variation;
use crate::verify::Verdict as Verified;
use kinegraph_engine::measures::Measure;
use kinegraph_engine::simulate::{RequirementReport, Statistics, Verdict};
use kinegraph_files::with_unit;
use serde::Serialize;

/// Result of one run. All fields but `wall_s` are the same on every machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepRow {
    /// Its variation.
    pub variation: Variation,
    /// `done`, or the reason of the failure: `failed: …` during the run, `refused: …` before it began.
    pub status: String,
    /// Time reached \[s\].
    pub sim_time: f64,
    /// Statistics of the integrator.
    pub statistics: Statistics,
    /// Mechanical energy at the start \[J\]; `None` without a plant.
    pub energy_start: Option<f64>,
    /// Mechanical energy at the end \[J\]; `None` without a plant.
    pub energy_end: Option<f64>,
    /// Measures, in the order of the sweep; `None` if there is no value, or if the run did not reach its end.
    pub measures: Vec<Option<f64>>,
    /// Derivatives, if some are asked for and the run reached its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivatives: Option<RowDerivatives>,
    /// Results of the requirements of the file, in their order; none if the run did not begin.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementReport>,
    /// If the run was verified: the verdict of the comparison with other runs, and the largest difference in
    /// accuracies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<(Verified, f64)>,
    /// Wall time of stepping \[s\].
    pub wall_s: f64,
}

/// Derivatives of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowDerivatives {
    /// Each with the estimate of its error, measure by measure; none if the run cannot be differentiated.
    pub values: Vec<(f64, f64)>,
    /// Where they are not what they seem, or why there are none.
    pub notes: Vec<String>,
}

/// A value of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum TableCell {
    /// Nothing.
    None,
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(u64),
    /// Text.
    Text(String),
}

impl From<f64> for TableCell {
    fn from(x: f64) -> Self {
        TableCell::Number(x)
    }
}

impl From<u64> for TableCell {
    fn from(n: u64) -> Self {
        TableCell::Whole(n)
    }
}

impl<T: Into<TableCell>> From<Option<T>> for TableCell {
    fn from(value: Option<T>) -> Self {
        value.map_or(TableCell::None, Into::into)
    }
}

impl TableCell {
    /// Cell of a typed value: a number if possible; one with a unit is in SI units.
    fn typed(text: &str) -> Self {
        if let Some((number, Some(unit))) = with_unit(text) {
            return TableCell::Number(unit.to_si(number));
        }
        let whole = text.parse().map(TableCell::Whole).ok();
        let number = || text.parse().ok().filter(|x: &f64| x.is_finite()).map(TableCell::Number);
        whole.or_else(number).unwrap_or_else(|| TableCell::Text(one_line(text)))
    }
}

/// Puts a text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

/// Head of the column of a parameter: its path, with the unit if all values are written with one.
fn with_its_unit(path: &str, values: &[String]) -> String {
    let units = values.iter().map(|text| Some(with_unit(text)?.1?.name));
    let units: Option<Vec<String>> = units.collect();
    match units.as_deref() {
        Some([first, rest @ ..]) if first != "1" && rest.iter().all(|unit| unit == first) => {
            format!("{path} [{first}]")
        }
        _ => path.to_owned(),
    }
}

/// Columns of the table of a sweep: varied parameters, status and statistics, measures. Their number and order are
/// those of [`SweepRow::cells`].
pub fn columns(sweep: &Sweep) -> Vec<String> {
    let named = |name: &str, there: bool| there.then(|| name.to_owned());
    let varied = sweep.vary.iter().map(|axis| with_its_unit(&axis.path, &axis.values));
    let drawn = sweep.sample.iter().map(|one| with_its_unit(&one.path, &[format!("0 {}", one.unit)]));
    std::iter::once("index".to_owned())
        .chain(varied)
        .chain(drawn)
        .chain(named("integrator", !sweep.integrators.is_empty()))
        .chain(named("accuracy", !sweep.accuracies.is_empty()))
        .chain(named("seed", sweep.draws()))
        .chain(SUMMARY.iter().map(|name| (*name).to_owned()))
        .chain(sweep.measures.iter().map(ToString::to_string))
        .chain(sweep.derivatives.names().into_iter().flat_map(|name| [name.clone(), format!("error({name})")]))
        .chain(named("notes", !sweep.derivatives.is_empty()))
        .chain(sweep.verify.iter().flat_map(|_| VERIFIED.map(str::to_owned)))
        .chain(named("requirements", !sweep.requirements.is_empty()))
        .chain(sweep.requirements.iter().map(|name| format!("margin({name})")))
        .collect()
}

const SUMMARY: [&str; 10] = [
    "status",
    "sim_time",
    "steps",
    "rejected_steps",
    "solves",
    "solver_iterations",
    "max_contacts",
    "max_penetration",
    "energy_start",
    "energy_end",
];

/// Columns of runs that are verified.
const VERIFIED: [&str; 2] = ["verdict", "accuracies"];

impl SweepRow {
    /// Row of a run that did not begin.
    pub(super) fn refused(variation: &Variation, measures: &[Measure], status: String) -> Self {
        SweepRow {
            variation: variation.clone(),
            status: one_line(&status),
            sim_time: 0.0,
            statistics: Statistics::default(),
            energy_start: None,
            energy_end: None,
            measures: vec![None; measures.len()],
            derivatives: None,
            requirements: Vec::new(),
            verified: None,
            wall_s: 0.0,
        }
    }

    /// True if the run reached its end.
    pub fn is_done(&self) -> bool {
        self.status == "done"
    }

    /// Verdict on all requirements: `met`, or `violated: settles, overshoot`.
    fn judged(&self) -> TableCell {
        let of = |verdict: Verdict| {
            let all = self.requirements.iter().filter(move |one| one.verdict == verdict);
            all.map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let (violated, undecided) = (of(Verdict::Violated), of(Verdict::Undecided));
        match (violated.is_empty(), undecided.is_empty()) {
            (true, true) => TableCell::Text("met".into()),
            (true, false) => TableCell::Text(format!("undecided: {undecided}")),
            (false, _) => TableCell::Text(format!("violated: {violated}")),
        }
    }

    /// Cells of the row for a table of this many `columns`: those of requirements are empty in a run that did not
    /// begin.
    pub fn cells_of(&self, columns: usize) -> Vec<TableCell> {
        let mut cells = self.cells();
        cells.resize(columns.max(cells.len()), TableCell::None);
        cells
    }

    /// Cells of the row, in the order of [`columns`].
    pub fn cells(&self) -> Vec<TableCell> {
        let Variation { index, overrides, integrator, accuracy, seed, verify, derivatives } = &self.variation;
        let s = &self.statistics;
        let mut cells = vec![TableCell::Whole(*index)];
        cells.extend(overrides.iter().map(|(_, value)| TableCell::typed(value)));
        cells.extend(integrator.clone().map(TableCell::Text));
        cells.extend(accuracy.map(TableCell::Number));
        cells.extend(seed.map(TableCell::Whole));
        let summary: [TableCell; SUMMARY.len()] = [
            TableCell::Text(self.status.clone()),
            self.sim_time.into(),
            s.steps.into(),
            s.rejected_steps.into(),
            s.solves.into(),
            s.solver_iterations.into(),
            s.max_contacts.into(),
            s.max_penetration.into(),
            self.energy_start.into(),
            self.energy_end.into(),
        ];
        cells.extend(summary);
        cells.extend(self.measures.iter().map(|measure| TableCell::from(*measure)));
        if !derivatives.is_empty() {
            let found = |i: usize| self.derivatives.as_ref()?.values.get(i);
            for i in 0..derivatives.of.len() * derivatives.by.len() {
                let (value, error) = found(i).copied().unzip();
                let number = |x: Option<f64>| TableCell::from(x.filter(|x| x.is_finite()));
                cells.extend([number(value), number(error)]);
            }
            let notes = self.derivatives.as_ref().map(|found| &found.notes).filter(|notes| !notes.is_empty());
            cells.push(notes.map_or(TableCell::None, |notes| TableCell::Text(one_line(&notes.join("; ")))));
        }
        if verify.is_some() {
            let (verdict, accuracies) = self.verified.unzip();
            cells.push(verdict.map_or(TableCell::None, |verdict| TableCell::Text(verdict.name().to_owned())));
            cells.push(accuracies.into());
        }
        if !self.requirements.is_empty() {
            cells.push(self.judged());
            cells.extend(self.requirements.iter().map(|one| TableCell::from(one.margin)));
        }
        cells
    }
}
