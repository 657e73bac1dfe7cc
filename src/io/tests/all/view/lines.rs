//! A run as lines of JSON, as the page reads them.

use kinegraph_io::view::Line;

#[test]
fn attempts_are_rows_and_are_read_from_rows() {
    let text = r#"{"kind":"steps","rows":[[0.5,0.25,"inaccurate",0.125,"arm.q",3,7,"oscillation"],[0.5,0.125,"accepted",null,"",1,0,""]]}"#;
    let line: Line = serde_json::from_str(text).unwrap();
    let Line::Steps(steps) = &line else { panic!("{line:?}") };
    assert_eq!((steps.rows[0].h, steps.rows[0].iterations, steps.rows[0].contacts), (0.25, 3, 7));
    assert_eq!(serde_json::to_string(&line).unwrap(), text);
}
