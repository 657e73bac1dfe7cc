//! The run of one variation of a diagram file.

use super::gauge::Gauges;
use super::row::{RowDerivatives, SweepRow};
use crate::gradient::FileGradient;
use crate::template::{Template, Variation};
use crate::verify::{Verdict, Verifier};
use kinegraph_diagram::Channel;
use kinegraph_engine::integrators::{NonFinite, Options};
use kinegraph_engine::measures::Measure;
use kinegraph_engine::simulate::{Simulation, Status, panic_message};
use kinegraph_scenario::{GradientAsked, Scenario};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Creates a simulation of a variation of `scenario` with these options, at its start.
pub(super) fn simulation(scenario: &Scenario, options: Options, variation: &Variation) -> Result<Simulation, String> {
    let mut simulation = Simulation::new(&scenario.diagram, options).map_err(|error| error.to_string())?;
    if let Some(seed) = variation.seed {
        let start = scenario.diagram.seeded(scenario.diagram.initial_state(), seed);
        simulation.set_state(start).map_err(|error| error.to_string())?;
    }
    Ok(simulation)
}

/// Verifies a finished run; `None` if `stop` ends the verification.
fn verified(scenario: &Scenario, variation: &Variation, within: f64, stop: &AtomicBool) -> Option<(Verdict, f64)> {
    let begin = |options| simulation(scenario, options, variation);
    let interrupt = || stop.load(Ordering::Relaxed).then(String::new);
    let verification = Verifier { scenario, begin: &begin, within, interrupt: &interrupt }.verify(&Status::Done);
    (!stop.load(Ordering::Relaxed)).then_some((verification.verdict, verification.accuracies))
}

/// Derivatives of a run that reached its end; without them the notes say why.
fn derivatives(template: &Template, variation: &Variation) -> RowDerivatives {
    let asked = &variation.derivatives;
    let asked = GradientAsked { of: asked.of.clone(), by: asked.by.clone(), ..GradientAsked::default() };
    let file = FileGradient::new(template, variation, &asked);
    match file.and_then(|file| file.gradient(true)) {
        Ok(found) => RowDerivatives {
            values: found.gradient.derivatives.iter().map(|one| (one.value, one.error)).collect(),
            notes: found.gradient.notes.iter().map(ToString::to_string).collect(),
        },
        Err(error) => RowDerivatives { values: Vec::new(), notes: vec![error.to_string()] },
    }
}

/// Runs a variation. Any failure, also a file that cannot be built or a block that panics, is reported in the status of
/// the row. The row depends on `template`, `variation` and `measures` alone, except for its wall time.
pub fn run_variation(template: &Template, variation: &Variation, measures: &[Measure]) -> SweepRow {
    run_until(template, variation, measures, &AtomicBool::new(false))
        .unwrap_or_else(|| SweepRow::refused(variation, measures, "interrupted".into()))
}

/// Runs a variation unless `stop` ends it, in which case there is no row.
pub(super) fn run_until(
    template: &Template,
    variation: &Variation,
    measures: &[Measure],
    stop: &AtomicBool,
) -> Option<SweepRow> {
    // Only texts of files are kept after a panic.
    let run = catch_unwind(AssertUnwindSafe(|| run(template, variation, measures, stop)));
    run.unwrap_or_else(|panic| {
        let message = format!("failed: a block panicked: {}", panic_message(&*panic));
        Some(SweepRow::refused(variation, measures, message))
    })
}

fn run(template: &Template, variation: &Variation, measures: &[Measure], stop: &AtomicBool) -> Option<SweepRow> {
    let refused = |why: String| Some(SweepRow::refused(variation, measures, format!("refused: {why}")));
    let scenario = match template.scenario(variation) {
        Ok(scenario) => scenario,
        Err(error) => return refused(error.to_string()),
    };
    let mut channels: Vec<Channel> = Vec::with_capacity(measures.len());
    for measure in measures {
        match scenario.diagram.find_channels(&measure.channel).as_deref() {
            Ok([channel]) => channels.push(channel.clone()),
            Ok(several) => return refused(format!("{measure} is of {} channels", several.len())),
            Err(error) => return refused(error.to_string()),
        }
    }
    let mut simulation = match simulation(&scenario, scenario.options, variation) {
        Ok(simulation) => simulation,
        Err(error) => return refused(error),
    };
    let (energy_start, mut gauges) = (simulation.energy(), Gauges::new(measures, stop));
    let (status, requirements) = scenario.run_judged(&mut simulation, &channels, &mut gauges);
    if let Status::Interrupted(_) = status {
        return None;
    }
    // Squares of finite samples may overflow.
    let overflow = gauges.not_finite().filter(|_| status.is_done() && scenario.options.non_finite == NonFinite::Stop);
    let status = overflow.map_or(status, |(i, value)| Status::Failed(format!("{} is {value}", measures[i])));
    let done = status.is_done();
    let verified = match variation.verify.filter(|_| done) {
        Some(within) => Some(verified(&scenario, variation, within, stop)?),
        None => None,
    };
    let asks = done && !variation.derivatives.is_empty();
    Some(SweepRow {
        requirements,
        verified,
        derivatives: asks.then(|| derivatives(template, variation)),
        variation: variation.clone(),
        status: super::row::one_line(&status.to_string()),
        sim_time: simulation.time(),
        statistics: simulation.statistics().into(),
        energy_start,
        energy_end: simulation.energy(),
        measures: if done { gauges.values() } else { vec![None; measures.len()] },
        wall_s: simulation.stepping_time().as_secs_f64(),
    })
}
