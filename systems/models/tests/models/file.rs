//! Tests of `systems/models/file.rs`.

use kinegraph_models::file::root_name;

#[test]
fn the_outermost_element_is_found_behind_comments() {
    assert_eq!(root_name("<?xml version='1.0'?><!-- <robot> --><mujoco model='a'>"), Some("mujoco"));
    assert_eq!(root_name("<robot>"), Some("robot"));
    assert_eq!(root_name("<!DOCTYPE a><mujoco/>"), Some("mujoco"));
    assert_eq!(root_name("no element"), None);
}
