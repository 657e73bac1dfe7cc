//! Sensitivity of a motion to its initial state, from a run with a slightly different initial state.

use kinegraph_engine::simulate::Simulation;

/// Changes the velocities of all plants, or without plants the whole continuous state, by at most `size`, each number
/// by a different amount. Positions of plants are kept, so that constraints stay satisfied.
pub(super) fn disturbed(mut simulation: Simulation, size: f64) -> Result<Simulation, String> {
    let mut state = simulation.state().clone();
    let diagram = simulation.diagram();
    let mut changed: Vec<usize> = Vec::new();
    for (block, plant) in diagram.plants() {
        changed.extend(block.state.clone().skip(plant.structure().num_positions));
    }
    if changed.is_empty() {
        changed.extend(0..state.continuous.len());
    }
    for (k, &i) in changed.iter().enumerate() {
        state.continuous[i] += size * amount(k);
    }
    simulation.set_state(state).map_err(|error| error.to_string())?;
    Ok(simulation)
}

/// Number whose magnitude is between 1/2 and 1; the first few differ from each other.
fn amount(k: usize) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let part = ((k + 1) as f64 * GOLDEN).fract();
    let sign = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
    sign * (0.5 + 0.5 * part)
}
