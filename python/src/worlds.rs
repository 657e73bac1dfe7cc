//! Many worlds of one diagram.

use crate::diagram::Diagram;
use crate::options::Given;
use crate::{convert, errors, failure};
use kinegraph::diagram::Channel;
use kinegraph::simulate::{InputHandle, Plan, Worlds as Many, open_inputs};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Maximum time until a signal is handled.
const SIGNAL_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// `n` worlds of one diagram, each with its own state, advanced on all cores.
#[pyclass(module = "kinegraph._kinegraph", subclass)]
pub struct Worlds {
    worlds: Many,
    inputs: Vec<InputHandle>,
    outputs: HashMap<String, Vec<Channel>>,
    pool: ThreadPool,
}

impl Worlds {
    /// Advances in the pool, while this thread waits for the end or for a signal.
    fn advance_by(&mut self, py: Python<'_>, advance: impl FnOnce(&mut Many) -> usize + Send) -> PyResult<usize> {
        let Worlds { worlds, pool, .. } = self;
        let stop = worlds.stop_flag();
        py.detach(|| {
            let (done, wait) = channel();
            pool.in_place_scope(move |scope| {
                scope.spawn(move |_| {
                    drop(failure::take());
                    let faults = advance(worlds);
                    // After a signal the receiver is gone.
                    let _ = done.send(failure::take().map_or(Ok(faults), Err));
                });
                loop {
                    match wait.recv_timeout(SIGNAL_CHECK_INTERVAL) {
                        Ok(result) => return result,
                        Err(RecvTimeoutError::Disconnected) => {
                            return Err(PyValueError::new_err("the worlds were not returned"));
                        }
                        Err(RecvTimeoutError::Timeout) => {
                            Python::attach(|py| py.check_signals()).inspect_err(|_| {
                                stop.store(true, Ordering::Relaxed);
                            })?
                        }
                    }
                }
            })
        })
    }

    fn handle(&self, py: Python<'_>, path: &str) -> PyResult<&InputHandle> {
        let names = || self.inputs.iter().map(|input| input.path.as_str()).collect::<Vec<_>>().join(", ");
        let found = self.inputs.iter().find(|input| input.path == path);
        found.ok_or_else(|| errors::name(py, format!("`{path}` is no input of the worlds; inputs are {}", names())))
    }

    fn check(&self, mask: &[bool]) -> PyResult<()> {
        if mask.len() == self.worlds.len() {
            return Ok(());
        }
        let (n, given) = (self.worlds.len(), mask.len());
        Err(PyValueError::new_err(format!("a mask has one value a world: {n}, not {given}")))
    }
}

#[pymethods]
impl Worlds {
    #[new]
    fn new(
        py: Python<'_>,
        diagram: PyRef<'_, Diagram>,
        n: usize,
        inputs: Vec<String>,
        seed: Option<u64>,
        threads: Option<usize>,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let scenario = &diagram.scenario;
        let options = Given::new(options)?.over(py, scenario.options)?;
        let opened = failure::guarded(|| Ok(open_inputs(&scenario.diagram, &inputs)))?;
        let opened = opened.map_err(|error| errors::wrong(py, error))?;
        let plan = failure::guarded(|| Ok(Plan::new(&opened.diagram, options)))?;
        let mut worlds = Many::new(&Arc::new(plan.map_err(|error| errors::wrong(py, error))?), n);
        if let Some(seed) = seed {
            for i in 0..n {
                let state = opened.diagram.seeded(opened.diagram.initial_state(), seed.wrapping_add(i as u64));
                worlds.start_at(i, state).map_err(|error| errors::wrong(py, error))?;
            }
        }
        // Blocks of Python run one at a time in any case, and their exceptions are taken from the thread they ran on.
        let threads = if diagram.has_objects { 1 } else { threads.unwrap_or(0) };
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Worlds { worlds, inputs: opened.inputs, outputs: HashMap::new(), pool })
    }

    fn __len__(&self) -> usize {
        self.worlds.len()
    }

    /// Times of the worlds [s].
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.worlds.times())
    }

    /// Inputs that are set from outside, with their widths.
    #[getter]
    fn inputs(&self) -> Vec<(String, usize)> {
        self.inputs.iter().map(|input| (input.path.clone(), input.width)).collect()
    }

    /// Names of the continuous states, in the order of the columns of `states`.
    #[getter]
    fn state_names(&self) -> Vec<String> {
        self.worlds.diagram().state_names()
    }

    /// The continuous states, one row a world.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (rows, width) = (self.worlds.len(), self.worlds.diagram().state_width());
        let mut values = vec![0.0; rows * width];
        self.worlds.read_states(&mut values).map_err(|error| errors::wrong(py, error))?;
        convert::matrix(py, values, rows, width)
    }

    /// Advances every world by `dt` [s]; how many stand still at a fault.
    fn advance(&mut self, py: Python<'_>, dt: f64) -> PyResult<usize> {
        self.advance_by(py, |worlds| worlds.advance(dt))
    }

    /// Advances every world to time `t` [s]; how many stand still at a fault.
    fn advance_to(&mut self, py: Python<'_>, t: f64) -> PyResult<usize> {
        self.advance_by(py, |worlds| worlds.advance_to(t))
    }

    /// Why worlds stand still, by their numbers.
    #[getter]
    fn faults(&self) -> HashMap<usize, String> {
        self.worlds.faults().map(|(i, fault)| (i, fault.to_string())).collect()
    }

    /// Resets the worlds where `mask` is true to where they started.
    fn _reset(&mut self, py: Python<'_>, mask: Vec<bool>) -> PyResult<()> {
        self.worlds.reset(&mask).map_err(|error| errors::wrong(py, error))
    }

    /// Puts the worlds where `mask` is true at states, rows of `states`, where resets take them from now on.
    fn _start(&mut self, py: Python<'_>, states: &Bound<'_, PyAny>, mask: Vec<bool>) -> PyResult<()> {
        self.check(&mask)?;
        let width = self.worlds.diagram().state_width();
        let states = convert::numbers_of(states, mask.len() * width, || "the states of all worlds together".into())?;
        // The seeds of the worlds are kept: they are part of the initial discrete state.
        self.worlds.reset(&mask).map_err(|error| errors::wrong(py, error))?;
        for (i, row) in states.chunks_exact(width.max(1)).enumerate().filter(|(i, _)| mask[*i]) {
            let mut state = self.worlds.state(i).map_err(|error| errors::wrong(py, error))?.clone();
            state.continuous.copy_from_slice(row);
            self.worlds.start_at(i, state).map_err(|error| errors::wrong(py, error))?;
        }
        Ok(())
    }

    /// Sets an input of all worlds: one row a world.
    fn set_input(&mut self, py: Python<'_>, path: &str, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let handle = self.handle(py, path)?.clone();
        let width = self.worlds.len() * handle.width;
        let values = convert::numbers_of(values, width, || format!("the input `{path}` of all worlds together"))?;
        failure::guarded(|| self.worlds.set_input(&handle, &values).map_err(|error| errors::wrong(py, error)))
    }

    /// The values of an output, or of a group of channels: one row a world.
    fn read<'py>(&mut self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyArray2<f64>>> {
        if !self.outputs.contains_key(path) {
            let channels = self.worlds.diagram().find_channels(path).map_err(|error| errors::name(py, error))?;
            self.outputs.insert(path.to_owned(), channels);
        }
        let channels = &self.outputs[path];
        let (rows, width) = (self.worlds.len(), channels.len());
        let mut values = vec![0.0; rows * width];
        let read = failure::guarded(|| Ok(self.worlds.read(channels, &mut values)))?;
        read.map_err(|error| errors::wrong(py, error))?;
        convert::matrix(py, values, rows, width)
    }
}
