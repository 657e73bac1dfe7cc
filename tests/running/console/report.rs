//! Faults on the console.

use kinegraph::cli::Console;
use kinegraph::cli::report::faults;
use kinegraph_files::load_str;
use std::path::Path;

/// Every place must be drawable, a fault at the very end of the text included.
#[test]
fn every_fault_has_an_excerpt_with_its_line() {
    for text in ["kinegraph: 1\nnäme: x\nsystems: {}\n", "", "kinegraph: 1\na: [", "é", "kinegraph: 2"] {
        let error = load_str(Path::new("d.yaml"), text, &[]).expect_err("a fault");
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console { out: &mut out, err: &mut err, interactive: true };
        faults(&error.faults, "d.yaml", &error.text, &mut console).expect("a message");
        let shown = String::from_utf8(err).expect("text");
        for fault in &error.faults.0 {
            assert!(shown.contains("d.yaml"), "{fault}\n{shown}");
        }
    }
}
