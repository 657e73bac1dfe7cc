//! Tests of `systems/models/mesh/gltf.rs`.

use base64::Engine;
use kinegraph_models::mesh::bytes::Beside;
use kinegraph_models::mesh::gltf::read;
use kinegraph_models::{FileAccess, MeshImage};
use nalgebra::Vector3;
use std::path::Path;

/// One triangle in the plane z = 0, in a node that scales by 2 and moves by 1 along z.
fn file(uri: &str, count: usize) -> Vec<u8> {
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"mesh":0,"scale":[2,2,2],"translation":[0,0,1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"material":0}}]}}],
        "materials":[{{"pbrMetallicRoughness":{{"baseColorFactor":[1,0.5,0,1]}}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{count},"type":"VEC3",
            "min":[0,0,0],"max":[1,1,0]}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],"buffers":[{{"byteLength":36,"uri":"{uri}"}}]}}"#
    )
    .into_bytes()
}

fn numbers() -> String {
    let numbers = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    format!("data:application/octet-stream;base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}

#[test]
fn nodes_place_triangles_that_have_colours() {
    let mesh = read(file(&numbers(), 3), &Beside::new(Path::new("./a.gltf"), &FileAccess::default())).unwrap();
    assert_eq!(mesh.positions[1], Vector3::new(2.0, 0.0, 1.0));
    assert_eq!((mesh.triangles, mesh.parts[0].rgba), (vec![[0, 1, 2]], Some([1.0, 0.5, 0.0, 1.0])));
}

/// A triangle with an image. The texture coordinates follow the points in the buffer.
#[test]
fn images_lie_where_the_file_says() {
    let numbers = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.25, 1.0, 0.5, 0.75, 1.0];
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    let encoded = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let text = String::from_utf8(file(&format!("data:;base64,{}", encoded(&bytes)), 3)).unwrap();
    let image = format!("data:image/png;base64,{}", encoded(b"image"));
    let text = text
        .replace("\"POSITION\":0", "\"POSITION\":0,\"TEXCOORD_0\":1")
        .replace("[1,0.5,0,1]", "[1,0.5,0,1],\"baseColorTexture\":{\"index\":0}")
        .replace("\"max\":[1,1,0]}", r#""max":[1,1,0]},{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}"#)
        .replace("\"byteLength\":36}]", r#""byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24}]"#)
        .replace("[{\"byteLength\":36,", "[{\"byteLength\":60,")
        .replace(
            "\"materials\"",
            &format!(r#""textures":[{{"source":0}}],"images":[{{"uri":"{image}"}}],"materials""#),
        );
    let read = |text: &str| read(text.into(), &Beside::new(Path::new("./a.gltf"), &FileAccess::default())).unwrap();
    let mesh = read(&text);
    assert_eq!(mesh.uv, [[[0.0, 0.25], [1.0, 0.5], [0.75, 1.0]]]);
    assert_eq!((mesh.parts[0].image, &mesh.images[..]), (Some(0), &[MeshImage::Within(b"image"[..].into())][..]));
    // Without its image the mesh is the same.
    let without = read(&text.replace(&image, "none.png"));
    assert_eq!((without.positions, without.images.len()), (mesh.positions, 0));
}

#[test]
fn gltf_references_beyond_the_buffer_or_folder_are_refused() {
    let beside = Beside::new(Path::new("./a.gltf"), &FileAccess::default());
    for (uri, count) in [
        (numbers(), 100_000_000),
        (numbers(), 4),
        ("data:,".to_owned(), 3),
        ("data:;base64,%%".to_owned(), 3),
        ("http://example.org/a.bin".to_owned(), 3),
        ("../a.bin".to_owned(), 3),
        ("/etc/passwd".to_owned(), 3),
    ] {
        assert!(read(file(&uri, count), &beside).is_err(), "{uri}");
    }
    for bytes in [&b""[..], b"{}", b"glTF", b"glTF\x02\0\0\0\xff\xff\xff\xff\xff\xff\xff\xffJSON"] {
        assert!(read(bytes.to_vec(), &beside).is_err());
    }
}
