//! Tests of `systems/models/srdf.rs`.

use kinegraph_models::srdf::disabled_collisions;

#[test]
fn excluded_pairs_are_read_and_incomplete_ones_are_faults() {
    let text = "<robot name='r'><group name='g'/><disable_collisions link1='a' link2='b' reason='Never'/></robot>";
    assert_eq!(disabled_collisions(text).unwrap(), [["a".to_owned(), "b".to_owned()]]);
    let half = "<robot name='r'>\n<disable_collisions link1='a'/></robot>";
    assert!(disabled_collisions(half).unwrap_err().contains("line 2"));
    assert!(disabled_collisions("<mujoco/>").is_err() && disabled_collisions("no xml").is_err());
}
