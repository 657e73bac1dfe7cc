//! Desired motion of models, drawn as ghosts. If a block has an input `desired…` and another one that the state of a
//! model drives, both of the same width, the bodies of that model are drawn a second time at the desired state.

use super::Ghost;
use kinegraph_diagram::{Diagram, Source, State};
use kinegraph_engine::scene::{Pose, Scene};
use kinegraph_engine::simulate::{Sample, Sampler};
use std::ops::Range;

/// Ghosts of a diagram.
#[derive(Default)]
pub struct Ghosts {
    all: Vec<Desired>,
    /// Reads the desired states, and evaluates the poses there.
    sampler: Option<Sampler>,
    /// Desired states of all ghosts.
    wanted: Vec<f64>,
    state: State,
}

struct Desired {
    ghost: Ghost,
    /// Range of the desired state among the values of the diagram, and among the desired states.
    values: Range<usize>,
    wanted: Range<usize>,
    /// Range of the positions of the model in the state of the diagram.
    positions: Range<usize>,
}

impl Ghosts {
    /// Finds the ghosts of `diagram`.
    pub fn of(diagram: &Diagram) -> Self {
        let scene = Scene::of(diagram);
        let mut all = desired(diagram, &scene);
        let (known, mut channels) = (diagram.channels(), Vec::new());
        for desired in &mut all {
            let start = channels.len();
            channels.extend(known.iter().filter(|channel| desired.values.contains(&channel.index)).cloned());
            desired.wanted = start..channels.len();
        }
        // A desired state that is not among the values of an output cannot be read.
        all.retain(|desired| desired.wanted.len() == desired.values.len());
        let sampler = (!all.is_empty()).then(|| Sampler::new(diagram, &channels));
        Ghosts { all, sampler, wanted: Vec::new(), state: diagram.initial_state() }
    }

    /// Facts about the ghosts for the page.
    pub fn facts(&self) -> Vec<Ghost> {
        self.all.iter().map(|desired| desired.ghost.clone()).collect()
    }

    /// Calls `push` with the pose of every body of every ghost.
    pub fn poses(&mut self, sample: &Sample<'_>, mut push: impl FnMut(&Pose)) {
        let Some(sampler) = &mut self.sampler else { return };
        self.wanted.clear();
        self.wanted.extend_from_slice(sampler.sample(sample.state(), &[]).values());
        for desired in &self.all {
            self.state.clone_from(sample.state());
            let wanted = &self.wanted[desired.wanted.clone()];
            let count = desired.positions.len();
            self.state.continuous[desired.positions.clone()].copy_from_slice(&wanted[..count]);
            let mut there = sampler.sample(&self.state, &[]);
            let poses = there.poses(desired.ghost.plant);
            desired.ghost.bodies.iter().for_each(|&body| push(&poses[body]));
        }
    }
}

fn desired(diagram: &Diagram, scene: &Scene) -> Vec<Desired> {
    let blocks = diagram.blocks();
    let plants: Vec<usize> = (0..blocks.len()).filter(|&b| blocks[b].system.as_plant().is_some()).collect();
    let mut all = Vec::new();
    for block in blocks {
        let inputs = block.system.ports().inputs();
        let Some(goal) = inputs.iter().position(|input| input.name.starts_with("desired")) else { continue };
        let Some(wanted) = block.inputs[goal].clone() else { continue };
        // State of a model that the block measures.
        for source in &block.sources {
            let Source::Output { block: from, port } = *source else { continue };
            let Some(plant) = plants.iter().position(|&plant| plant == from) else { continue };
            let port = &blocks[from].system.ports().outputs()[port];
            let Some(model) = port.name.strip_suffix(".state").filter(|_| port.width == wanted.len()) else { continue };
            let names = diagram.state_names();
            let of_model = |i: &usize| {
                let name = names[*i].strip_prefix(blocks[from].name.as_str()).and_then(|rest| rest.strip_prefix('.'));
                name.is_some_and(|name| port.elements.iter().any(|element| element == name))
            };
            let own: Vec<usize> = blocks[from].state.clone().filter(of_model).collect();
            let positions = port.width - velocities_of(port);
            let Some(&first) = own.first() else { continue };
            if own[..positions].iter().enumerate().any(|(k, &i)| i != first + k) {
                continue;
            }
            let is_own = |body: &usize| {
                let body = &scene.plants[plant].bodies[*body];
                body.moving && body.name.split('/').next() == Some(model)
            };
            let bodies: Vec<usize> = (0..scene.plants[plant].bodies.len()).filter(is_own).collect();
            let ghost = Ghost { name: format!("{}.{}", block.name, inputs[goal].name), plant, bodies };
            all.push(Desired { ghost, values: wanted.clone(), wanted: 0..0, positions: first..first + positions });
            break;
        }
    }
    all
}

/// Number of velocities in the state of a model: the numbers whose unit is per second.
fn velocities_of(port: &kinegraph_core::port::OutputPort) -> usize {
    port.units.iter().filter(|unit| unit.ends_with("/s")).count()
}
