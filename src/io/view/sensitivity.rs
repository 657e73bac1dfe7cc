//! Derivatives of a run for the page: those that can be asked for, and those that were found.

use super::Packed;
use super::commands::GradientControl;
use super::lines::{ByNumber, MeasuredNumber, Sensitivity, Slope, SlopeOverTime};
use crate::gradient::FoundGradient;
use kinegraph_engine::simulate::gradient::By;
use kinegraph_files::{FileNumber, FileParameter};
use kinegraph_scenario::Scenario;

/// Largest number of numbers that a page is offered.
const MAX_CHOICES: usize = 600;

impl GradientControl {
    /// Measures and numbers of a file with these numbers.
    pub fn of(scenario: &Scenario, numbers: &[FileNumber]) -> Self {
        let asked = scenario.gradient.clone().unwrap_or_default();
        let is_own = |one: &&FileNumber| one.path.starts_with("parameters.") || one.path.starts_with("systems.");
        let paths = numbers.iter().filter(is_own).flat_map(|one| match one.is_list {
            false => vec![one.path.clone()],
            true => (0..one.values.len()).map(|i| format!("{}.{i}", one.path)).collect(),
        });
        let (diagram, state) = (&scenario.diagram, scenario.diagram.initial_state());
        let blocks = diagram.blocks().iter();
        let states = blocks.flat_map(|block| By::initials(diagram, &state, &block.name).unwrap_or_default());
        GradientControl {
            of: asked.of.iter().map(ToString::to_string).collect(),
            by: asked.by.iter().map(ToString::to_string).collect(),
            over_time: asked.over_time,
            choices: paths.chain(states.map(|by| by.name)).take(MAX_CHOICES).collect(),
        }
    }
}

impl Sensitivity {
    /// Derivatives that were `found`, of a file with these parameters.
    pub fn of(found: &FoundGradient, parameters: &[FileParameter]) -> Self {
        let FoundGradient { gradient, times, over_time } = found;
        let known = |x: f64| Some(x).filter(|x| x.is_finite());
        let measured = |(name, value): (&String, &f64)| MeasuredNumber { name: name.clone(), value: known(*value) };
        let number = |by: &By| {
            let own = parameters.iter().find(|one| by.name.strip_prefix("parameters.") == Some(&one.name));
            // Its range is in SI units, the number in those in which it is written.
            let scale = |one: &FileParameter| if one.value == 0.0 { 1.0 } else { by.value / one.value };
            let range = own.and_then(|one| Some(one.range?.map(|end| end * scale(one))));
            ByNumber { name: by.name.clone(), value: by.value, range }
        };
        let slopes = gradient.derivatives.iter().map(|one| Slope {
            value: known(one.value),
            error: known(one.error),
            low: known(one.valid.0),
            high: known(one.valid.1),
        });
        let mut series = Vec::new();
        for channel in over_time {
            series.extend(gradient.by.iter().zip(&channel.derivatives).map(|(by, values)| SlopeOverTime {
                channel: channel.name.clone(),
                by: by.name.clone(),
                unit: channel.unit_by(&by.name),
                values: Packed::from(values.clone()),
            }));
        }
        Sensitivity {
            of: gradient.of.iter().zip(&gradient.values).map(measured).collect(),
            by: gradient.by.iter().map(number).collect(),
            derivatives: slopes.collect(),
            notes: gradient.notes.iter().map(ToString::to_string).collect(),
            times: Packed::from(times.clone()),
            over_time: series,
        }
    }
}
