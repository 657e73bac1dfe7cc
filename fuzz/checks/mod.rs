//! Checks of the fuzz targets of snapshots, recordings, requests, overrides and expressions. The targets and the tests
//! (`tests/reliability/fuzz.rs`) share them: a check panics where the program answers wrongly.

pub mod expression;
pub mod overrides;
pub mod recording;
pub mod request;
pub mod snapshot;

/// The diagram that snapshots and overrides are for: a sampled controller with noise, a delay, and continuous states.
pub const DIAGRAM: &str = "kinegraph: 1
name: fuzzed
systems:
  wind: {type: noise, standard_deviation: 1, period: 0.01, seed: 7}
  mean: {type: moving_average, samples: 3, period: 0.02}
  lag: {type: first_order_lag, time_constant: 0.1}
  sum: {type: integrator, lower: -10, upper: 10}
connections: [wind.output -> mean.input, mean.output -> lag.input, lag.output -> sum.input]
simulation: {integrator: cenic, accuracy: 1e-3, duration: 0.1}
";
