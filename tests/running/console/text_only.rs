//! Output to a terminal, which is text only.

use kinegraph::cli::text_only::{TextOnly, printed, styled};
use std::io::Write;

fn written(parts: &[&[u8]]) -> String {
    let mut out = Vec::new();
    let mut text = TextOnly::new(&mut out);
    parts.iter().for_each(|part| text.write_all(part).unwrap());
    String::from_utf8(out).unwrap()
}

#[test]
fn control_characters_are_text_wherever_they_are_cut() {
    let text = "a\u{1b}[2Jb\u{7}\tc\u{9b}31md\u{7f}°é\u{a0}\r\n\u{85}";
    let expected = "a\\u001b[2Jb\\u0007\tc\\u009b31md\\u007f°é\u{a0}\\u000d\n\\u0085";
    assert_eq!(written(&[text.as_bytes()]), expected);
    let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
    assert_eq!(written(&bytes), expected);
    let json = serde_json::to_string("x\u{9b}\u{1b}\u{7f}y").unwrap();
    let back: String = serde_json::from_str(&written(&[json.as_bytes()])).unwrap();
    assert_eq!(back, "x\u{9b}\u{1b}\u{7f}y");
}

#[test]
fn colours_of_this_program_stay() {
    let mut out = Vec::new();
    let mut text = TextOnly::new(&mut out);
    styled(&mut text, "\u{1b}[1mred").unwrap();
    write!(text, "\u{1b}").unwrap();
    assert_eq!(out, b"\x1b[1mred\\u001b");
    assert_eq!(printed("a\u{1b}\u{9b}\nb"), "a␛\u{fffd}\nb");
}
