//! Simulation of a diagram.

use crate::diagram::{self, Diagram};
use crate::options::Given;
use crate::recording::Recorder;
use crate::signals::Signals;
use crate::snapshot::PySnapshot;
use crate::states::{self, Place};
use crate::{convert, errors, failure};
use kinegraph::diagram::Diagram as Wired;
use kinegraph::integrators::{Options, Step};
use kinegraph::scenario::{Observed, Requirements};
use kinegraph::simulate::report::Statistics;
use kinegraph::simulate::{ObservedRunError, RunError, Sampler, Scenario, Simulation as Running, Status};
use kinegraph::verify::Verifier;
use numpy::{PyArray1, PyArray2};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;
use std::collections::HashMap;

/// A diagram at its initial state and the integrator that advances it.
#[pyclass(module = "kinegraph._kinegraph", subclass)]
pub struct Simulation {
    /// The run itself.
    pub running: Running,
    options: Options,
    /// Names of states that were read, with their places.
    places: HashMap<String, Place>,
    /// Paths of outputs that were read, with their indices.
    outputs: HashMap<String, Vec<usize>>,
}

/// Reason why a run stopped.
enum Stop {
    /// The run cannot go on.
    Run(RunError),
    /// A signal arrived, or a block raised.
    Raised(PyErr),
}

impl From<RunError> for Stop {
    fn from(error: RunError) -> Self {
        Stop::Run(error)
    }
}

impl Stop {
    fn exception(self, py: Python<'_>, time: f64) -> PyErr {
        match self {
            Stop::Run(error) => errors::run(py, error, time),
            Stop::Raised(error) => error,
        }
    }
}

/// Advances to `t`; signals are handled between steps.
fn advance(running: &mut Running, t: f64) -> Result<(), Stop> {
    drop(failure::take());
    running.check_steps(t)?;
    let mut signals = None;
    loop {
        // The first call fires the events of the start, even if the start is the end.
        let stepped = match running.time() < t || t.is_nan() {
            true => running.step(t).map(drop),
            false => running.advance_to(t),
        };
        if let Some(raised) = failure::take() {
            return Err(Stop::Raised(raised));
        }
        stepped?;
        if running.time() >= t {
            return Ok(());
        }
        signals.get_or_insert_with(Signals::new).check().map_err(Stop::Raised)?;
    }
}

/// Name of a kind of step, and the time it reached.
fn named(step: Step, time: f64) -> (&'static str, f64) {
    match step {
        Step::Event { .. } => ("event", time),
        _ => ("step", time),
    }
}

impl Simulation {
    fn wired(&self) -> &Wired {
        self.running.diagram()
    }

    fn place(&mut self, py: Python<'_>, name: &str) -> PyResult<&Place> {
        if !self.places.contains_key(name) {
            let place = states::find(self.wired(), name).map_err(|message| errors::name(py, message))?;
            self.places.insert(name.to_owned(), place);
        }
        Ok(&self.places[name])
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python<'_>, diagram: PyRef<'_, Diagram>, options: &Bound<'_, PyDict>) -> PyResult<Self> {
        let scenario = &diagram.scenario;
        let options = Given::new(options)?.over(py, scenario.options)?;
        let made = failure::guarded(|| Ok(Running::new(&scenario.diagram, options)))?;
        let running = made.map_err(|error| errors::wrong(py, error))?;
        let (places, outputs) = (HashMap::new(), HashMap::new());
        Ok(Simulation { running, options, places, outputs })
    }

    /// Time [s].
    #[getter]
    fn time(&self) -> f64 {
        self.running.time()
    }

    /// Name of the integrator.
    #[getter]
    fn integrator(&self) -> &'static str {
        self.options.integrator.name
    }

    /// Advances to time `t` [s].
    fn advance_to(&mut self, py: Python<'_>, t: f64) -> PyResult<()> {
        let running = &mut self.running;
        let advanced = py.detach(move || advance(running, t));
        advanced.map_err(|stop| stop.exception(py, self.running.time()))
    }

    /// Takes one step that ends no later than `limit` [s], and handles what happens at its end: ("step" or "event",
    /// the time reached).
    #[pyo3(signature = (limit=f64::INFINITY))]
    fn step(&mut self, py: Python<'_>, limit: f64) -> PyResult<(&'static str, f64)> {
        let running = &mut self.running;
        let stepped = failure::guarded(|| Ok(py.detach(move || running.step(limit))))?;
        let time = self.running.time();
        stepped.map(|step| named(step, time)).map_err(|error| errors::run(py, error, time))
    }

    /// Advances to `t` and samples: the names and units of the channels, times, rows, why it ended before `t`, and what
    /// became of the requirements, as the text of a JSON list.
    #[expect(clippy::type_complexity, reason = "what a recording is made of")]
    fn _run<'py>(
        &mut self,
        py: Python<'py>,
        diagram: PyRef<'_, Diagram>,
        t: f64,
        every: f64,
        events: bool,
        names: Option<Vec<String>>,
    ) -> PyResult<(Vec<(String, String)>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>, Option<PyErr>, String)>
    {
        let channels = diagram::channels(py, &diagram.scenario, names)?;
        let mut recorder = Recorder::new();
        drop(failure::take());
        self.running.sample_events(events);
        let (running, observer, wanted) = (&mut self.running, &mut recorder, &channels);
        let requirements = &diagram.scenario.requirements;
        let (run, raised, judged) = py.detach(move || {
            if requirements.is_empty() {
                return (running.advance_observing(t, every, wanted, observer), failure::take(), Vec::new());
            }
            let mut monitor = requirements.monitor(running.diagram());
            let mut observed = Observed::new(observer, &mut monitor);
            let run = running.advance_observing(t, every, wanted, &mut observed);
            let judged = monitor.report(running.time(), run.is_ok());
            (run, failure::take(), judged)
        });
        let judged = serde_json::to_string(&judged).map_err(|error| errors::wrong(py, error))?;
        let stopped = match (raised.or_else(|| recorder.take_raised()), run) {
            (Some(raised), _) => Some(raised),
            (None, Ok(())) => None,
            (None, Err(ObservedRunError::Run(error))) => Some(errors::run(py, error, self.running.time())),
            (None, Err(error)) => Some(errors::run(py, error, self.running.time())),
        };
        let (rows, width) = (recorder.times.len(), channels.len());
        let facts = channels.into_iter().map(|channel| (channel.name, channel.unit.into_owned())).collect();
        let times = PyArray1::from_vec(py, recorder.times);
        Ok((facts, times, convert::matrix(py, recorder.rows, rows, width)?, stopped, judged))
    }

    /// The comparison of a run to `t` from here with others, as the text of a JSON object. The simulation stays where
    /// it is.
    fn _verify(
        &self,
        py: Python<'_>,
        diagram: PyRef<'_, Diagram>,
        t: f64,
        every: f64,
        names: Option<Vec<String>>,
        within: f64,
    ) -> PyResult<String> {
        let channels = diagram::channels(py, &diagram.scenario, names)?;
        let (wired, options) = (self.running.diagram().clone(), self.options);
        let (pictures, requirements) = (Vec::new(), Requirements::default());
        let scenario = Scenario {
            diagram: wired,
            options,
            duration: t,
            every,
            events: false,
            channels,
            pictures,
            requirements,
            gradient: None,
            fit: None,
            trim: None,
        };
        let start = self.running.snapshot();
        let (verification, raised) = py.detach(move || {
            drop(failure::take());
            let begin = |options: Options| {
                let mut running = Running::new(&scenario.diagram, options).map_err(|error| error.to_string())?;
                running.restore_changed(&start).map_err(|error| error.to_string())?;
                Ok(running)
            };
            let (signals, signalled) = (RefCell::new(Signals::new()), RefCell::new(None));
            let interrupt = || {
                let raised = signals.borrow_mut().check().err()?;
                signalled.replace(Some(raised));
                Some("a signal".to_owned())
            };
            let verifier = Verifier { scenario: &scenario, begin: &begin, within, interrupt: &interrupt };
            let verification = verifier.verify(&Status::Done);
            (verification, failure::take().or_else(|| signalled.take()))
        });
        match raised {
            Some(raised) => Err(raised),
            None => serde_json::to_string(&verification).map_err(|error| errors::wrong(py, error)),
        }
    }

    /// The numbers of the state that `name` means: one, or an array.
    fn get_state<'py>(&mut self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.place(py, name)?;
        let (state, place) = (self.running.state(), &self.places[name]);
        let several = |values: &[f64], places: &[usize]| {
            let array = match places {
                [first, .., last] if last - first + 1 == places.len() => {
                    PyArray1::from_slice(py, &values[*first..=*last])
                }
                _ => PyArray1::from_vec(py, places.iter().map(|i| values[*i]).collect()),
            };
            array.into_bound_py_any(py)
        };
        match place {
            Place::One(i) => state.continuous[*i].into_bound_py_any(py),
            Place::OneDiscrete(i) => state.discrete[*i].into_bound_py_any(py),
            Place::Several(places) => several(&state.continuous, places),
            Place::SeveralDiscrete(places) => several(&state.discrete, places),
        }
    }

    /// Changes them. The integrator begins as it did at first, and its counts start at zero.
    fn set_state(&mut self, py: Python<'_>, name: &str, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let place = self.place(py, name)?.clone();
        let mut state = self.running.state().clone();
        let what = || format!("the state `{name}`");
        let (into, places) = match &place {
            Place::One(i) => (&mut state.continuous, std::slice::from_ref(i)),
            Place::OneDiscrete(i) => (&mut state.discrete, std::slice::from_ref(i)),
            Place::Several(places) => (&mut state.continuous, places.as_slice()),
            Place::SeveralDiscrete(places) => (&mut state.discrete, places.as_slice()),
        };
        for (i, value) in places.iter().zip(convert::numbers_of(values, places.len(), what)?) {
            into[*i] = value;
        }
        self.running.set_state(state).map_err(|error| errors::wrong(py, error))
    }

    /// The whole continuous state.
    #[getter]
    fn continuous<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        convert::array(py, &self.running.state().continuous)
    }

    #[setter]
    fn set_continuous(&mut self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.running.state().clone();
        state.continuous = convert::numbers_of(values, state.continuous.len(), || "the continuous state".into())?;
        self.running.set_state(state).map_err(|error| errors::wrong(values.py(), error))
    }

    /// The whole discrete state.
    #[getter]
    fn discrete<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        convert::array(py, &self.running.state().discrete)
    }

    #[setter]
    fn set_discrete(&mut self, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.running.state().clone();
        state.discrete = convert::numbers_of(values, state.discrete.len(), || "the discrete state".into())?;
        self.running.set_state(state).map_err(|error| errors::wrong(values.py(), error))
    }

    /// The numbers of an output now, or of a group of channels.
    fn output<'py>(&mut self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        if !self.outputs.contains_key(path) {
            let channels = self.wired().find_channels(path).map_err(|error| errors::name(py, error))?;
            self.outputs.insert(path.to_owned(), channels.iter().map(|channel| channel.index).collect());
        }
        let Simulation { running, outputs, .. } = self;
        let numbers = failure::guarded(|| {
            let arena = running.values();
            Ok(outputs[path].iter().map(|i| arena[*i]).collect())
        })?;
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// Mechanical energy of all plants [J]; `None` without a plant.
    #[getter]
    fn energy(&self) -> Option<f64> {
        self.running.energy()
    }

    /// Name of the condition of `stop_when` that ended the run; None if none did. `run` ends there, `step` and
    /// `advance_to` go on.
    #[getter]
    fn stopped_by(&self) -> Option<String> {
        self.running.stopped_by().map(str::to_owned)
    }

    /// The bodies that fell through what they were above in the initial positions, and fall freely now: which, through
    /// what, when, and why nothing held them.
    fn lost_bodies(&self) -> Vec<String> {
        self.running.lost_bodies().iter().map(ToString::to_string).collect()
    }

    /// Counts of the run so far, by the names of `kinegraph run --json`.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts = serde_json::to_string(&Statistics::from(self.running.statistics()));
        let text = counts.map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Time that steps took so far [s].
    #[getter]
    fn stepping_time(&self) -> f64 {
        self.running.stepping_time().as_secs_f64()
    }

    /// Goes on with another integrator, or with other options.
    fn _switch(&mut self, py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<()> {
        let options = Given::new(options)?.over(py, self.options)?;
        self.running.switch(options).map_err(|error| errors::wrong(py, error))?;
        self.options = options;
        Ok(())
    }

    /// All that is needed to go on from here later, bit for bit.
    fn snapshot(&self) -> PySnapshot {
        PySnapshot(self.running.snapshot())
    }

    /// Restores the state and the time of `snapshot`.
    fn restore(&mut self, py: Python<'_>, snapshot: PyRef<'_, PySnapshot>) -> PyResult<()> {
        self.running.restore(&snapshot.0).map_err(|error| errors::snapshot(py, error))
    }

    /// Restores the state and the time of `snapshot` in a diagram that was changed since; its states must be those of
    /// the snapshot. Returns the differences.
    fn restore_changed(&mut self, py: Python<'_>, snapshot: PyRef<'_, PySnapshot>) -> PyResult<Vec<String>> {
        self.running.restore_changed(&snapshot.0).map_err(|error| errors::snapshot(py, error))
    }

    /// The contact points of the last step, all plants: plant, two bodies, point, normal, force, slip velocity,
    /// separation speed, depth.
    #[expect(clippy::type_complexity, reason = "the fields of a tuple of Python")]
    fn _contacts(&self) -> Vec<(String, String, String, [f64; 3], [f64; 3], [f64; 3], [f64; 3], f64, f64)> {
        let mut all = Vec::new();
        for (block, _) in self.wired().plants() {
            let Ok(results) = self.running.contact_results(&block.name) else { continue };
            all.extend(results.contacts.iter().map(|contact| {
                let (a, b) = results.names(contact);
                let (plant, a, b) = (block.name.clone(), a.to_owned(), b.to_owned());
                let (speed, depth) = (contact.separation_speed, contact.depth);
                (plant, a, b, contact.p_WC, contact.normal, contact.force, contact.slip_velocity, speed, depth)
            }));
        }
        all
    }

    /// The poses of all bodies now: plant, body, origin [m], unit quaternion (w, x, y, z).
    fn _poses(&self) -> Vec<(String, String, [f64; 3], [f64; 4])> {
        let mut sampler = Sampler::new(self.wired(), &[]);
        let mut sample = sampler.sample(self.running.state(), &[]);
        let mut all = Vec::new();
        for (i, (block, plant)) in self.wired().plants().enumerate() {
            for (body, pose) in plant.structure().bodies.iter().zip(sample.poses(i)) {
                all.push((block.name.clone(), body.name.clone(), pose.xyz, pose.quat));
            }
        }
        all
    }

    /// A copy that goes on as the original does.
    fn _copy_from(&mut self, other: PyRef<'_, Simulation>) {
        self.running = other.running.clone();
        self.options = other.options;
    }
}
