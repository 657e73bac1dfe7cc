//! `kinegraph linearize FILE --root-locus systems.pid.kp=0:100`: poles over a value of the file.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::linear_tables::{complex, short};
use super::scenario;
use crate::files::node::show_number;
use crate::files::{Catalog, Override, in_one_unit};
use crate::linearize::state_space::{RootLocus, beyond_stability};
use crate::plot;
use crate::scenario::Simulator;
use crate::simulate::{LinearizeError, LinearizeRequest};
use nalgebra::Complex;
use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Number of values, unless given.
const VALUES: usize = 41;
/// Largest number of values.
const MAX_VALUES: usize = 10_000;

/// A value of the file and the range over which it varies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    path: String,
    from: f64,
    to: f64,
    count: usize,
    /// Unit of its ends behind a space; empty: that of the key.
    unit: String,
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const EXAMPLE: &str = "e.g. systems.pid.kp=0:100 or systems.pid.kp=0:100:81";
        let (path, range) =
            text.split_once('=').ok_or_else(|| format!("expected a value of the file and its range, {EXAMPLE}"))?;
        let path = path.trim();
        if path.is_empty() || path.split('.').any(str::is_empty) {
            return Err(format!("`{path}` is not a dotted path, {EXAMPLE}"));
        }
        let parts: Vec<&str> = range.split(':').map(str::trim).collect();
        let ends = |from: &str, to: &str| match in_one_unit(from, to) {
            Ok((ends, unit)) if ends.iter().all(|end| end.is_finite()) => Ok((ends, unit)),
            Ok(_) => Err(format!("`{from}:{to}` has an end that is not finite, {EXAMPLE}")),
            Err(reason) => Err(format!("{reason}, {EXAMPLE}")),
        };
        let (([from, to], unit), count) = match parts.as_slice() {
            [from, to] => (ends(from, to)?, VALUES),
            [from, to, count] => {
                let count = count.parse::<usize>().ok().filter(|count| (2..=MAX_VALUES).contains(count));
                let count =
                    count.ok_or_else(|| format!("expected a number of values from 2 to {MAX_VALUES}, {EXAMPLE}"))?;
                (ends(from, to)?, count)
            }
            _ => return Err(format!("expected FROM:TO or FROM:TO:COUNT behind `{path}=`, {EXAMPLE}")),
        };
        if from >= to {
            return Err(format!("the lower value comes first: `{path}={}:{}`", show_number(to), show_number(from)));
        }
        Ok(Range { path: path.to_owned(), from, to, count, unit })
    }
}

/// The values of `--root-locus`: the range, and maybe a picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RootLocusOption {
    pub range: Range,
    pub picture: Option<PathBuf>,
}

impl RootLocusOption {
    /// The option from its one or two values.
    pub fn of(values: &[String]) -> Result<Option<Self>, String> {
        let Some(range) = values.first() else { return Ok(None) };
        let range = range.parse::<Range>().map_err(|reason| format!("--root-locus {range}: {reason}"))?;
        Ok(Some(RootLocusOption { range, picture: values.get(1).map(PathBuf::from) }))
    }
}

/// Reason why poles are not known at a value.
enum Stop {
    /// The file does not load with that value; its faults are written.
    Faults,
    Linearize(f64, LinearizeError),
}

/// The file with its values, and what builds it.
pub(super) struct Source<'a> {
    pub catalog: &'a Catalog,
    pub simulator: &'a dyn Simulator,
    pub file: &'a Path,
    pub overrides: &'a [Override],
}

/// Prints the locus of `file` and draws it; with `json` one object. Returns an exit code.
pub(super) fn show(
    option: &RootLocusOption,
    of: &Source<'_>,
    request: &LinearizeRequest,
    json: bool,
    console: &mut Console<'_>,
) -> io::Result<u8> {
    let Source { catalog, simulator, file, overrides } = *of;
    let Range { path, from, to, count, unit } = &option.range;
    let value = |k: usize| from + (to - from) * k as f64 / (count - 1) as f64;
    let values: Vec<f64> = (0..*count).map(value).collect();
    let mut request = request.clone();
    (request.response, request.step, request.rational_delays) = (None, None, true);
    let pade_order = Cell::new(None);
    let poles = |value: f64, console: &mut Console<'_>| -> io::Result<Result<Vec<Complex<f64>>, Stop>> {
        let set = Override::flag_of("--root-locus", path, &format!("{}{unit}", show_number(value)));
        let all = [overrides, &[set]].concat();
        let Some((_, built)) = scenario::built(catalog, simulator, file, &all, console)? else {
            return Ok(Err(Stop::Faults));
        };
        Ok(match built.linearize(&request) {
            Ok(report) => {
                pade_order.set(report.pade_order.or(pade_order.get()));
                Ok(report.poles.iter().map(|pole| Complex::new(pole.re, pole.im)).collect())
            }
            Err(error) => Err(Stop::Linearize(value, error)),
        })
    };
    let mut failure = None;
    let found = RootLocus::of(&values, request.sampled.is_some(), |value| match poles(value, console) {
        Ok(found) => found.map_err(Some),
        Err(error) => {
            failure = Some(error);
            Err(None)
        }
    });
    let locus = match found {
        Ok(locus) => locus,
        Err(None) => return Err(failure.unwrap_or_else(|| io::Error::other("no poles"))),
        Err(Some(Stop::Faults)) => return Ok(WRONG_INPUT),
        Err(Some(Stop::Linearize(value, error))) => {
            writeln!(console.err, "--root-locus: with {path} = {}: {error}", short(value))?;
            return Ok(if matches!(error, LinearizeError::Request(_)) { WRONG_INPUT } else { FAILED });
        }
    };
    if let Some(picture) = &option.picture
        && let Err(error) = plot::root_locus(path, request.sampled.is_some(), &locus, picture)
    {
        writeln!(console.err, "--root-locus: {error}")?;
        return Ok(WRONG_INPUT);
    }
    if json {
        let branches: Vec<Vec<[f64; 2]>> =
            locus.branches.iter().map(|poles| poles.iter().map(|pole| [pole.re, pole.im]).collect()).collect();
        let object = serde_json::json!({
            "parameter": path, "values": locus.values, "poles": branches, "crossings": locus.crossings,
            "pade_order": pade_order.get(),
        });
        serde_json::to_writer(&mut *console.out, &object)?;
        writeln!(console.out)?;
        return Ok(DONE);
    }
    print(path, request.sampled.is_some(), &locus, console)?;
    if let Some(order) = pade_order.get() {
        writeln!(console.out, "each delay is a rational function of degree {order}")?;
    }
    Ok(DONE)
}

fn print(path: &str, discrete: bool, locus: &RootLocus, console: &mut Console<'_>) -> io::Result<()> {
    let out = &mut *console.out;
    let (first, last) = (locus.values.first().copied(), locus.values.last().copied());
    writeln!(
        out,
        "poles over {path} from {} to {}, {} values",
        short(first.unwrap_or_default()),
        short(last.unwrap_or_default()),
        locus.values.len()
    )?;
    let unstable =
        |poles: &[Complex<f64>]| poles.iter().filter(|pole| beyond_stability(**pole, discrete) > 0.0).count();
    for (value, poles) in locus.values.iter().zip(&locus.branches) {
        let shown: Vec<String> = poles.iter().map(|pole| complex(pole.re, pole.im)).collect();
        writeln!(out, "  {:<12} {}", short(*value), shown.join("  "))?;
    }
    let edge = if discrete { "the unit circle" } else { "the imaginary axis" };
    if locus.crossings.is_empty() {
        let count = locus.branches.first().map_or(0, |poles| unstable(poles));
        let state = if count == 0 { "all are stable".to_owned() } else { format!("{count} are unstable at the start") };
        return writeln!(out, "no pole crosses {edge}: {state}");
    }
    writeln!(out, "poles cross {edge} at")?;
    for crossing in &locus.crossings {
        let to = if crossing.to_unstable { "unstable above" } else { "stable above" };
        let pole = complex(crossing.pole.0, crossing.pole.1);
        writeln!(out, "  {path} = {:.10}: pole {}, {to}", crossing.value, pole)?;
    }
    Ok(())
}
