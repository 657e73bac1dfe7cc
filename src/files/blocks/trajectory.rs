//! `type: trajectory`.

use crate::form::{
    BlockSpec, BlockType, Choice, Group, Key, ListOf, NUMBER, Needs, Number, Optional, Reader, Site, SystemSpec,
    WithDefault, needs, optional, with_default,
};
use crate::node::show_number;
use crate::words::counted;
use kinegraph_systems::{ErasedSystem, sources};
use std::sync::Arc;

/// Interpolation between knots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Cubic polynomials with the velocity given at each knot, or zero.
    Cubic,
}

/// A path through knots, held constant before the first and after the last.
#[derive(Clone, Debug)]
pub struct Trajectory {
    /// Interpolation between knots.
    pub interpolation: Interpolation,
    /// Times of the knots \[s\], increasing.
    pub times: Vec<f64>,
    /// Values at the knots, all of the same width.
    pub values: Vec<Vec<f64>>,
    /// Rates at the knots, shaped like the values; `None`: at rest at each knot.
    pub velocities: Option<Vec<Vec<f64>>>,
}

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "trajectory",
    group: Group::Sources,
    about: "a path through knots: values, then their rates",
    example: "goal: {type: trajectory, times: [0, 1], values: [[0, 0], [0.5, -1]]}",
    files: &[],
    read,
};

const INTERPOLATION: WithDefault<Choice<Interpolation>> = with_default(
    "interpolation",
    Choice { what: "interpolation", options: &[("cubic", Interpolation::Cubic)] },
    Interpolation::Cubic,
    "cubic polynomials between knots",
);
const TIMES: Needs<ListOf<Number>> = needs(
    "times",
    ListOf { each: NUMBER, about: "a list of increasing times in s" },
    "times of the knots, increasing [s]",
);
const ROWS: ListOf<ListOf<Number>> = ListOf {
    each: ListOf { each: NUMBER, about: "the numbers of one knot" },
    about: "a list with the numbers of each knot",
};
const VALUES: Needs<ListOf<ListOf<Number>>> = needs("values", ROWS, "numbers at each knot [any]");
const VELOCITIES: Optional<ListOf<ListOf<Number>>> =
    optional("velocities", ROWS, "at rest at each knot", "rates at each knot, shaped like `values` [1/s]");

impl BlockSpec for Trajectory {
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        let (times, values) = (self.times.clone(), self.values.clone());
        site.built(match self.velocities.clone() {
            Some(velocities) => sources::Trajectory::with_velocities(times, values, velocities),
            None => sources::Trajectory::new(times, values),
        })
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let interpolation = r.get(&INTERPOLATION);
    let (times, values, velocities) = (r.get(&TIMES), r.get(&VALUES), r.get(&VELOCITIES));

    let (times, values) = (times?, values?);
    if times.is_empty() {
        r.wrong(TIMES, "at least one knot", "an empty list");
    }
    if let Some(i) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
        let pair = format!("{} then {} (knots {i} and {})", show_number(times[i]), show_number(times[i + 1]), i + 1);
        r.wrong(TIMES, "increasing times", pair);
    }
    let width = values.first().map_or(0, Vec::len);
    if !values.is_empty() && width == 0 {
        r.wrong(VALUES, "at least one number per knot", "an empty list");
    }
    let lists: [(&dyn Key, _); 2] = [(&VALUES, Some(&values)), (&VELOCITIES, velocities.as_ref())];
    for (key, rows) in lists {
        let Some(rows) = rows else { continue };
        if rows.len() != times.len() {
            let message = format!("{} here, but {} in `times`", counted(rows.len(), "knot"), times.len());
            r.conflict(key, message);
        }
        if let Some(i) = rows.iter().position(|row| row.len() != width) {
            let message =
                format!("knot {i} has {}, the first of `values` has {width}", counted(rows[i].len(), "number"));
            r.conflict(key, message);
        }
    }
    Some(Box::new(Trajectory { interpolation, times, values, velocities }))
}
