//! Tests of `systems/models/source.rs`.

use kinegraph_models::Place;
use kinegraph_models::source::{Lines, quoted, quoted_path};

#[test]
fn places_count_lines_and_characters() {
    let text = "ab\ncäd\n\nx";
    let lines = Lines::new(text);
    for (offset, line, column) in [(0, 1, 1), (2, 1, 3), (3, 2, 1), (6, 2, 3), (8, 3, 1), (9, 4, 1), (99, 4, 2)] {
        assert_eq!(lines.place(offset), Place { line, column }, "offset {offset}");
        assert_eq!(lines.offset(line, column), offset.min(text.len()));
    }
}

#[test]
fn places_in_a_long_line_count_characters() {
    let text = format!("first\n{}", "äb".repeat(10_000));
    let lines = Lines::new(&text);
    for (characters, (offset, _)) in text.char_indices().enumerate().skip(6).step_by(997) {
        let place = Place { line: 2, column: characters - 5 };
        assert_eq!(lines.place(offset), place);
        assert_eq!(lines.offset(place.line, place.column), offset);
    }
}

#[test]
fn quoting_escapes_and_cuts() {
    assert_eq!(quoted("a\u{1b}[2J"), r#""a\u{1b}[2J""#);
    assert!(quoted(&"é".repeat(1000)).chars().count() < 70);
    assert_eq!(quoted_path("a/b.stl"), "\"a/b.stl\"");
    let long = quoted_path(&format!("{}/link7.stl", "é".repeat(1000)));
    assert!(long.starts_with("\"…é") && long.ends_with("/link7.stl\"") && long.chars().count() < 105, "{long}");
}
