//! Integrals of forces and efforts over time, which replace them in comparisons.
//!
//! Forces in a step are not under error control, and in an impact they grow as the step gets shorter. Their integrals
//! move the bodies, and are the same for all methods.

use kinegraph_diagram::{Channel, Diagram, Source};

/// Course of a channel between the ends of two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    /// Constant in the step, with the value at its end.
    OfStep,
    /// Held from the start of the step on.
    Held,
    /// Approximately linear.
    Linear,
}

/// The forces among some channels, and their integrals over the steps of a run.
#[derive(Clone, Debug)]
pub(super) struct Impulses {
    /// Index of each among all channels, and its course.
    forces: Vec<(usize, Course)>,
    channels: Vec<Channel>,
    /// Start of the last step \[s\], and the integrals up to it.
    start: f64,
    integrals: Vec<f64>,
    /// End of the last step \[s\], and the values at both.
    end: f64,
    before: Vec<f64>,
    after: Vec<f64>,
}

/// For each of `channels`, true if it is a force: by its unit, as the effort of a joint, or as an input of a plant.
pub(super) fn are_forces(diagram: &Diagram, channels: &[Channel]) -> Vec<bool> {
    let mut drives = Vec::new();
    for (block, _) in diagram.plants() {
        drives.extend(block.sources.iter().filter_map(|source| match *source {
            Source::Output { block, port } => Some(diagram.blocks()[block].outputs[port].clone()),
            _ => None,
        }));
    }
    let is_force = |channel: &Channel| {
        matches!(&*channel.unit, "N" | "N m")
            || (of_plant(diagram, channel) && channel.name.ends_with(".effort"))
            || drives.iter().any(|range| range.contains(&channel.index))
    };
    channels.iter().map(is_force).collect()
}

/// True if a channel is an output of a plant.
fn of_plant(diagram: &Diagram, channel: &Channel) -> bool {
    diagram.plants().any(|(block, _)| block.outputs.iter().any(|range| range.contains(&channel.index)))
}

impl Impulses {
    /// Creates the impulses of the forces among `channels` of `diagram`, from time `start` \[s\] on.
    pub fn new(diagram: &Diagram, channels: &[Channel], start: f64) -> Self {
        let course = |channel: &Channel| match (of_plant(diagram, channel), channel.sampled) {
            (true, _) => Course::OfStep,
            (false, true) => Course::Held,
            (false, false) => Course::Linear,
        };
        let forces = are_forces(diagram, channels).into_iter().enumerate().filter(|(_, is_force)| *is_force);
        let forces: Vec<(usize, Course)> = forces.map(|(i, _)| (i, course(&channels[i]))).collect();
        let zeros = vec![0.0; forces.len()];
        Impulses {
            channels: forces.iter().map(|&(i, _)| channels[i].clone()).collect(),
            start,
            integrals: zeros.clone(),
            end: start,
            before: zeros.clone(),
            after: zeros,
            forces,
        }
    }

    /// The channels.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Sets the values at the start of a run.
    pub fn begin(&mut self, values: &[f64]) {
        self.after.copy_from_slice(values);
    }

    /// Adds a step to `time` \[s\] that ended with these values.
    pub fn step(&mut self, time: f64, values: &[f64]) {
        for k in 0..self.forces.len() {
            self.integrals[k] += self.within(k, self.end);
        }
        (self.start, self.end) = (self.end, time);
        std::mem::swap(&mut self.before, &mut self.after);
        self.after.copy_from_slice(values);
    }

    /// Integral of force `k` over the last step up to `time` \[s\].
    fn within(&self, k: usize, time: f64) -> f64 {
        let length = time - self.start;
        if length <= 0.0 {
            return 0.0;
        }
        let (before, after) = (self.before[k], self.after[k]);
        match self.forces[k].1 {
            Course::OfStep => length * after,
            Course::Held => length * before,
            Course::Linear => length * (before + 0.5 * (after - before) * length / (self.end - self.start)),
        }
    }

    /// Replaces the forces in `row` by their integrals up to `time` \[s\], within the last step.
    pub fn put(&self, time: f64, row: &mut [f64]) {
        for (k, &(i, _)) in self.forces.iter().enumerate() {
            row[i] = self.integrals[k] + self.within(k, time);
        }
    }
}
