//! Tests of `systems/models/mjcf/height_fields.rs`.

use kinegraph_models::mjcf::height_fields::{of_binary, of_image};

#[test]
fn files_shorter_than_their_header_says_are_refused() {
    let file = |rows: i32, columns: i32, heights: &[f32]| {
        let mut bytes = [rows.to_le_bytes(), columns.to_le_bytes()].concat();
        heights.iter().for_each(|z| bytes.extend(z.to_le_bytes()));
        bytes
    };
    assert_eq!(of_binary(&file(2, 2, &[0.0, 1.0, 2.0, 3.0])).unwrap().heights, [0.0, 1.0, 2.0, 3.0]);
    for bytes in [file(100_000, 100_000, &[0.0]), file(-1, 2, &[]), vec![1, 2, 3], file(2, 2, &[0.0; 3])] {
        assert!(of_binary(&bytes).is_err());
    }
}

#[test]
fn an_image_begins_at_the_top() {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 3, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[10, 20, 30, 40, 50, 60]).unwrap();
    let grid = of_image(&bytes).unwrap();
    assert_eq!((grid.columns, grid.rows), (3, 2));
    assert_eq!(grid.heights, [40.0, 50.0, 60.0, 10.0, 20.0, 30.0]);
    assert!(of_image(&bytes[..20]).is_err() && of_image(b"").is_err());
}
