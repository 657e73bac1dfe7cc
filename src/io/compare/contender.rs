//! Contenders of a comparison: integrators, each with an accuracy or a step.

use kinegraph_engine::integrators::{Build, IntegratorType, Options};

/// Combines each of the `methods` with each of the `accuracies`, or with each of the `steps` \[s\] if it has no error
/// control. All other options are those of `base`.
pub fn contenders(
    base: &Options,
    methods: &[&'static IntegratorType],
    accuracies: &[f64],
    steps: &[f64],
) -> Vec<Options> {
    let mut all = Vec::new();
    for &integrator in methods {
        match integrator.build {
            Build::Fixed(_) => {
                all.extend(steps.iter().map(|&step| Options { integrator, step: Some(step), ..*base }));
            }
            Build::Controlled(_) | Build::Either(_) => {
                let controlled = Options { integrator, step: None, initial_step: None, ..*base };
                all.extend(accuracies.iter().map(|&accuracy| Options { accuracy, ..controlled }));
            }
        }
    }
    all
}
