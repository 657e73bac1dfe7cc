//! Forces of what holds at a state, and the motion that is left.
//!
//! With rows `G v + b = 0` of what holds, and their forces λ,
//!
//! ```text
//! M v' = M a + H λ,   G v' = -γ,   H = G' + sliding friction per normal force,   γ = dG/dt v
//! ```
//!
//! a being the acceleration without them. Rows may be redundant: λ = λ₀ + U c, U a basis of the range of G, λ₀ the
//! forces of the contact laws. So what equilibrium does not determine is as the laws have it, and of least norm where
//! nothing is compressed. A contact point that would pull is released, the one that pulls most first.

use super::coordinates::{by_rows, independent};
use crate::choices::contact_model::{MOVES, PART_OF_SIZE, PART_OF_SLIP, PULLS, RANK, TURN};
use crate::integrators::FrictionPlace;
use crate::integrators::contact::ForcesAt;
use crate::state_space::contact::directions::{Directions, difference};
use crate::state_space::contact::rows::{self, Item, PointName, Rows, candidates, constraint_rows, friction};
use crate::state_space::contact::{Laws, report};
use crate::state_space::{HeldPart, LinearModel, LinearizeFault, Linearizer};
use kinegraph_diagram::State;
use nalgebra::{DMatrix, DVector};

/// Rows that hold at a state, with their forces.
pub(in crate::state_space) struct Hold {
    /// The state, with velocities that fit.
    pub state: State,
    /// Accelerations of all plants.
    pub accelerations: DVector<f64>,
    /// Report of what is held.
    pub parts: Vec<HeldPart>,
    items: Vec<Item>,
    forces: DVector<f64>,
    rows: Rows,
    /// Basis of the range of the rows, and of the velocities that they leave.
    range: DMatrix<f64>,
    free: DMatrix<f64>,
    /// `M^-1 H U`.
    response: DMatrix<f64>,
    /// Inverse of `U' G M^-1 H U`.
    inverse: DMatrix<f64>,
}

/// Minimal coordinates of the plants: indices of positions and of velocities in a model, in the order of the velocities
/// of all plants.
pub(in crate::state_space) struct Places {
    pub positions: Vec<usize>,
    pub velocities: Vec<usize>,
}

/// A model of the motion that is left, with the states of the whole one that it has.
pub(in crate::state_space) struct Reduction {
    pub model: LinearModel,
    pub kept: Vec<usize>,
    /// All states by those that are kept.
    pub motion: DMatrix<f64>,
    /// Motion along the velocities of all plants by the states that are kept.
    pub along: DMatrix<f64>,
}

/// Directions of the rows.
struct Factored {
    range: DMatrix<f64>,
    free: DMatrix<f64>,
    /// Velocities by those of the rows, the shortest ones.
    inverse: DMatrix<f64>,
}

fn factored(jacobian: &DMatrix<f64>) -> Option<Factored> {
    let n = jacobian.ncols();
    // Square at least, so that the decomposition has all right singular vectors.
    let padded = jacobian.clone().resize_vertically(jacobian.nrows().max(n), 0.0);
    let svd = padded.try_svd(true, true, f64::EPSILON, 10_000)?; // size
    let (u, v_t) = (svd.u?, svd.v_t?);
    let largest = svd.singular_values.max();
    let holds: Vec<usize> = (0..n).filter(|&i| svd.singular_values[i] > RANK * largest).collect();
    let rest: Vec<usize> = (0..n).filter(|i| !holds.contains(i)).collect();
    let range = u.rows(0, jacobian.nrows()).select_columns(&holds);
    let mut across = v_t.select_rows(&holds).transpose();
    for (column, &i) in holds.iter().enumerate() {
        across.column_mut(column).scale_mut(1.0 / svd.singular_values[i]);
    }
    let inverse = across * range.transpose();
    Some(Factored { range, free: v_t.select_rows(&rest).transpose(), inverse })
}

impl Linearizer {
    /// Finds what holds at `state` and `inputs`: rigid constraints, locks and, with `contacts`, contacts and stops.
    /// `None`: nothing does.
    pub(super) fn hold_with(
        &mut self,
        state: &State,
        inputs: &[f64],
        contacts: bool,
    ) -> Result<Option<Hold>, LinearizeFault> {
        let Some(laws) = &mut self.laws else { return Ok(None) };
        let at = laws.at(state, inputs);
        rows::evaluate(at, state.time, &state.continuous);
        let mut items = candidates(at, &state.continuous, contacts);
        if items.is_empty() && constraint_rows(at) == 0 {
            return Ok(None);
        }
        let singular = || LinearizeFault::CannotHold { what: "what holds".into() };
        let v = velocity(at, state);
        loop {
            let Some(laws) = &mut self.laws else { return Ok(None) };
            let at = laws.at(state, inputs);
            rows::evaluate(at, state.time, &state.continuous);
            let all = rows::rows(at, &items);
            let Factored { range, free, inverse: shortest } = factored(&all.jacobian).ok_or_else(singular)?;
            // Velocities that fit: what sticks does not creep.
            let fitting = &v - &shortest * all.velocity(&v);
            let mut fitted = state.clone();
            at.layout().scatter_velocities(fitting.as_slice(), &mut fitted.continuous);
            // Friction is that of the slip by which it holds now.
            let guess = of_laws(at, state, &items, &all, contacts);
            let mut rates = vec![0.0; state.continuous.len()];
            self.rates(&fitted, inputs, &mut rates)?;
            let Some(laws) = &mut self.laws else { return Ok(None) };
            let at = laws.at(&fitted, inputs);
            let mut unheld = Vec::new();
            at.layout().gather_velocities(&rates, &mut unheld);
            rows::evaluate(at, state.time, &fitted.continuous);
            let all = rows::rows(at, &items);
            let pushes = pushes(at, &items, &all);
            let response = accelerated(at, &(&pushes * &range)).ok_or_else(singular)?;
            let by_guess = accelerated(at, &as_column(&(&pushes * &guess))).ok_or_else(singular)?;
            let turning = turning(at, &fitted, &items, &fitting, &DVector::zeros(fitting.len()), &fitting);
            let across = range.tr_mul(&all.jacobian);
            let inverse = (&across * &response).try_inverse().ok_or_else(singular)?;
            let before = DVector::from_vec(unheld) + by_guess.column(0);
            let change = &inverse * (-range.tr_mul(&turning) - &across * &before);
            let forces = guess + &range * &change;
            if let Some(released) = pulling(&items, &all, &forces) {
                items.remove(released);
                if items.is_empty() && constraint_rows(at) == 0 {
                    return Ok(None);
                }
                continue;
            }
            let accelerations = before + &response * change;
            let parts = report::parts(at, &items, &all, &forces);
            let state = fitted;
            return Ok(Some(Hold {
                state,
                accelerations,
                parts,
                items,
                forces,
                rows: all,
                range,
                free,
                response,
                inverse,
            }));
        }
    }
}

/// Velocities of all plants at `state`.
fn velocity(at: &ForcesAt, state: &State) -> DVector<f64> {
    let mut v = Vec::new();
    at.layout().gather_velocities(&state.continuous, &mut v);
    DVector::from_vec(v)
}

fn as_column(vector: &DVector<f64>) -> DMatrix<f64> {
    DMatrix::from_column_slice(vector.len(), 1, vector.as_slice())
}

/// Forces of the items by their laws where bodies are compressed, else zero.
fn of_laws(at: &mut ForcesAt, state: &State, items: &[Item], all: &Rows, contacts: bool) -> DVector<f64> {
    let mut forces = DVector::zeros(all.jacobian.nrows());
    if !contacts {
        return forces;
    }
    at.evaluate(state.time, &state.continuous, 0.0, FrictionPlace::default());
    for &(item, first, ref point) in &all.points {
        let Item::Point { sticks, .. } = items[item] else { continue };
        let Some(found) = rows::find(at.problem(), PointName::of(point)) else { continue };
        let force = found.explicit_force(0.0);
        if sticks {
            forces.rows_mut(first, 3).copy_from(&force);
        } else {
            forces[first] = found.normal.dot(&force);
        }
    }
    forces
}

/// Generalized forces by the forces of the rows: `H`.
fn pushes(at: &ForcesAt, items: &[Item], all: &Rows) -> DMatrix<f64> {
    let mut pushes = all.jacobian.transpose();
    for (item, first, point) in &all.points {
        if let Item::Point { sticks: false, .. } = items[*item] {
            let added = rows::jacobian(at.problem(), point).tr_mul(&friction(point));
            let mut column = pushes.column_mut(*first);
            column += added;
        }
    }
    pushes
}

/// `M^-1 forces`, column by column.
fn accelerated(at: &mut ForcesAt, forces: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let mut found = forces.clone();
    let n = forces.nrows();
    for column in 0..forces.ncols() {
        if !at.accelerate(&mut found.as_mut_slice()[column * n..(column + 1) * n]) {
            return None;
        }
    }
    Some(found)
}

/// The contact point or stop that pulls most.
fn pulling(items: &[Item], all: &Rows, forces: &DVector<f64>) -> Option<usize> {
    let least = -PULLS * forces.amax();
    let of_points = all.points.iter().map(|(item, first, point)| match items[*item] {
        Item::Point { sticks: true, .. } => (*item, point.normal.dot(&forces.fixed_rows::<3>(*first))),
        _ => (*item, forces[*first]),
    });
    let mut first = all.jacobian.nrows() - items.iter().map(size).sum::<usize>();
    let mut of_stops = Vec::new();
    for (i, item) in items.iter().enumerate() {
        if let Item::Stop { sign, .. } = item {
            of_stops.push((i, sign * forces[first]));
        }
        first += size(item);
    }
    let found = of_points.chain(of_stops).filter(|(_, force)| *force < least);
    found.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(item, _)| item)
}

fn size(item: &Item) -> usize {
    if let Item::Point { sticks: true, .. } = item { 3 } else { 1 }
}

/// `G a + dG/dt v` of the rows at `state`, whose velocities are `v`, where they turn by the motion `along`.
fn turning(
    at: &mut ForcesAt,
    state: &State,
    items: &[Item],
    along: &DVector<f64>,
    a: &DVector<f64>,
    v: &DVector<f64>,
) -> DVector<f64> {
    let fastest = along.amax();
    let mut directions = Directions::new(at.diagram(), at.layout());
    let mut found = DVector::zeros(rows::rows(at, items).jacobian.nrows());
    if fastest > MOVES {
        let turned = difference(TURN / fastest.max(1.0), |step| {
            directions.advance_along(at, &state.continuous, along.as_slice(), step);
            rows::evaluate(at, state.time, &directions.continuous);
            rows::rows(at, items).velocity(v).as_slice().to_vec()
        });
        found += DVector::from_vec(turned);
        rows::evaluate(at, state.time, &state.continuous);
    }
    if a.amax() > MOVES {
        found += &rows::rows(at, items).jacobian * a;
    }
    found
}

impl Hold {
    /// Checks that friction can hold what sticks.
    pub fn check(&self) -> Result<(), LinearizeFault> {
        let slips = |part: &&HeldPart| part.margin.is_some_and(|margin| margin < 0.0);
        self.parts.iter().find(slips).map_or(Ok(()), |part| {
            let (needed, force) = (part.friction, part.force);
            Err(LinearizeFault::SlipsAway { plant: part.plant.clone(), bodies: part.names.clone(), needed, force })
        })
    }

    /// The motion that is left in `model`, which is that at [`state`](Self::state) without what holds. Of the states
    /// the ones of the lowest `rank` are kept.
    pub fn reduce(
        &self,
        laws: &mut Laws,
        inputs: &[f64],
        model: &LinearModel,
        places: &Places,
        rank: &[usize],
    ) -> Result<Reduction, LinearizeFault> {
        let singular = || LinearizeFault::CannotHold { what: "the coordinates of the motion that is left".into() };
        let Places { positions, velocities } = places;
        let ranks = |of: &[usize]| of.iter().map(|i| rank[*i]).collect::<Vec<_>>();
        let (nx, n, m) = (model.a.nrows(), velocities.len(), self.free.ncols());
        // Positions by the motion along velocities.
        let by_motion = model.a.select_rows(positions).select_columns(velocities);
        let of_positions = &by_motion * &self.free;
        let kept_positions = independent(&of_positions, &ranks(positions));
        let along = &self.free * by_rows(&of_positions, &kept_positions).ok_or_else(singular)?;
        let kept_velocities = independent(&self.free, &ranks(velocities));
        let faster = &self.free * by_rows(&self.free, &kept_velocities).ok_or_else(singular)?;
        let at = laws.at(&self.state, inputs);
        rows::evaluate(at, self.state.time, &self.state.continuous);
        let v = velocity(at, &self.state);
        let turned = self.turned_velocities(at, &v, &along, &faster, &kept_velocities);
        let mut kept: Vec<usize> = (0..nx).filter(|i| !positions.contains(i) && !velocities.contains(i)).collect();
        kept.extend(kept_positions.iter().map(|i| positions[*i]));
        kept.extend(kept_velocities.iter().map(|i| velocities[*i]));
        kept.sort_unstable();
        let column_of = |state: usize| kept.iter().position(|i| *i == state);
        // All states by the kept ones.
        let mut motion = DMatrix::zeros(nx, kept.len());
        for (column, state) in kept.iter().enumerate() {
            if !positions.contains(state) && !velocities.contains(state) {
                motion[(*state, column)] = 1.0;
            }
        }
        let dp = &by_motion * &along;
        let mut way = DMatrix::zeros(n, kept.len());
        for k in 0..m {
            let (Some(p), Some(s)) =
                (column_of(positions[kept_positions[k]]), column_of(velocities[kept_velocities[k]]))
            else {
                return Err(singular());
            };
            way.set_column(p, &along.column(k));
            for i in 0..n {
                motion[(positions[i], p)] = dp[(i, k)];
                motion[(velocities[i], p)] = turned[(i, k)];
                motion[(velocities[i], s)] = faster[(i, k)];
            }
        }
        let mut rates = &model.a * &motion;
        let mut of_velocities = rates.select_rows(velocities);
        let mut unexpected = DMatrix::zeros(self.rows.jacobian.nrows(), kept.len());
        for k in 0..m {
            let p = column_of(positions[kept_positions[k]]).unwrap_or_default();
            let s = column_of(velocities[kept_velocities[k]]).unwrap_or_default();
            let (direction, change) = (along.column(k).into_owned(), turned.column(k).into_owned());
            let pushed = self.pushed(at, &v, &direction, &change).ok_or_else(singular)?;
            let mut column = of_velocities.column_mut(p);
            column += pushed;
            let none = DVector::zeros(n);
            let (fast, zero) = (faster.column(k).into_owned(), none);
            if self.slides() {
                let pushed = self.pushed(at, &v, &zero, &fast).ok_or_else(singular)?;
                let mut column = of_velocities.column_mut(s);
                column += pushed;
            }
            unexpected.set_column(p, &self.turned_rows(at, &v, &direction, &change));
            unexpected.set_column(s, &self.turned_rows(at, &v, &zero, &fast));
        }
        let of_velocities = self.held(&of_velocities, &unexpected);
        let none = DMatrix::zeros(self.rows.jacobian.nrows(), model.b.ncols());
        let by_inputs = self.held(&model.b.select_rows(velocities), &none);
        let mut b = model.b.clone();
        for (i, row) in velocities.iter().enumerate() {
            rates.set_row(*row, &of_velocities.row(i));
            b.set_row(*row, &by_inputs.row(i));
        }
        let mut all_rates = model.rates.clone();
        velocities.iter().zip(self.accelerations.iter()).for_each(|(i, a)| all_rates[*i] = *a);
        let reduced = LinearModel {
            a: rates.select_rows(&kept),
            b: b.select_rows(&kept),
            c: &model.c * &motion,
            rates: kept.iter().map(|i| all_rates[*i]).collect(),
            state_names: kept.iter().map(|i| model.state_names[*i].clone()).collect(),
            ..model.clone()
        };
        Ok(Reduction { model: reduced, kept, motion, along: way })
    }

    fn slides(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Point { sticks: false, .. }))
    }

    /// Accelerations with the forces that hold, by those without: `a + M^-1 H U c` with `G a = -unexpected`.
    fn held(&self, accelerations: &DMatrix<f64>, unexpected: &DMatrix<f64>) -> DMatrix<f64> {
        let across = self.range.tr_mul(&self.rows.jacobian);
        let change = &self.inverse * (-self.range.tr_mul(unexpected) - across * accelerations);
        accelerations + &self.response * change
    }

    /// Velocities that keep to the rows as positions move along columns; those that are kept stay.
    fn turned_velocities(
        &self,
        at: &mut ForcesAt,
        v: &DVector<f64>,
        along: &DMatrix<f64>,
        faster: &DMatrix<f64>,
        kept: &[usize],
    ) -> DMatrix<f64> {
        let mut turned = DMatrix::zeros(along.nrows(), along.ncols());
        if v.amax() <= MOVES {
            return turned;
        }
        let Some(Factored { inverse, .. }) = factored(&self.rows.jacobian) else { return turned };
        for k in 0..along.ncols() {
            let none = DVector::zeros(v.len());
            let off = turning(at, &self.state, &self.items, &along.column(k).into_owned(), &none, v);
            let change = -&inverse * off;
            let kept_part = faster * change.select_rows(kept);
            turned.set_column(k, &(change - kept_part));
        }
        turned
    }

    /// Change of accelerations by the forces that hold, as far as these stay as they are, for motion along `direction`
    /// with the change of velocities `change`.
    fn pushed(
        &self,
        at: &mut ForcesAt,
        v: &DVector<f64>,
        direction: &DVector<f64>,
        change: &DVector<f64>,
    ) -> Option<DVector<f64>> {
        let (constant, state) = (pushes(at, &self.items, &self.rows) * &self.forces, &self.state);
        let by_forces = accelerated(at, &as_column(&constant))?;
        let mut directions = Directions::new(at.diagram(), at.layout());
        let step = self.step(at, direction, change);
        let plants = at.layout().plants.len();
        let pushed = difference(step, |step| {
            directions.advance_along(at, &state.continuous, direction.as_slice(), step);
            let faster = v + change * step;
            at.layout().scatter_velocities(faster.as_slice(), &mut directions.continuous);
            let mut found = vec![0.0; v.len()];
            for p in 0..plants {
                let momentum = directions.momentum(at, p, by_forces.as_slice());
                found.iter_mut().zip(momentum).for_each(|(sum, momentum)| *sum -= momentum);
            }
            rows::evaluate(at, state.time, &directions.continuous);
            let all = rows::rows(at, &self.items);
            let force = pushes(at, &self.items, &all) * &self.forces;
            found.iter_mut().zip(force.iter()).for_each(|(sum, force)| *sum += force);
            found
        });
        rows::evaluate(at, state.time, &state.continuous);
        let pushed = accelerated(at, &DMatrix::from_column_slice(v.len(), 1, &pushed))?;
        Some(pushed.column(0).into_owned())
    }

    /// Step of a difference along a direction: short against turns, bodies and speeds of sliding.
    fn step(&self, at: &ForcesAt, direction: &DVector<f64>, change: &DVector<f64>) -> f64 {
        let plants = at.layout().plants.iter().map(|slot| at.layout().plant(at.diagram(), slot));
        let reaches = plants.flat_map(|plant| plant.reach().to_vec()).filter(|reach| *reach > 0.0);
        let least = reaches.fold(1.0, f64::min);
        let slowest =
            self.rows.points.iter().filter(|(item, ..)| matches!(self.items[*item], Item::Point { sticks: false, .. }));
        let slowest = slowest.fold(1.0, |least: f64, (_, _, point)| {
            least.min(point.start.slip0.norm().hypot(point.start.slip_tolerance))
        });
        let (way, faster) = (direction.amax(), change.amax());
        let of_way = if way > 0.0 { TURN.min(PART_OF_SIZE * least) / way } else { f64::INFINITY };
        let of_speed = if faster > 0.0 { PART_OF_SLIP * slowest / faster } else { f64::INFINITY };
        of_way.min(of_speed).min(1.0)
    }

    /// Change of `G v'` by the turning of the rows, for motion along `direction` with this change of velocities, where
    /// accelerations stay as they are.
    fn turned_rows(
        &self,
        at: &mut ForcesAt,
        v: &DVector<f64>,
        direction: &DVector<f64>,
        change: &DVector<f64>,
    ) -> DVector<f64> {
        let still = v.amax() <= MOVES;
        if still && self.accelerations.amax() <= MOVES {
            return DVector::zeros(self.rows.jacobian.nrows());
        }
        let mut directions = Directions::new(at.diagram(), at.layout());
        let step = TURN / direction.amax().max(change.amax()).max(1.0);
        let state = self.state.clone();
        let turned = difference(step, |step| {
            directions.advance_along(at, &state.continuous, direction.as_slice(), step);
            let faster = v + change * step;
            let mut moved = state.clone();
            moved.continuous.copy_from_slice(&directions.continuous);
            at.layout().scatter_velocities(faster.as_slice(), &mut moved.continuous);
            rows::evaluate(at, moved.time, &moved.continuous);
            turning(at, &moved, &self.items, &faster, &self.accelerations, &faster).as_slice().to_vec()
        });
        rows::evaluate(at, state.time, &state.continuous);
        DVector::from_vec(turned)
    }

    /// Motion of all plants that brings gaps to `gaps` of the held contact points, and closes rigid constraints, to
    /// first order.
    pub fn closing(&self, at: &ForcesAt, gaps: impl Fn(usize) -> f64) -> Option<DVector<f64>> {
        let mut off = DVector::zeros(self.rows.jacobian.nrows());
        let mut first = 0;
        for group in at.problem().constraints.rows.iter().filter(|g| g.compliance.is_none() && !g.acts_otherwise()) {
            for axis in 0..group.count {
                off[first + axis] = -group.violation[axis];
            }
            first += group.count;
        }
        for (number, (item, first, point)) in self.rows.points.iter().enumerate() {
            let opened = gaps(number) + point.depth;
            match self.items[*item] {
                Item::Point { sticks: true, .. } => off.rows_mut(*first, 3).copy_from(&(point.normal * opened)),
                _ => off[*first] = opened,
            }
        }
        Some(factored(&self.rows.jacobian)?.inverse * off)
    }

    /// Gaps of the held contact points, and those at which their laws have the forces that hold \[m\].
    pub fn gaps(&self) -> Vec<[f64; 2]> {
        let force = |&(item, first, ref point): &(usize, usize, kinegraph_convex::contact::ContactRow)| {
            let normal = match self.items[item] {
                Item::Point { sticks: true, .. } => point.normal.dot(&self.forces.fixed_rows::<3>(first)),
                _ => self.forces[first],
            };
            [-point.depth, -normal / point.material.stiffness]
        };
        self.rows.points.iter().map(force).collect()
    }
}
