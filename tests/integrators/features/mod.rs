//! Every feature of diagrams under every method: a small diagram for each line of the table [`FEATURES`], whose motion
//! is known in closed form.
//!
//! Methods of fixed step take 1 ms, or [`SHORT_STEP`] where they have to follow fast motion; the others have an
//! accuracy of 1e-5, and methods for differential equations one of 1e-6 of the whole state, since an error of a
//! velocity in an impact affects the position long after. Tolerances are those of a method of first order. If the table
//! says that a step is refused, the refusal must name the rigid element, the longest step, and the alternatives.

mod constraints;
mod contact;
mod joints;
mod many;
mod plants;
mod running;
mod signals;

use kinegraph::diagram::Diagram;
use kinegraph::integrators::{
    Build, ErrorWeights, FEATURES, Family, IntegratorError, IntegratorType, METHODS, Options, StepFailure, Support,
    method,
};
use kinegraph::simulate::{RunError, Simulation};

/// A step that follows fast motion \[s\].
const SHORT_STEP: f64 = 5e-5;

/// A feature as a diagram, with its expected behaviour.
#[derive(Clone, Copy)]
pub struct Case {
    /// The name in the table.
    pub feature: &'static str,
    /// The diagram.
    pub diagram: fn() -> Diagram,
    /// Runs it, and records found and expected values.
    pub check: fn(&mut Simulation, &mut Findings) -> Result<(), RunError>,
}

/// Contact law of the method of a run.
fn family(simulation: &Simulation) -> Family {
    method(simulation.integrator().name()).expect("a method of the table").family
}

/// Found and expected values.
#[derive(Default)]
pub struct Findings(Vec<(String, f64, f64, f64)>);

impl Findings {
    /// Records that `found` must be within `tolerance` of `expected`.
    pub fn near(&mut self, what: impl Into<String>, found: f64, expected: f64, tolerance: f64) {
        self.0.push((what.into(), found, expected, tolerance));
    }

    /// Records a condition that must hold.
    pub fn holds(&mut self, what: impl Into<String>, holds: bool) {
        self.near(what, f64::from(u8::from(holds)), 1.0, 0.0);
    }

    /// Differences from the expected values.
    pub fn faults(&self) -> Vec<String> {
        let wrong = |(_, found, expected, tolerance): &&(String, f64, f64, f64)| {
            let off = (found - expected).abs();
            off.is_nan() || off > *tolerance
        };
        let reported = |(what, found, expected, tolerance): &(String, f64, f64, f64)| {
            format!("{what}: {found}, not {expected} within {tolerance:e}")
        };
        self.0.iter().filter(wrong).map(reported).collect()
    }
}

/// Value of a channel, which must exist.
pub fn value(simulation: &mut Simulation, channel: &str) -> f64 {
    simulation.channel(channel).unwrap_or_else(|error| panic!("{error}"))
}

fn run(case: &Case, options: Options) -> Result<Findings, RunError> {
    let mut simulation = Simulation::new(&(case.diagram)(), options).unwrap();
    let mut findings = Findings::default();
    (case.check)(&mut simulation, &mut findings)?;
    Ok(findings)
}

/// Options of `method` for a feature with this support.
fn options(method: &'static IntegratorType, takes: Support) -> Options {
    let follows = method.family == Family::EXPLICIT && takes != Support::Fully;
    let step = if follows { SHORT_STEP } else { 1e-3 };
    match method.build {
        Build::Fixed(_) => Options { step: Some(step), ..Options::of(method) },
        Build::Controlled(_) => Options { accuracy: 1e-5, ..Options::of(method) },
        Build::Either(_) => Options { accuracy: 1e-6, error_weights: ErrorWeights::STATE, ..Options::of(method) },
    }
}

/// Checks that steps of 10 ms are refused as they should be.
fn refusal(case: &Case, method: &'static IntegratorType) -> Result<(), String> {
    let options = Options { step: Some(1e-2), ..Options::of(method) };
    match run(case, options) {
        Ok(_) => Err("steps of 10 ms are not refused".into()),
        Err(error) => match &error {
            RunError::Integrator(IntegratorError::FixedStepFailed {
                failure: StepFailure::TooStiff { what, longest, .. },
                ..
            }) => {
                let text = error.to_string();
                let says = text.contains(what.as_str()) && text.contains(&format!("{longest:.3e}"));
                let instead = text.contains("Take shorter steps") && text.contains("`cenic`");
                if says && instead { Ok(()) } else { Err(text) }
            }
            other => Err(other.to_string()),
        },
    }
}

/// Runs a case by every method, and reports all faults together.
fn check(case: &Case) {
    let feature = FEATURES.iter().find(|feature| feature.name == case.feature).expect("a line of the table");
    let mut faults = Vec::new();
    for method in METHODS {
        let takes = feature.support_by(method);
        let start = std::time::Instant::now();
        match run(case, options(method, takes)) {
            Ok(findings) => faults.extend(findings.faults().iter().map(|fault| format!("{}: {fault}", method.name))),
            Err(error) => faults.push(format!("{}: {error}", method.name)),
        }
        println!("{}: {:.3} s", method.name, start.elapsed().as_secs_f64());
        let can_be_refused = !matches!(method.build, Build::Controlled(_));
        if takes == Support::ShortSpring
            && can_be_refused
            && let Err(fault) = refusal(case, method)
        {
            faults.push(format!("{}: {fault}", method.name));
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", case.feature, faults.join("\n"));
}

/// Enrols cases, in the order of the table: a test for each, and the list of them.
macro_rules! features {
    ($($module:ident::$case:ident => $name:ident;)*) => {
        const CASES: &[Case] = &[$($module::$case),*];
        $(
            #[test]
            fn $name() {
                check(&$module::$case);
            }
        )*
    };
}

features! {
    signals::SAMPLED => sampled_controllers;
    signals::DELAYS => delays;
    signals::JUMPS => jumps_of_sources;
    signals::RESETS => events_that_reset_states;
    signals::RELAYS => relays_and_counters;
    signals::LOOPS => algebraic_loops;
    signals::NESTED => diagrams_in_diagrams;
    signals::PLAIN => blocks_without_derivatives;
    plants::FREE => free_motion;
    plants::SEVERAL => several_plants;
    plants::EXTERNAL_STATE => controllers_with_a_state_of_their_own;
    plants::SAMPLED => sampled_control_of_a_plant;
    plants::EVENTS => events_of_a_plant;
    plants::EFFORTS => effort_limits;
    plants::STIFF => stiff_control;
    joints::SPRINGS => springs_and_dampers_of_joints;
    joints::FRICTION => dry_friction_of_joints;
    contact::REST => contact;
    contact::FRICTION => friction;
    contact::GRAIN => friction_that_depends_on_the_direction;
    contact::IMPACTS => impacts;
    contact::BELTS => belts;
    many::MANY => contact_in_many_points;
    many::MINIMA => contact_in_local_minima;
    many::VOLUME => contact_by_volume;
    many::FIBRES => fibres;
    contact::SUCTION => suction;
    joints::STOPS => joint_stops;
    joints::RESTITUTION => stops_with_restitution;
    joints::SOFT_STOPS => compliant_stops;
    joints::LOCKED => locked_joints;
    joints::LOCKS => locks_switched_in_motion;
    constraints::WELDS => welds;
    constraints::CLOSED => ball_constraints_and_closed_loops;
    constraints::DISTANCES => distances;
    constraints::COUPLERS => couplers_and_mimic_joints;
    constraints::SOFT => compliant_constraints;
    constraints::GRIPS => constraints_that_grip_on_a_signal;
    running::IMU => inertial_measurement_units;
    running::RECORDS => records_and_samples;
    running::SNAPSHOTS => snapshots_and_copies;
    running::SWITCHED => another_method_in_the_middle_of_a_run;
}

#[test]
fn every_feature_of_the_table_has_a_case() {
    let enrolled: Vec<&str> = CASES.iter().map(|case| case.feature).collect();
    let listed: Vec<&str> = FEATURES.iter().map(|feature| feature.name).collect();
    assert_eq!(enrolled, listed);
}
