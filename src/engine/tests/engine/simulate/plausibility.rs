//! Tests of `src/engine/simulate/plausibility.rs`.

use kinegraph_engine::simulate::Energies;

#[test]
fn twice_the_energy_of_motion_that_was_given_is_too_much() {
    let end = |moving: f64, total: f64| Energies { moving, total, mass: 1.0, ..Energies::default() };
    let start = end(0.5, 1.0);
    // Falls by 5 J.
    assert_eq!(start.fault(&end(5.5, 1.0)), None);
    assert_eq!(start.fault(&end(6.0, 1.5)), None);
    assert!(start.fault(&end(11.5, 7.0)).is_some());
    // What drives it may have given that.
    assert_eq!(start.fault(&Energies { driven: true, ..end(11.5, 7.0) }), None);
    assert!(start.fault(&Energies { driven: true, ..end(1e103, 1e103) }).is_some());
}
