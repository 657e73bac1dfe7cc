//! Tests of `src/engine/integrators/cenic/rules/energy_budget.rs`.

use kinegraph_engine::integrators::cenic::rules::energy_budget::EnergyBudget;
use kinegraph_engine::integrators::{CenicTuning, GainInVain, MechanicalEnergy};

fn broke() -> EnergyBudget {
    let mut budget = EnergyBudget::default();
    budget.memory.credit = Some(0.0);
    budget
}

fn energy(total: f64) -> MechanicalEnergy {
    MechanicalEnergy { total, moving: 10.0, near: true, ..MechanicalEnergy::default() }
}

#[test]
fn gains_are_paid_by_losses() {
    let mut energy_budget = broke();
    assert!(!energy_budget.accepts(energy(0.0), energy(0.01), 1e-3, true));
    assert!(energy_budget.accepts(energy(0.0), energy(-0.02), 1e-3, true));
    assert!(energy_budget.accepts(energy(0.0), energy(0.01), 1e-3, true));
    assert!(energy_budget.accepts(energy(0.0), energy(0.01), 1e-3, true));
    assert!(!energy_budget.accepts(energy(0.0), energy(0.002), 1e-3, true));
}

#[test]
fn losses_of_long_ago_pay_for_little() {
    let mut energy_budget = EnergyBudget::default();
    assert!(energy_budget.accepts(energy(0.0), energy(-5.0), 1e-3, false));
    assert!(!energy_budget.accepts(energy(0.0), energy(0.51), 1e-3, false));
    assert!(energy_budget.accepts(energy(0.0), energy(0.5), 1e-3, false));
}

#[test]
fn what_contacts_hold_for_good_is_discounted_as_long_as_they_do() {
    let mut energy_budget = broke();
    let held = |total: f64, unrecoverable: f64| MechanicalEnergy { unrecoverable, ..energy(total) };
    assert!(energy_budget.accepts(held(0.0, 0.0), held(3.0, 3.0), 1e-3, true));
    // It returns none the less.
    assert!(!energy_budget.accepts(held(3.0, 3.0), held(3.0, 0.0), 1e-3, true));
    // Damping takes it: nothing was lost of what there was.
    assert!(energy_budget.accepts(held(3.0, 3.0), held(1.0, 1.0), 1e-3, true));
    assert!(!energy_budget.accepts(held(1.0, 1.0), held(1.01, 1.0), 1e-3, true));
}

#[test]
fn steps_grow_slowly_after_one_that_gained() {
    let mut energy_budget = EnergyBudget::default();
    assert_eq!(energy_budget.next_step(1.0, 3.0), 3.0);
    let h = energy_budget.repeat(1.0);
    assert_eq!((h, energy_budget.next_step(h, 1.0)), (0.5, 0.6));
    assert_eq!(energy_budget.next_step(0.6, 0.7), 0.7);
    assert_eq!(energy_budget.next_step(0.7, 3.0), 3.0);
}

#[test]
fn a_step_that_cannot_be_had_without_a_gain_is_taken_in_the_end() {
    let mut energy_budget = EnergyBudget::default();
    let mut repeated = 0_u32;
    while !energy_budget.accepts(energy(0.0), energy(5.0), 1e-3, false) {
        energy_budget.repeat(1.0);
        repeated += 1;
    }
    assert_eq!(f64::from(repeated), CenicTuning::DEFAULT.max_repeats);
}

/// Contacts hold 1 J more from t = 0.3 s on. Steps that were repeated until they end before that would come ever
/// closer to it.
#[test]
fn a_jump_is_passed() {
    const AT: f64 = 0.3;
    let mut energy_budget = broke();
    let held = |t: f64| energy(if t < AT { 0.0 } else { 1.0 });
    let (mut t, mut wanted, mut attempts) = (0.0, 0.1, 0);
    while t < 0.31 {
        energy_budget.begin(t);
        let mut h: f64 = wanted;
        while !energy_budget.accepts(held(t), held(t + h), 1e-3, false) {
            energy_budget.note_repeat(t + h);
            h *= energy_budget.repeat(h);
            attempts += 1;
        }
        (t, attempts) = (t + h, attempts + 1);
        wanted = energy_budget.next_step(h, 0.1);
    }
    assert!(attempts < 60, "{attempts} attempts");
    assert_eq!(energy_budget.memory.in_vain, GainInVain::default());
}
