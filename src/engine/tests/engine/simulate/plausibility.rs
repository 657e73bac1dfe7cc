//! Tests of `src/engine/simulate/plausibility.rs`.

use kinegraph_engine::simulate::energies::Energies;
use kinegraph_engine::simulate::plausibility::Reference;

fn energies(moving: f64, total: f64) -> Energies {
    Energies { moving, total, mass: 1.0, ..Energies::default() }
}

#[test]
fn twice_the_energy_of_motion_that_was_given_is_too_much() {
    let start = Reference::of(&energies(0.5, 1.0), 0.0, 1.0);
    // Falls by 5 J.
    assert_eq!(start.gains(&energies(5.5, 1.0), 1.0), None);
    assert_eq!(start.gains(&energies(6.0, 1.5), 1.0), None);
    assert!(start.gains(&energies(11.5, 7.0), 1.0).is_some());
    assert_eq!(start.gains(&energies(11.5, 7.0), 100.0), None);
    // What drives it may have given that.
    assert_eq!(start.gains(&Energies { driven: true, ..energies(11.5, 7.0) }, 1.0), None);
}

#[test]
fn what_constraints_held_and_what_returns_may_move_bodies() {
    let given = Energies { constraints: 10.0, ..energies(0.0, 0.0) };
    assert_eq!(Reference::of(&given, 0.0, 1.0).gains(&energies(10.0, 10.0), 1.0), None);
    assert!(Reference::of(&given, 0.0, 1.0).gains(&energies(21.0, 21.0), 1.0).is_some());
    let returns = Energies { corrected: 10.0, returning: 1.0, ..energies(0.0, 0.0) };
    assert_eq!(Reference::of(&returns, 0.0, 1.0).gains(&energies(9.0, 9.0), 1.0), None);
    assert!(Reference::of(&returns, 0.0, 1.0).gains(&energies(21.0, 21.0), 1.0).is_some());
}
