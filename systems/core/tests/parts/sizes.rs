//! Tests of `systems/core/sizes.rs`.

use kinegraph_core::sizes::{PLAIN, RANGES, SizeRange, check, of_declaration, strange};

#[test]
fn the_unit_of_the_declaration_decides() {
    let length = of_declaration("length without force [m]");
    assert_eq!((check(&length, 0.0), check(&length, -1e12)), (Ok(()), Ok(())));
    let fault = check(&length, 1e18).unwrap_err().to_string();
    assert_eq!(fault, "a number of at most 1e12 m in size (from an atom to the orbit of Jupiter)");
    let fault = check(&length, 1e-308).unwrap_err().to_string();
    assert!(fault.starts_with("0, or a number of at least 1e-12 m in size"), "{fault}");
    assert_eq!(of_declaration("gains"), [&PLAIN]);
    // Names of numbers are no units.
    assert_eq!(of_declaration("a position [x, y, z]"), [&PLAIN]);
    assert_eq!(of_declaration("where it is [x, y, z] [m]").len(), 1);
    assert_eq!(of_declaration("speeds [rad/s, m/s]").len(), 2);
    assert!(check(&of_declaration("speeds [rad/s, m/s]"), 1e12).is_ok());
}

/// The table in the documents equals this one.
#[test]
fn the_documents_list_every_range() {
    let text = include_str!("../../../../docs/diagram-file.md");
    for range @ SizeRange { smallest, largest, reason, .. } in RANGES.iter().chain([&PLAIN]) {
        let unit = if range.unit().is_empty() { "none" } else { range.unit() };
        let rows = text.lines().filter(|line| line.starts_with(&format!("| {unit} | ")));
        let numbers = |row: &str| -> Vec<Option<f64>> { row.split('|').map(|cell| cell.trim().parse().ok()).collect() };
        let expected = [Some(*smallest), Some(*largest)];
        let found = rows.clone().any(|row| numbers(row)[2..4] == expected && row.contains(reason));
        assert!(found, "{unit}: {:?}", rows.collect::<Vec<_>>());
    }
}

#[test]
fn unusual_sizes_cause_a_note() {
    let length = of_declaration("a length [m]");
    assert_eq!((strange(&length, 0.1), strange(&length, 0.0)), (None, None));
    assert!(strange(&length, 1e10).is_some_and(|note| note.contains("1e10 m is outside 1e-9 to 1e7 m")));
}
