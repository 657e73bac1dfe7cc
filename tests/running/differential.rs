//! The generator of `benches/differential` finds planted faults, and reports nothing else.

use std::process::Command;

/// Runs only if there is a Python.
#[test]
fn the_generator_finds_planted_faults() {
    let python = std::env::var("KINEGRAPH_PYTHON").unwrap_or_else(|_| "python3".into());
    let mut command = Command::new(python);
    command.args(["-B", "benches/differential/self_test.py", "--kinegraph", env!("CARGO_BIN_EXE_kinegraph")]);
    match command.output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => println!("skipped: no Python ({error})"),
    }
}
