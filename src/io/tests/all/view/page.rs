//! The page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use kinegraph_io::view::page::{SLOT, fill};
use kinegraph_io::view::{End, EndStatus, Feed, Line, PageError};
use std::io::Read;

#[test]
fn the_page_holds_the_recording() {
    let feed = Feed::default();
    let end = Line::End(End { status: EndStatus::Done, message: "<&>".into(), time: 1.0, summary: String::new() });
    feed.push(&end).unwrap();
    let html = fill(&format!("<body><script>'kinegraph-recording'</script>{SLOT}</body>"), &feed).unwrap();
    let from = html.find(r#"type="text/plain">"#).unwrap() + r#"type="text/plain">"#.len();
    let to = from + html[from..].find('<').unwrap();
    let mut text = String::new();
    GzDecoder::new(&STANDARD.decode(&html[from..to]).unwrap()[..]).read_to_string(&mut text).unwrap();
    assert_eq!(serde_json::from_str::<Line>(text.trim()).unwrap(), end);
    assert!(html.ends_with("</script></body>"));
    assert!(matches!(fill("<body></body>", &feed), Err(PageError::NoSlot)));
}
