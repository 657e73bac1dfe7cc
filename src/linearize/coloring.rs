//! Which columns of the linearization are taken together.
//!
//! A column (a direction of the state) changes the forces and rates that it reaches through the diagram, and no others.
//! Columns whose reaches have nothing in common share one partial derivative of the dual numbers [Curtis, Powell & Reid
//! 1974]: what a row finds there is of the one column that reaches it. So any number of robots with a controller each
//! costs as many passes as one of them. The reach is a matter of structure (wires, direct feedthrough, what the plants'
//! outputs sense and their inputs drive), found once for a diagram.

use super::layout::Layout;
use crate::diagram::{Diagram, Schedule, Source};

/// Colors of the columns: along the motion of the sensed positions, along the sensed velocities, along the external
/// states. Rows are the velocities of all plants, then the external states.
#[derive(Clone, Debug, Default)]
pub(super) struct Coloring {
    /// The columns of each color.
    pub colors: Vec<Vec<usize>>,
    /// The rows that each column reaches, in increasing order: index into `reaches`.
    reach: Vec<usize>,
    reaches: Vec<Vec<usize>>,
}

impl Coloring {
    /// Colors the columns of `diagram`: each gets the first color in which it meets no other. A column that reaches
    /// nothing has none.
    pub fn new(diagram: &Diagram, layout: &Layout, schedule: &Schedule, sensed: &[bool]) -> Self {
        let mut coloring = Coloring::default();
        let structure = Structure { diagram, layout, schedule };
        let velocities: Vec<usize> = structure.of_velocities(sensed, &mut coloring.reaches);
        coloring.reach.extend(velocities.iter().chain(&velocities));
        structure.of_external_states(&mut coloring);
        // The rows taken in each color.
        let mut taken: Vec<Vec<bool>> = Vec::new();
        for (column, &reach) in coloring.reach.iter().enumerate() {
            let rows = &coloring.reaches[reach];
            if rows.is_empty() {
                continue;
            }
            let free = taken.iter().position(|taken| rows.iter().all(|&row| !taken[row]));
            let color = free.unwrap_or_else(|| {
                taken.push(vec![false; layout.num_velocities + layout.external.len()]);
                coloring.colors.push(Vec::new());
                taken.len() - 1
            });
            rows.iter().for_each(|&row| taken[color][row] = true);
            coloring.colors[color].push(column);
        }
        coloring
    }

    /// The rows that `column` reaches, in increasing order.
    pub fn rows(&self, column: usize) -> &[usize] {
        &self.reaches[self.reach[column]]
    }

    /// Every column by itself, reaching everything.
    #[cfg(test)]
    pub fn none(columns: usize, rows: usize) -> Self {
        Coloring {
            colors: (0..columns).map(|column| vec![column]).collect(),
            reach: vec![0; columns],
            reaches: vec![(0..rows).collect()],
        }
    }
}

/// The outputs that sense a velocity, and the velocities that the plant itself feeds back from it.
type Seen = (Vec<usize>, Vec<usize>);

struct Structure<'a> {
    diagram: &'a Diagram,
    layout: &'a Layout,
    schedule: &'a Schedule,
}

impl Structure<'_> {
    /// The reach of each sensed velocity and of the position it moves. Velocities that the same outputs sense share
    /// one.
    fn of_velocities(&self, sensed: &[bool], reaches: &mut Vec<Vec<usize>>) -> Vec<usize> {
        let mut of_columns = Vec::new();
        for slot in &self.layout.plants {
            let plant = self.layout.plant(self.diagram, slot);
            let outputs = self.schedule.outputs_of(slot.block);
            let mut known: Vec<(Seen, usize)> = Vec::new();
            for v in (0..slot.global.len()).filter(|v| sensed[slot.global.start + v]) {
                let sensing: Vec<usize> = outputs.iter().copied().filter(|&o| plant.output_senses(o, v)).collect();
                let mut own = Vec::new();
                plant.own_feedback(v, &mut |to| own.push(slot.global.start + to));
                let by = (sensing, own);
                if let Some((_, reach)) = known.iter().find(|(known, _)| *known == by) {
                    of_columns.push(*reach);
                    continue;
                }
                let mut rows = self.rows_fed_by(slot.block, &by.0);
                by.1.iter().for_each(|&row| rows[row] = true);
                // A force given on a body acts through the Jacobian, which depends on every position.
                for (input, source) in self.diagram.blocks()[slot.block].inputs.iter().enumerate() {
                    if source.is_some() && plant.input_needs_state(input) {
                        self.drive(slot.block, input, &mut rows);
                    }
                }
                known.push((by, reaches.len()));
                of_columns.push(reaches.len());
                reaches.push(indices(&rows));
            }
        }
        of_columns
    }

    /// The reaches of the external states: each block's are taken to act on each other and on all of its outputs.
    fn of_external_states(&self, coloring: &mut Coloring) {
        let blocks = self.diagram.blocks();
        for (index, block) in blocks.iter().enumerate() {
            if block.state.is_empty() || block.system.as_plant().is_some() {
                continue;
            }
            let mut rows = self.rows_fed_by(index, &(0..block.outputs.len()).collect::<Vec<_>>());
            self.drive(index, 0, &mut rows);
            coloring.reach.extend(block.state.clone().map(|_| coloring.reaches.len()));
            coloring.reaches.push(indices(&rows));
        }
    }

    /// The rows that depend on some outputs of a block.
    fn rows_fed_by(&self, block: usize, outputs: &[usize]) -> Vec<bool> {
        let mut rows = vec![false; self.layout.num_velocities + self.layout.external.len()];
        let fed = self.diagram.outputs_depending_on(block, outputs);
        for (to, block) in self.diagram.blocks().iter().enumerate().filter(|(_, block)| !block.state.is_empty()) {
            for (input, source) in block.sources.iter().enumerate() {
                if matches!(*source, Source::Output { block, port } if fed[block][port]) {
                    self.drive(to, input, &mut rows);
                }
            }
        }
        rows
    }

    /// Marks the rows that input `input` of a block with state drives: of a plant the velocities, of another block all
    /// its states.
    fn drive(&self, block: usize, input: usize, rows: &mut [bool]) {
        if let Some(slot) = self.layout.plants.iter().find(|slot| slot.block == block) {
            let plant = self.layout.plant(self.diagram, slot);
            for (v, row) in slot.global.clone().enumerate() {
                rows[row] |= plant.input_drives(input, v);
            }
        } else {
            // The external states stand in the order of their blocks.
            let state = &self.diagram.blocks()[block].state;
            let first = self.layout.external.partition_point(|&at| at < state.start);
            rows[self.layout.num_velocities + first..][..state.len()].fill(true);
        }
    }
}

fn indices(rows: &[bool]) -> Vec<usize> {
    (0..rows.len()).filter(|&row| rows[row]).collect()
}

#[cfg(test)]
mod tests;
