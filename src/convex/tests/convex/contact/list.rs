//! Tests of `src/convex/contact/elements/list.rs`.

use kinegraph_convex::contact::{Elements, JointFriction, LimitedEffort};

#[test]
fn every_kind_has_a_list_of_its_own() {
    let friction = |velocity| JointFriction { velocity, force: 1.0, creep: 1e-5, start: 0.0 };
    let effort = LimitedEffort { velocity: 3, gain: 1.0, bias: 0.0, limit: 2.0 };
    let mut elements = Elements::default();
    elements.push(effort);
    assert!(elements.leave_motion_free());
    elements.push(friction(1));
    elements.push(friction(2));
    elements.of_mut::<JointFriction>()[1].velocity = 5;
    let copy = elements.clone();
    assert_eq!(copy.of::<JointFriction>(), [friction(1), friction(5)]);
    assert_eq!(copy.of::<LimitedEffort>(), [effort]);
    assert!(!elements.leave_motion_free());
    assert!(elements.velocities_not_free().eq([1, 5]));
    assert_eq!(elements.unlisted(), None);
    elements.remove::<JointFriction>();
    assert!(elements.of::<JointFriction>().is_empty() && elements.of::<LimitedEffort>() == [effort]);
    elements.clear();
    assert!(elements.of::<LimitedEffort>().is_empty() && copy.of::<LimitedEffort>().len() == 1);
}
