//! Numbers of the step that are choices: all in one list. `tests/files/numbers.rs` compares the list with decisions.

use super::files;
use super::scan::constant;
use std::collections::BTreeSet;

/// Where the integrators stand.
const FOLDER: &str = "src/engine/integrators";

const ROUNDING: &str = "a guard against rounding";
const METHOD: &str = "a coefficient or a property of a published method";
const OPTION: &str = "what an option is by default";
const LIMIT: &str = "what is refused";
const KINK: &str = "how exactly a step ends at a kink";
const OTHERS: &str = "of methods that are no convex step with error control";

/// Constants of the integrators that stand outside the list, and why.
const EXEMPT: &[(&str, &str, &str)] = &[
    ("cenic/free_motion.rs", "STABLE", METHOD),
    ("cenic/free_motion.rs", "ROUNDING", ROUNDING),
    ("contact/clearance.rs", "ROUNDED_UP", ROUNDING),
    ("contact/improve.rs", "LIMIT_ROUNDING", ROUNDING),
    ("contact/kinks.rs", "OVERSHOOT", KINK),
    ("contact/kinks.rs", "PASSED_RATIO", KINK),
    ("contact/kinks.rs", "RATE_INTERVAL", "of a difference in place of a derivative"),
    ("contact/manifold/mod.rs", "AT_REST", ROUNDING),
    ("contact/manifold/mod.rs", "NO_FORCE", ROUNDING),
    ("contact/manifold/mod.rs", "REDUNDANT", ROUNDING),
    ("contact/manifold/system.rs", "PRESSES", ROUNDING),
    ("cenic/rules/oscillation.rs", "ROUNDED_DOWN", ROUNDING),
    ("contact/resolved.rs", "ROUNDING", ROUNDING),
    ("contact/strikes.rs", "BEYOND_STOP", KINK),
    ("contact/strikes.rs", "HELD_RATIO", KINK),
    ("contact/strikes.rs", "PART_OF_STABILITY", "of the stability of explicit methods"),
    ("contact/strikes.rs", "PART_OF_WAY", KINK),
    ("contact/turning.rs", "DIFFERENCE_STEP_RATIO", "of a difference in place of a derivative"),
    ("dense.rs", "MIDDLE_ERROR_RATIO", "of recordings within a step"),
    ("dense.rs", "RATE_ERRORS", "of recordings within a step"),
    ("divergence.rs", "MAX_RATE_RATIO", ROUNDING),
    ("divergence.rs", "ROUNDING", ROUNDING),
    ("divergence.rs", "MIN_SIZE_RATIO", ROUNDING),
    ("fault.rs", "MAX_MATRIX_BYTES", LIMIT),
    ("fixed_step.rs", "MIN_STEP_RATIO", OTHERS),
    ("fixed_step.rs", "TOLERANCE", OTHERS),
    ("implicit/jacobian.rs", "CHANGE", ROUNDING),
    ("implicit/newton.rs", "CHANGE_TOLERANCE", OTHERS),
    ("implicit/newton.rs", "MAX_CONTRACTION_RATE", OTHERS),
    ("implicit/newton.rs", "MIN_DAMPING_FACTOR", OTHERS),
    ("implicit/newton.rs", "REMAINING_ERROR_RATIO", OTHERS),
    ("implicit/newton.rs", "REMAINING_MOMENTUM_RATIO", OTHERS),
    ("implicit/newton.rs", "ROUNDING", ROUNDING),
    ("implicit/newton.rs", "STALE_CONTRACTION_RATE", OTHERS),
    ("ode_integrator.rs", "FIXED_ACCURACY", OTHERS),
    ("options.rs", "MAX_STEPS", LIMIT),
    ("options.rs", "STEP", OPTION),
    ("option_group.rs", "MAX_TOLERANCE", LIMIT),
    ("ros2.rs", "GAMMA", METHOD),
    ("sdirk2.rs", "D", METHOD),
    ("sdirk2.rs", "GAMMA", METHOD),
    ("sdirk2.rs", "W", METHOD),
    ("search.rs", "ROUNDING", ROUNDING),
    ("step_control.rs", "FILTER", METHOD),
    ("step_control.rs", "ROUNDING", ROUNDING),
];

#[test]
fn no_number_of_the_step_stands_beside_the_list() {
    let mut found = BTreeSet::new();
    for path in files::texts().iter().filter(|path| path.starts_with(FOLDER)) {
        let name = path.strip_prefix(FOLDER).expect("within").to_string_lossy().replace('\\', "/");
        if !name.ends_with(".rs") || name.split('/').any(|folder| folder == "tests") {
            continue;
        }
        let text = crate::text(path);
        // What tests have is none of the step's.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let floats = text.lines().filter(|line| line.contains(": f64 ="));
        found.extend(floats.filter_map(constant).map(|constant| (name.clone(), constant.to_owned())));
    }
    let exempt: BTreeSet<_> = EXEMPT.iter().map(|(file, name, _)| ((*file).to_owned(), (*name).to_owned())).collect();
    let beside: Vec<_> = found.difference(&exempt).collect();
    assert!(beside.is_empty(), "{beside:?}: a choice belongs into CenicTuning; what is none, into the list here");
    let gone: Vec<_> = exempt.difference(&found).collect();
    assert!(gone.is_empty(), "{gone:?} are not there any more");
}
