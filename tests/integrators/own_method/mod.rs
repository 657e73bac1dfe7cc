//! A method of a program's own is known to files, the command line and snapshots once its catalog has it.

mod explicit_midpoint;

use kinegraph::files::{Catalog, CatalogError};
use kinegraph::scenario::Scenario;
use std::path::Path;

fn catalog() -> Catalog {
    Catalog::standard().with_integrator(&explicit_midpoint::TYPE).expect("a name of its own")
}

/// `x' = -x` from 1 over a second.
fn decay(step: f64, integrator: &str) -> Result<f64, String> {
    let text = format!(
        "kinegraph: 1\nsystems:\n  x: {{type: integrator, initial: 1}}\n  k: {{type: gain, gain: -1}}\n\
         connections: [x.output -> k.input, k.output -> x.input]\n\
         simulation: {{integrator: {integrator}, step: {step}, duration: 1}}\n"
    );
    let loaded = catalog().load_str(Path::new("decay.yaml"), &text, &[]).map_err(|error| error.to_string())?;
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed().to_string())?;
    let mut simulation = scenario.simulation().map_err(|error| error.to_string())?;
    simulation.advance_to(1.0).map_err(|error| error.to_string())?;
    simulation.channel("x.output").map_err(|error| error.to_string())
}

#[test]
fn a_file_can_name_an_own_method_and_its_order_is_two() {
    let error = |step| (decay(step, "explicit-midpoint").unwrap() - (-1.0_f64).exp()).abs();
    let [coarse, fine] = [0.02, 0.01].map(error);
    assert!(coarse < 1e-4 && (coarse / fine - 4.0).abs() < 0.2, "{coarse:e}, {fine:e}");
}

#[test]
fn a_name_that_is_not_in_the_catalog_is_reported_with_the_nearest() {
    let fault = decay(0.01, "explicit-midpint").unwrap_err();
    assert!(fault.contains("did you mean `explicit-midpoint`?"), "{fault}");
}

#[test]
fn two_integrators_have_two_names() {
    let again = catalog().with_integrator(&explicit_midpoint::TYPE).unwrap_err();
    assert_eq!(again, CatalogError::DuplicateIntegrator { name: "explicit-midpoint" });
}
