//! Tests of `systems/models/mesh/ply.rs`.

use kinegraph_models::mesh::ply::read;
use nalgebra::Vector3;

fn header(format: &str, points: usize, faces: usize) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment a square\nelement vertex {points}\nproperty float x\nproperty float y\n\
         property uchar red\nproperty double z\nelement face {faces}\nproperty list uchar int vertex_indices\n\
         end_header\n"
    )
}

const SQUARE: [[f64; 3]; 4] = [[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [1.0, 1.0, 0.5], [0.0, 1.0, 0.5]];

/// One square as text and in both byte orders.
#[test]
fn text_and_binary_files_hold_the_same() {
    let text = SQUARE.map(|[x, y, z]| format!("{x} {y} 255 {z}\n")).concat();
    let mut files = vec![(header("ascii", 4, 1) + &text + "4 0 1 2 3\n").into_bytes()];
    for (format, big) in [("binary_little_endian", false), ("binary_big_endian", true)] {
        let mut bytes = header(format, 4, 1).into_bytes();
        let mut put = |le: Vec<u8>| bytes.extend(if big { le.into_iter().rev().collect() } else { le });
        for [x, y, z] in SQUARE {
            put((x as f32).to_le_bytes().to_vec());
            put((y as f32).to_le_bytes().to_vec());
            put(vec![255]);
            put(z.to_le_bytes().to_vec());
        }
        put(vec![4]);
        (0..4_i32).for_each(|i| put(i.to_le_bytes().to_vec()));
        files.push(bytes);
    }
    for bytes in files {
        let mesh = read(bytes).unwrap();
        assert_eq!(mesh.positions, SQUARE.map(Vector3::from));
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    }
}

#[test]
fn ply_files_shorter_than_their_header_says_are_refused() {
    let cases = [
        (header("ascii", 4_000_000_000, 1) + "0 0 0 0", "ends before"),
        (header("binary_little_endian", 1, 4_000_000_000) + "0123456789abcdefg", "ends before"),
        (header("ascii", 1, 1) + "0 0 0 0\n3 0 1 2", "does not exist"),
        (header("ascii", 1, 1) + "0 0 0 0\n3 0 -1 0", "does not exist"),
        (header("rle", 1, 1), "not understood"),
        ("ply\nelement vertex 3\nend_header".to_owned(), "no format"),
        ("plx\nend_header".to_owned(), "does not begin"),
        (String::new(), "end_header"),
    ];
    for (text, word) in cases {
        let fault = read(text.into_bytes()).unwrap_err().to_string();
        assert!(fault.contains(word), "{fault}");
    }
}
