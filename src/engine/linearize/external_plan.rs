//! The part of an external system that depends on the diagram alone.

use super::coloring::Coloring;
use super::groups::{Groups, Sparsity};
use super::layout::Layout;
use kinegraph_diagram::{Diagram, Schedule};
use std::sync::Arc;

/// Data that depend on the diagram alone: found once, shared by all copies of an external system.
#[derive(Clone, Debug)]
pub struct ExternalPlan {
    pub diagram: Diagram,
    pub layout: Arc<Layout>,
    /// Computes the inputs of all plants and all blocks with state.
    pub schedule: Schedule,
    /// The part of `schedule` that depends on state.
    pub reacting: Schedule,
    /// Blocks of `reacting` that may have kinks.
    pub bending: Vec<usize>,
    /// True if the diagram drives any switch of a plant.
    pub switched: bool,
    /// True if a plant has servos of its own, which depend on its state without anything outside.
    pub servos: bool,
    /// For each velocity of all plants, true if the external system can sense it.
    pub sensed: Vec<bool>,
    /// Columns of a linearization that are computed together.
    pub coloring: Coloring,
    /// Connected parts of a linearization.
    pub groups: Arc<Groups>,
}

impl ExternalPlan {
    /// Plan of `diagram`.
    pub fn new(diagram: &Diagram) -> Self {
        let layout = Layout::new(diagram);
        let targets: Vec<usize> = (0..diagram.blocks().len())
            .filter(|&b| {
                let block = &diagram.blocks()[b];
                block.system.as_plant().is_some() || !block.state.is_empty()
            })
            .collect();
        let schedule = diagram.schedule_for_inputs_of(&targets);
        let reacting = diagram.calls_depending_on_any(&schedule, &targets);
        let bending = bending(diagram, &reacting);
        let (mut switched, mut servos) = (false, false);
        let mut sensed = Vec::with_capacity(layout.num_velocities);
        for slot in &layout.plants {
            let plant = layout.plant(diagram, slot);
            let outputs = schedule.outputs_of(slot.block);
            // A force given on a body acts through the Jacobian, which depends on every position.
            let inputs = &diagram.blocks()[slot.block].inputs;
            switched |= plant.switch_inputs().iter().any(|&i| inputs[i].is_some());
            let all = inputs.iter().enumerate().any(|(i, source)| source.is_some() && plant.input_needs_state(i));
            sensed.extend((0..slot.global.len()).map(|v| {
                let mut fed_back = false;
                plant.own_feedback(v, &mut |_| fed_back = true);
                servos |= fed_back;
                all || fed_back || outputs.iter().any(|&o| plant.output_senses(o, v))
            }));
        }
        let coloring = Coloring::new(diagram, &layout, &schedule, &sensed);
        let columns: Vec<usize> = (0..sensed.len()).filter(|&i| sensed[i]).collect();
        let (nv, nz) = (layout.num_velocities, layout.external.len());
        let groups = Arc::new(Groups::new(&coloring, &columns, nv, nz, Sparsity::default()));
        let (diagram, layout) = (diagram.clone(), Arc::new(layout));
        ExternalPlan { diagram, layout, schedule, reacting, bending, switched, servos, sensed, coloring, groups }
    }
}

/// Blocks of a schedule that report kinks.
fn bending(diagram: &Diagram, schedule: &Schedule) -> Vec<usize> {
    let (values, at_zero) = (diagram.values(), vec![0.0; diagram.state_width()]);
    let mut bending = schedule.blocks();
    bending.retain(|&block| {
        let (context, mut bends) = (diagram.context(block, 0.0, &at_zero, &values), false);
        diagram.blocks()[block].system.kinks(&context, &mut |_| bends = true);
        bends
    });
    bending
}
