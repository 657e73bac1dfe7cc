//! Tests of `systems/models/mesh/stl.rs`.

use kinegraph_models::mesh::stl::read;

fn binary(promised: u32, word: &[u8]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes[..word.len()].copy_from_slice(word);
    bytes.extend(promised.to_le_bytes());
    for p in [[0.0_f32; 3], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
        p.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    }
    bytes.extend([0, 0]);
    bytes
}

#[test]
fn text_of_any_letter_case_and_binary_files_that_begin_like_text() {
    let text = "SOLID Part\nFacet NORMAL 0 0 1\nouter loop\nVERTEX 0 0 0\nvertex 1E0 0 0\nvertex 0 1 0\nendloop\n\
                ENDFACET\nendsolid Part\n";
    let expected = vec![[0, 1, 2]];
    assert_eq!(read(text.as_bytes().to_vec()).unwrap().triangles, expected);
    for word in [&b"solid"[..], b"binary"] {
        assert_eq!(read(binary(1, word)).unwrap().triangles, expected);
    }
    let mut longer = binary(1, b"binary");
    longer.extend([0; 60]);
    assert_eq!(read(longer).unwrap().triangles, expected);
}

#[test]
fn a_header_that_promises_more_than_the_file_holds_is_refused() {
    let fault = read(binary(100_000_000, b"binary")).unwrap_err().to_string();
    assert!(fault.contains("promises 100000000 triangles"), "{fault}");
    for bytes in [&b""[..], b"solid", b"solid a\nfacet", b"\0\0\0", &[0xff; 90]] {
        let _ = read(bytes.to_vec());
    }
    assert!(read(b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x".to_vec()).is_err());
}
