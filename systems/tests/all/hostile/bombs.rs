//! Entities that expand without bound, files that include themselves, paths out of the folder, floods.

use kinegraph_systems::models::{LoadOptions, parse_model, read_model};
use std::path::{Path, PathBuf};

fn refused(text: &str) -> String {
    parse_model(text, "bomb.xml", &LoadOptions::default()).expect_err("must be refused").to_string()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bombs").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A billion of laughs is nine declarations.
#[test]
fn entities_are_refused() {
    let entities: String =
        (1..10).map(|i| format!("<!ENTITY e{i} '{}'>", format!("&e{};", i - 1).repeat(10))).collect();
    for root in ["robot", "mujoco", "sdf"] {
        let text = format!("<?xml version='1.0'?><!DOCTYPE b [<!ENTITY e0 'ha'>{entities}]><{root}>&e9;</{root}>");
        assert!(refused(&text).contains("DOCTYPE"), "{}", refused(&text));
    }
}

#[test]
fn files_that_include_each_other_end() {
    let folder = folder("rings");
    let of = |root: &str, file: &str| match root {
        "mujoco" => format!("<mujoco><include file='{file}'/></mujoco>"),
        _ => format!("<sdf version='1.9'><model name='m'><include><uri>{file}</uri></include></model></sdf>"),
    };
    for root in ["mujoco", "sdf"] {
        std::fs::write(folder.join("a.xml"), of(root, "b.xml")).unwrap();
        std::fs::write(folder.join("b.xml"), of(root, "a.xml")).unwrap();
        let error = read_model(&folder.join("a.xml"), &LoadOptions::default()).expect_err("a ring").to_string();
        assert!(error.contains("b.xml"), "{error}");
    }
}

/// Neither includes nor asset folders lead out of the folder of the model.
#[test]
fn paths_stay_in_their_folder() {
    let folder = folder("paths");
    let inner = folder.join("inner");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(folder.join("secret.xml"), "<mujocoinclude/>").unwrap();
    let file = inner.join("model.xml");
    for path in ["../secret.xml", "x/../../secret.xml", "/etc/passwd"] {
        for text in [
            format!("<mujoco><include file='{path}'/></mujoco>"),
            format!(
                "<sdf version='1.9'><model name='m'><link name='a'/><include><uri>{path}</uri></include></model></sdf>"
            ),
        ] {
            std::fs::write(&file, &text).unwrap();
            let error = read_model(&file, &LoadOptions::default()).expect_err("must be refused").to_string();
            assert!(error.contains("outside the folder") || error.contains("out of the folder"), "{error}");
        }
    }
    #[cfg(unix)]
    {
        let link = inner.join("linked.xml");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(folder.join("secret.xml"), &link).unwrap();
        std::fs::write(&file, "<mujoco><include file='linked.xml'/></mujoco>").unwrap();
        assert!(read_model(&file, &LoadOptions::default()).is_err());
    }
}

/// Replicates in replicates: a billion bodies.
#[test]
fn replicates_are_counted() {
    let (open, close) = ("<replicate count='1000' offset='1 0 0'>".repeat(3), "</replicate>".repeat(3));
    let text = format!("<mujoco><worldbody>{open}<body><geom size='1'/></body>{close}</worldbody></mujoco>");
    assert!(refused(&text).contains("more than 100000 elements"), "{}", refused(&text));
}

/// Groups that contain each other, every one of them all others.
#[test]
fn groups_of_groups_end() {
    let group = |i: usize| {
        let members: String = (0..40).map(|j| format!("<drake:member_group name='g{j}'/>")).collect();
        format!(
            "<drake:collision_filter_group name='g{i}'><drake:member link='l{i}'/>{members}\
             <drake:ignored_collision_filter_group name='g{i}'/></drake:collision_filter_group>"
        )
    };
    let links: String = (0..40).map(|i| format!("<link name='l{i}'/>")).collect();
    let groups: String = (0..40).map(group).collect();
    let text = format!("<robot name='r' xmlns:drake='d'>{links}{groups}</robot>");
    let loaded = parse_model(&text, "groups.urdf", &LoadOptions::default()).unwrap();
    assert_eq!(loaded.model.scene.apart.len(), 40 * 39 / 2);
}

fn refused_mesh(file: &str, bytes: &[u8]) -> String {
    let folder = folder("meshes");
    std::fs::write(folder.join(file), bytes).unwrap();
    let urdf = format!(
        "<robot name='r'><link name='a'><collision><geometry><mesh filename='{file}'/></geometry></collision></link></robot>"
    );
    let name = folder.join("model.urdf").display().to_string();
    parse_model(&urdf, &name, &LoadOptions::default()).expect_err("must be refused").to_string()
}

/// Headers that declare a hundred million triangles, in files that have none.
#[test]
fn headers_that_promise_too_much_are_refused() {
    let mut stl = vec![0; 80];
    stl.extend(100_000_000_u32.to_le_bytes());
    let error = refused_mesh("large.stl", &stl);
    assert!(error.contains("promises 100000000 triangles"), "{error}");

    let accessor = "{\"componentType\":5126,\"count\":100000000,\"type\":\"VEC3\",\"bufferView\":0,\"min\":[0,0,0],\
                    \"max\":[1,1,1]}";
    let gltf = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}}}}]}}],\
         \"accessors\":[{accessor}],\"bufferViews\":[{{\"buffer\":0,\"byteLength\":12}}],\"buffers\":[{{\"byteLength\":12,\
         \"uri\":\"data:application/octet-stream;base64,AAAAAAAAAAAAAAAA\"}}]}}"
    );
    let error = refused_mesh("large.gltf", gltf.as_bytes());
    assert!(error.contains("more than") || error.contains("beyond its buffer"), "{error}");
}

/// Every node is twice the child of the one before: 2^40 instances.
#[test]
fn nodes_of_gltf_have_one_parent() {
    let nodes: Vec<_> = (1..=40).map(|i| format!("{{\"children\":[{i},{i}]}}")).collect();
    let gltf = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{},{{}}]}}",
        nodes.join(",")
    );
    let error = refused_mesh("doubling.gltf", gltf.as_bytes());
    assert!(error.contains("more than one parent"), "{error}");
}

/// Found by the fuzzer: a joint of the world, which nothing moves, counted among the joints that motors may name.
#[test]
fn the_world_has_no_joints() {
    let text = "<mujoco><worldbody><joint name='a'/><body><joint name='b'/><geom size='1'/></body></worldbody>\
                <actuator><motor joint='b'/></actuator></mujoco>";
    assert!(refused(text).contains("directly in <worldbody>"), "{}", refused(text));
}
