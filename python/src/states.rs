//! Names of numbers of the state.

use kinegraph::diagram::Diagram;
use kinegraph::systems::names::{did_you_mean, nearest};

/// Numbers of the state.
#[derive(Clone)]
pub enum Place {
    /// One number of the continuous state.
    One(usize),
    /// Several numbers of the continuous state.
    Several(Vec<usize>),
    /// One number of the discrete state.
    OneDiscrete(usize),
    /// Several numbers of the discrete state.
    SeveralDiscrete(Vec<usize>),
}

/// Finds the numbers that `name` stands for: one by its own name (`plant.arm.joint1.q`), all whose names begin so
/// (`plant.arm`, `pid.integral`), or the positions (`plant.arm.q`) or velocities (`plant.arm.v`) of a plant or one of
/// its models. The error is a message with near names.
pub fn find(diagram: &Diagram, name: &str) -> Result<Place, String> {
    let (continuous, discrete) = (diagram.state_names(), diagram.discrete_names());
    if let Some(i) = continuous.iter().position(|other| other == name) {
        return Ok(Place::One(i));
    }
    if let Some(i) = discrete.iter().position(|other| other == name) {
        return Ok(Place::OneDiscrete(i));
    }
    let within = |names: &[String], group: &str| -> Vec<usize> {
        let is_within = |other: &String| other.strip_prefix(group).is_some_and(|rest| rest.starts_with(['.', '[']));
        (0..names.len()).filter(|i| is_within(&names[*i])).collect()
    };
    for (suffix, positions) in [(".q", true), (".v", false)] {
        let Some(group) = name.strip_suffix(suffix) else { continue };
        let mut found = within(&continuous, group);
        found.retain(|i| {
            diagram.plants().any(|(block, plant)| {
                let first_velocity = block.state.start + plant.structure().num_positions;
                block.state.contains(i) && (*i < first_velocity) == positions
            })
        });
        if !found.is_empty() {
            return Ok(Place::Several(found));
        }
    }
    let found = within(&continuous, name);
    if !found.is_empty() {
        return Ok(Place::Several(found));
    }
    let found = within(&discrete, name);
    if !found.is_empty() {
        return Ok(Place::SeveralDiscrete(found));
    }
    let hint = did_you_mean(&nearest(name, continuous.iter().chain(&discrete)));
    Err(format!("the diagram `{}` has no state `{name}`{hint}", diagram.name()))
}
