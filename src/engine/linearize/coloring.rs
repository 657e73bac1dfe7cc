//! Columns of the linearization that are computed together.
//!
//! A column (a direction of the state) changes the forces and rates that it reaches through the diagram, and no others.
//! Columns whose reaches have nothing in common share one partial derivative of the dual numbers [Curtis, Powell & Reid
//! 1974]: the value in a row belongs to the one column that reaches it. So any number of robots with a controller each
//! costs as many passes as one of them. The reach is a matter of structure (wires, direct feedthrough, the velocities
//! that plants' outputs sense and inputs drive), found once for a diagram.

use super::layout::Layout;
use kinegraph_diagram::{Diagram, Schedule, Source};

/// Colors of the columns: along the motion of the sensed positions, along the sensed velocities, along the external
/// states. Rows are the velocities of all plants, then the external states.
#[derive(Clone, Debug, Default)]
pub struct Coloring {
    /// Columns of each color.
    pub colors: Vec<Vec<usize>>,
    /// Rows that each column reaches, in increasing order: index into `reaches`.
    reach: Vec<usize>,
    reaches: Vec<Vec<usize>>,
}

impl Coloring {
    /// Colors the columns of `diagram`: each gets the first color in which it meets no other. A column that reaches
    /// nothing has none.
    pub fn new(diagram: &Diagram, layout: &Layout, schedule: &Schedule, sensed: &[bool]) -> Self {
        let mut coloring = Coloring::default();
        let structure = Structure::new(diagram, layout, schedule);
        let velocities: Vec<usize> = structure.of_velocities(sensed, &mut coloring.reaches);
        coloring.reach.extend(velocities.iter().chain(&velocities));
        structure.of_external_states(&mut coloring);
        // The rows taken in each color, a bit each.
        const BITS: usize = u64::BITS as usize;
        let words = (layout.num_velocities + layout.external.len()).div_ceil(BITS);
        let mut taken: Vec<Vec<u64>> = Vec::new();
        // A column takes no earlier color than one with the same reach: a wide block has as many of them as states.
        let mut first = vec![0; coloring.reaches.len()];
        for (column, &reach) in coloring.reach.iter().enumerate() {
            let rows = &coloring.reaches[reach];
            if rows.is_empty() {
                continue;
            }
            let is_free = |taken: &Vec<u64>| rows.iter().all(|&row| taken[row / BITS] >> (row % BITS) & 1 == 0);
            let free = taken[first[reach]..].iter().position(is_free).map(|later| first[reach] + later);
            let color = free.unwrap_or_else(|| {
                taken.push(vec![0; words]);
                coloring.colors.push(Vec::new());
                taken.len() - 1
            });
            rows.iter().for_each(|&row| taken[color][row / BITS] |= 1 << (row % BITS));
            coloring.colors[color].push(column);
            first[reach] = color + 1;
        }
        coloring
    }

    /// Rows that `column` reaches, in increasing order.
    pub fn rows(&self, column: usize) -> &[usize] {
        &self.reaches[self.reach[column]]
    }

    /// Index of the reach of `column`, which columns with the same rows share.
    pub fn reach(&self, column: usize) -> usize {
        self.reach[column]
    }

    /// Coloring with every column by itself, reaching everything.
    pub fn none(columns: usize, rows: usize) -> Self {
        Coloring {
            colors: (0..columns).map(|column| vec![column]).collect(),
            reach: vec![0; columns],
            reaches: vec![(0..rows).collect()],
        }
    }
}

/// Outputs that sense a velocity, and the velocities that the plant itself feeds back from it.
type Seen = (Vec<usize>, Vec<usize>);

struct Structure<'a> {
    diagram: &'a Diagram,
    layout: &'a Layout,
    schedule: &'a Schedule,
    /// For each block, the inputs of blocks with state that its outputs drive, as (output, block, input).
    wires: Vec<Vec<(usize, usize, usize)>>,
}

impl<'a> Structure<'a> {
    fn new(diagram: &'a Diagram, layout: &'a Layout, schedule: &'a Schedule) -> Self {
        let mut wires = vec![Vec::new(); diagram.blocks().len()];
        for (to, block) in diagram.blocks().iter().enumerate().filter(|(_, block)| !block.state.is_empty()) {
            for (input, source) in block.sources.iter().enumerate() {
                if let Source::Output { block, port } = *source {
                    wires[block].push((port, to, input));
                }
            }
        }
        Structure { diagram, layout, schedule, wires }
    }

    /// Reaches of each sensed velocity and of the position it moves. Velocities that the same outputs sense share one.
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
                rows.extend(&by.1);
                // A force given on a body acts through the Jacobian, which depends on every position.
                for (input, source) in self.diagram.blocks()[slot.block].inputs.iter().enumerate() {
                    if source.is_some() && plant.input_needs_state(input) {
                        self.drive(slot.block, input, &mut rows);
                    }
                }
                known.push((by, reaches.len()));
                of_columns.push(reaches.len());
                reaches.push(sorted(rows));
            }
        }
        of_columns
    }

    /// Finds the reaches of the external states: each block's are taken to act on each other and on all of its outputs.
    fn of_external_states(&self, coloring: &mut Coloring) {
        let blocks = self.diagram.blocks();
        for (index, block) in blocks.iter().enumerate() {
            if block.state.is_empty() || block.system.as_plant().is_some() {
                continue;
            }
            let mut rows = self.rows_fed_by(index, &(0..block.outputs.len()).collect::<Vec<_>>());
            self.drive(index, 0, &mut rows);
            coloring.reach.extend(block.state.clone().map(|_| coloring.reaches.len()));
            coloring.reaches.push(sorted(rows));
        }
    }

    /// Rows that depend on some outputs of a block, in any order, with duplicates. The work grows with the number of
    /// dependent rows, not with the diagram.
    fn rows_fed_by(&self, block: usize, outputs: &[usize]) -> Vec<usize> {
        let mut rows = Vec::new();
        // A block with many states that is fed by many outputs of one block is driven once by each of its inputs.
        for (block, port) in self.diagram.outputs_depending_on(block, outputs) {
            for &(_, to, input) in self.wires[block].iter().filter(|(output, ..)| *output == port) {
                self.drive(to, input, &mut rows);
            }
        }
        rows
    }

    /// Adds the rows that input `input` of a block with state drives: of a plant the velocities, of another block all
    /// its states.
    fn drive(&self, block: usize, input: usize, rows: &mut Vec<usize>) {
        if let Some(slot) = self.layout.plants.iter().find(|slot| slot.block == block) {
            let plant = self.layout.plant(self.diagram, slot);
            let driven = slot.global.clone().enumerate().filter(|(v, _)| plant.input_drives(input, *v));
            rows.extend(driven.map(|(_, row)| row));
        } else {
            // The external states stand in the order of their blocks.
            let state = &self.diagram.blocks()[block].state;
            let first = self.layout.external.partition_point(|&at| at < state.start);
            let first = self.layout.num_velocities + first;
            rows.extend(first..first + state.len());
        }
    }
}

/// Returns the rows in increasing order, without duplicates.
fn sorted(mut rows: Vec<usize>) -> Vec<usize> {
    rows.sort_unstable();
    rows.dedup();
    rows
}
