//! Tests of `systems/multibody/thread_kinematics.rs`.

use kinegraph_core::scalar::Jet;
use kinegraph_multibody::{Kinematics, with_kinematics};
use nalgebra::Vector3;

#[test]
fn thread_kinematics_is_reused_but_not_shared_by_nested_borrows() {
    let lent = || with_kinematics(|k: &mut Kinematics<f64>| std::mem::replace(&mut k.p_WN, vec![Vector3::y()]));
    assert!(lent().is_empty());
    assert_eq!(lent(), [Vector3::y()]);
    with_kinematics(|jets: &mut Kinematics<Jet>| {
        assert!(jets.p_WN.is_empty());
        with_kinematics(|k: &mut Kinematics<f64>| {
            assert_eq!(k.p_WN, [Vector3::y()]);
            assert!(lent().is_empty());
        });
    });
    // Both return.
    with_kinematics(|outer: &mut Kinematics<f64>| {
        with_kinematics(|inner: &mut Kinematics<f64>| {
            assert_eq!((&outer.p_WN, &inner.p_WN), (&vec![Vector3::y()], &vec![Vector3::y()]));
        });
    });
}
