//! Composition of a period from events and from flows between them.
//!
//! All numbers are linear functions of the state at the start of the period and of the input over it: the rows of one
//! matrix. An event replaces rows, a flow multiplies them by a matrix exponential. A delay of a signal that changes at
//! events only is exact: what enters it after an event leaves it at an instant of its own, and waits in a queue
//! meanwhile.

use super::super::delays::DelayedModel;
use super::super::{LinearModel, fault::LinearizeFault};
use super::{Kind, SampledModel};
use crate::choices::sampled::{MAX_INSTANTS, MAX_QUEUED, WHOLE};
use kinegraph_core::{Sampling, memory};
use nalgebra::DMatrix;

/// A model in which every rate of a held number is its change by an event, and the period.
pub(super) struct Lifting {
    model: LinearModel,
    kinds: Vec<Kind>,
    period: f64,
    /// Instants within the period \[s\], increasing from zero on.
    instants: Vec<f64>,
    queues: Vec<Queue>,
    pade_order: Option<usize>,
}

/// Values of a delayed signal on their way: those that entered at one instant of each period, the latest first.
#[derive(Clone, Copy, Debug)]
struct Queue {
    /// Index of the delayed signal in the state.
    signal: usize,
    /// Index of the instant at which values enter, and of that at which they leave.
    enters: usize,
    leaves: usize,
    /// First number, and count.
    first: usize,
    length: usize,
}

impl Lifting {
    pub fn new(
        model: LinearModel,
        delays: &[Option<f64>],
        held: &[Option<Sampling>],
        period: f64,
        order: usize,
    ) -> Self {
        let exact = changes_at_events(&model, delays, held);
        let ticks: Vec<Sampling> = held.iter().copied().flatten().collect();
        let late: Vec<f64> = (0..delays.len()).filter(|&i| exact[i]).filter_map(|i| delays[i]).collect();
        let instants = instants(&ticks, &late, period);
        let exact = if instants.is_some() { exact } else { vec![false; exact.len()] };
        let instants = instants.or_else(|| self::instants(&ticks, &[], period)).unwrap_or_else(|| vec![0.0]);
        let rational: Vec<Option<f64>> =
            delays.iter().zip(&exact).map(|(delay, exact)| delay.filter(|_| !exact)).collect();
        let pade_order = rational.iter().any(Option::is_some).then_some(order);
        let delayed = DelayedModel { model, delays: rational };
        let places = delayed.places(order);
        let model = delayed.with_pade(order);
        let mut kinds = vec![Kind::Flows; model.a.nrows()];
        for (i, place) in places.into_iter().enumerate() {
            match (held[i], delays[i]) {
                (Some(sampling), _) => kinds[place] = Kind::Held(sampling),
                (None, Some(delay)) if exact[i] => kinds[place] = Kind::Late(delay),
                _ => {}
            }
        }
        let mut lifting = Lifting { model, kinds, period, instants, queues: Vec::new(), pade_order };
        lifting.queues = lifting.make_queues();
        lifting
    }

    fn make_queues(&self) -> Vec<Queue> {
        let mut queues = Vec::new();
        let mut first = self.kinds.len();
        for (signal, kind) in self.kinds.iter().enumerate() {
            let Kind::Late(delay) = kind else { continue };
            for (enters, instant) in self.instants.iter().enumerate() {
                let (periods, phase) = phase(instant + delay, self.period);
                let leaves = nearest(&self.instants, phase, self.period);
                // At an instant values leave before others enter.
                let later = usize::from(leaves > enters);
                let length = (periods as usize + later).max(1);
                queues.push(Queue { signal, enters, leaves, first, length });
                first += length;
            }
        }
        queues
    }

    /// The model over one period.
    pub fn composed(&self) -> Result<SampledModel, LinearizeFault> {
        let Lifting { model, instants, queues, period, .. } = self;
        let own = self.kinds.len();
        let size = own + queues.iter().map(|queue| queue.length).sum::<usize>();
        let inputs = model.b.ncols();
        let queued = size - own;
        if queued > MAX_QUEUED {
            return Err(LinearizeFault::TooManyInstants { period: *period, instants: queued as f64 });
        }
        let bytes = 8 * (6 * (size + inputs) * (size + inputs)) as u64;
        memory::ask(|| format!("the model of a period, of {size} states"), bytes)?;
        // Rows: the states, then the input.
        let mut all = DMatrix::<f64>::identity(size + inputs, size + inputs);
        let rates = self.rates(own, inputs);
        let mut flows: Vec<(f64, DMatrix<f64>)> = Vec::new();
        let mut outputs = None;
        for (i, &instant) in instants.iter().enumerate() {
            self.fire(i, instant, own, &mut all);
            if i == 0 {
                outputs = Some(self.outputs(&all));
            }
            let end = instants.get(i + 1).copied().unwrap_or(*period);
            let length = end - instant;
            let known = flows.iter().find(|(known, _)| (known - length).abs() <= WHOLE * length);
            let flow = match known {
                Some((_, flow)) => flow.clone(),
                None => {
                    let flow = (&rates * length).exp();
                    flows.push((length, flow.clone()));
                    flow
                }
            };
            let mut moved = DMatrix::zeros(own + inputs, size + inputs);
            moved.rows_mut(0, own).copy_from(&all.rows(0, own));
            moved.rows_mut(own, inputs).copy_from(&all.rows(size, inputs));
            all.rows_mut(0, own).copy_from(&(flow.rows(0, own) * moved));
        }
        let outputs = outputs.unwrap_or_else(|| self.outputs(&all));
        let mut names = model.state_names.clone();
        for queue in queues {
            let name = &model.state_names[queue.signal];
            names.extend((0..queue.length).map(|k| format!("{name}.late{}[{k}]", queue.enters)));
        }
        let mut start_rates = model.rates.clone();
        for (rate, kind) in start_rates.iter_mut().zip(&self.kinds) {
            if matches!(kind, Kind::Late(_)) {
                *rate = 0.0;
            }
        }
        start_rates.resize(size, 0.0);
        let composed = LinearModel {
            a: all.view((0, 0), (size, size)).into_owned(),
            b: all.view((0, size), (size, inputs)).into_owned(),
            c: outputs.columns(0, size).into_owned(),
            d: outputs.columns(size, inputs).into_owned(),
            rates: start_rates,
            state_names: names,
            period: Some(*period),
            ..model.clone()
        };
        composed.check_finite()?;
        Ok(SampledModel { model: composed, pade_order: self.pade_order })
    }

    /// Rates of the own states and of the input between events, by both.
    fn rates(&self, own: usize, inputs: usize) -> DMatrix<f64> {
        let mut rates = DMatrix::zeros(own + inputs, own + inputs);
        for i in (0..own).filter(|&i| self.kinds[i] == Kind::Flows) {
            rates.view_mut((i, 0), (1, own)).copy_from(&self.model.a.row(i));
            rates.view_mut((i, own), (1, inputs)).copy_from(&self.model.b.row(i));
        }
        rates
    }

    /// The events of instant `i`: updates read the values just before; then late signals arrive, and what goes into
    /// delays enters.
    fn fire(&self, i: usize, instant: f64, own: usize, all: &mut DMatrix<f64>) {
        let row_of = |row: usize, all: &DMatrix<f64>| {
            let (columns, inputs) = (all.ncols(), self.model.b.ncols());
            let size = columns - inputs;
            self.model.a.row(row) * all.rows(0, own) + self.model.b.row(row) * all.rows(size, inputs)
        };
        // All read what was just before.
        let mut changed = Vec::new();
        for (row, kind) in self.kinds.iter().enumerate() {
            if let Kind::Held(sampling) = kind
                && fires(sampling, instant)
            {
                // The rate of a held number is its change.
                changed.push((row, row_of(row, all) + all.row(row)));
            }
        }
        for queue in self.queues.iter().filter(|queue| queue.leaves == i) {
            changed.push((queue.signal, all.row(queue.first + queue.length - 1).into_owned()));
        }
        changed.iter().for_each(|(row, now)| all.row_mut(*row).copy_from(now));
        for queue in self.queues.iter().filter(|queue| queue.enters == i) {
            for k in (1..queue.length).rev() {
                let earlier = all.row(queue.first + k - 1).into_owned();
                all.row_mut(queue.first + k).copy_from(&earlier);
            }
            let entering = row_of(queue.signal, all);
            all.row_mut(queue.first).copy_from(&entering);
        }
    }

    fn outputs(&self, all: &DMatrix<f64>) -> DMatrix<f64> {
        let (own, inputs) = (self.kinds.len(), self.model.b.ncols());
        &self.model.c * all.rows(0, own) + &self.model.d * all.rows(all.nrows() - inputs, inputs)
    }
}

/// For each state, true if it stands for a delayed signal that changes at events only: it depends on held numbers, on
/// inputs and on other such signals.
fn changes_at_events(model: &LinearModel, delays: &[Option<f64>], held: &[Option<Sampling>]) -> Vec<bool> {
    let mut exact: Vec<bool> = delays.iter().map(Option::is_some).collect();
    loop {
        let depends = |i: usize| (0..delays.len()).any(|j| model.a[(i, j)] != 0.0 && held[j].is_none() && !exact[j]);
        let Some(flows) = (0..delays.len()).find(|&i| exact[i] && depends(i)) else { return exact };
        exact[flows] = false;
    }
}

/// Whole periods in `time` \[s\], and the rest.
fn phase(time: f64, period: f64) -> (f64, f64) {
    let periods = (time / period + WHOLE).floor();
    let rest = time - periods * period;
    (periods, if rest <= WHOLE * period { 0.0 } else { rest })
}

/// True if an event of `sampling` is at `instant`, once all have begun.
fn fires(sampling: &Sampling, instant: f64) -> bool {
    let periods = (instant - sampling.offset) / sampling.period;
    (periods - periods.round()).abs() <= WHOLE * (1.0 + periods.abs())
}

/// All instants of a period at which something changes; `None`: too many.
fn instants(ticks: &[Sampling], late: &[f64], period: f64) -> Option<Vec<f64>> {
    let mut found: Vec<f64> = vec![0.0];
    let add = |found: &mut Vec<f64>, time: f64| {
        let (_, time) = phase(time, period);
        let at = found.partition_point(|known| *known < time - WHOLE * period);
        let is_new = found.get(at).is_none_or(|known| *known > time + WHOLE * period);
        if is_new {
            found.insert(at, time);
        }
        is_new
    };
    for tick in ticks {
        let (_, first) = phase(tick.offset, tick.period);
        let count = (period / tick.period).round() as usize;
        (0..count).for_each(|k| {
            add(&mut found, first + k as f64 * tick.period);
        });
    }
    // What changes at one instant arrives behind a delay at another.
    let mut new = found.clone();
    while let Some(instant) = new.pop() {
        for delay in late {
            let arrives = phase(instant + delay, period).1;
            if add(&mut found, arrives) {
                new.push(arrives);
            }
            if found.len() > MAX_INSTANTS {
                return None;
            }
        }
    }
    (found.len() <= MAX_INSTANTS).then_some(found)
}

/// Index of the instant nearest to `time` within a period.
fn nearest(instants: &[f64], time: f64, period: f64) -> usize {
    let away = |i: usize| {
        let apart = (instants[i] - time).abs();
        apart.min(period - apart)
    };
    (0..instants.len()).min_by(|&i, &j| away(i).total_cmp(&away(j))).unwrap_or(0)
}
