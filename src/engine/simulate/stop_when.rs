//! Conditions over channels that end a run, as a block of the diagram: they are events like others, at exact times.

use super::channel_condition::ChannelCondition;
use kinegraph_core::logic::is_true;
use kinegraph_core::parameter::ParameterError;
use kinegraph_core::port::{Sampling, Tick, Witness};
use kinegraph_core::{Context, Dyn, Fixed, In, LeafSystem, Out, Outputs, Ports, Reset, Scalar};
use kinegraph_diagram::{BuildErrors, Diagram, DiagramBuilder};
use kinegraph_systems::operators::Condition;
use std::sync::Arc;

/// Name of the block.
const NAME: &str = "stop_when";

/// A condition that ends a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopCondition {
    /// Its name, for the report.
    pub name: String,
    /// The condition over channels: `plant.box.z < 0.01 and not mode.is_hold`.
    pub condition: String,
}

/// Reason why a diagram cannot have its stop conditions.
#[derive(Clone, PartialEq, thiserror::Error)]
pub enum StopConditionError {
    /// Texts that are no conditions, each with the index of its condition.
    #[error("{}", .0.iter().map(|(_, error)| error.to_string()).collect::<Vec<_>>().join("; "))]
    Conditions(Vec<(usize, ParameterError)>),
    /// The diagram cannot be built with the block of the conditions.
    #[error(transparent)]
    Build(#[from] BuildErrors),
}

kinegraph_core::debug_is_message!(StopConditionError);

/// `diagram` with a block `stop_when`, at whose conditions a run ends. Handles of its nested diagrams are not kept.
///
/// # Errors
/// All texts that are no conditions over channels of the diagram, together.
pub fn stopping_when(diagram: &Diagram, conditions: &[StopCondition]) -> Result<Diagram, StopConditionError> {
    if conditions.is_empty() {
        return Ok(diagram.clone());
    }
    let mut faults = Vec::new();
    let mut read = Vec::new();
    for (i, one) in conditions.iter().enumerate() {
        match ChannelCondition::new(diagram, &one.condition) {
            Ok(condition) => read.push(condition),
            Err(error) => faults.push((i, error)),
        }
    }
    if !faults.is_empty() {
        return Err(StopConditionError::Conditions(faults));
    }
    let mut sources = Vec::new();
    let conditions = read.into_iter().zip(conditions).map(|(ChannelCondition { condition, channels }, one)| {
        let first = sources.len();
        sources.extend(channels.iter().filter_map(|channel| diagram.wire_path(channel)));
        (one.name.clone(), condition, first)
    });
    let block = StopWhen::new(conditions.collect(), sources.len());
    let mut builder: DiagramBuilder = diagram.to_builder();
    let name = builder.free_name(NAME);
    builder.add_erased(&name, Arc::new(block));
    for (i, source) in sources.into_iter().enumerate() {
        builder.connect_paths(source, format!("{name}.channel{i}"));
    }
    Ok(builder.build()?)
}

/// The block: for each condition, whether it was true.
struct StopWhen {
    channels: Vec<In<Fixed<1>>>,
    met: Out<Dyn>,
    names: Vec<String>,
    /// Each with the index of its first channel.
    conditions: Vec<(Condition, usize)>,
    ports: Ports,
}

impl StopWhen {
    fn new(conditions: Vec<(String, Condition, usize)>, channels: usize) -> Self {
        let mut ports = Ports::new();
        let channels = (0..channels).map(|i| ports.input(format!("channel{i}"))).collect();
        let met = ports.output_of_width("met", conditions.len());
        let names: Vec<String> = conditions.iter().map(|(name, ..)| name.clone()).collect();
        ports.name_elements(met, names.clone());
        ports.no_feedthrough(met);
        ports.discrete_state("met", vec![0.0; conditions.len()]);
        ports.periodic(Sampling::once(0.0));
        for name in &names {
            ports.level_witness(name);
        }
        let conditions = conditions.into_iter().map(|(_, condition, first)| (condition, first)).collect();
        StopWhen { channels, met, names, conditions, ports }
    }
}

impl LeafSystem for StopWhen {
    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let met = out.slice(self.met);
        met.iter_mut().zip(ctx.discrete).for_each(|(y, &met)| *y = S::constant(met));
    }

    /// A condition that is true at the start is looked at there.
    fn update(&self, _tick: Tick, _ctx: &Context<f64>, _next: &mut [f64]) {}

    fn witnesses(&self, ctx: &Context<f64>, values: &mut [f64]) {
        for ((value, &met), (condition, first)) in values.iter_mut().zip(ctx.discrete).zip(&self.conditions) {
            *value = match is_true(met) {
                true => -1.0,
                false => condition.margin(ctx.time, |i| ctx.get(self.channels[first + i])[0]),
            };
        }
    }

    fn reset(&self, witness: Witness, _ctx: &Context<f64>, state: &mut Reset) {
        state.discrete[witness.index] = 1.0;
    }

    fn endings(&self) -> &[String] {
        &self.names
    }
}
