//! Remedies for faults of a diagram, in terms of its diagram file.

use kinegraph_diagram::{BuildError, UnlikeUnits};
use kinegraph_files::ExportSpec;

/// Remedy for the author of a file. `paths` are the paths of the fault as the file names them, and `exported` is set if
/// the first of them is an export of the file. `nested` is true if the file is a block of another one.
pub(super) fn for_file(
    error: &BuildError,
    paths: &[String],
    exported: Option<&ExportSpec>,
    nested: bool,
) -> Option<String> {
    let first = paths.first().map_or("", String::as_str);
    match error {
        BuildError::Unconnected { .. } if exported.is_some() => exported.map(alone),
        BuildError::Unconnected { width, .. } => Some(connect(first, *width, nested)),
        BuildError::AlgebraicLoop { .. } => Some(
            "write `algebraic_loops: solve` at the top of the file to have it solved in every step, or put a block into the loop whose \
             output depends on its state only, such as `first_order_lag`, `integrator` or `unit_delay`"
                .into(),
        ),
        BuildError::WidthMismatch { .. } => Some(
            "make the widths equal (`width`, the length of lists), or use `multiplexer` and `demultiplexer`".into(),
        ),
        BuildError::UnitMismatch { units, .. } => {
            let UnlikeUnits { block, factor, .. } = &**units;
            let block = block.rsplit('/').next().unwrap_or(block);
            let gain = if factor == "1" { String::new() } else { format!("`{{type: gain, gain: 1 {factor}}}`") };
            Some(format!(
                "put a block between them that converts it, such as {gain}, or take the output that was meant; if unlike units are \
                 meant, write `unit: any` in the block `{block}`"
            ))
        }
        BuildError::KindMismatch { to, .. } => Some(format!("connect an output that carries {to}")),
        _ => None,
    }
}

/// Remedy for an input that a file exports and that nothing drives when the file is run alone.
fn alone(export: &ExportSpec) -> String {
    let ports: Vec<String> = export.ports.iter().map(|(_, port)| format!("`- BLOCK.OUTPUT -> {port}`")).collect();
    format!(
        "it is exported: a diagram that has this file as a block (`type: diagram`) drives it. To run the file alone, take \
         `{}` out of `exports` and add {} to `connections`; `kinegraph check` takes the file as it is",
        export.name,
        ports.join(", ")
    )
}

/// Ways to give an input a value: a wire, a constant, or an export.
fn connect(input: &str, width: usize, nested: bool) -> String {
    const MAX_LISTED: usize = 8;
    let value = match width {
        1 => "0".to_owned(),
        2..=MAX_LISTED => format!("[{}]", vec!["0"; width].join(", ")),
        _ => format!("[0, …] with {width} numbers"),
    };
    let port = input.rsplit('.').next().unwrap_or(input);
    let source = input.replace(['.', '/'], "_");
    let wire = format!("add `- BLOCK.OUTPUT -> {input}` to `connections`");
    let constant = format!(
        "for a fixed value add a block `{source}: {{type: constant, value: {value}}}` and `- {source}.output -> {input}`"
    );
    if nested {
        format!("{wire}; {constant}; or let the outer file drive it, `exports: {{inputs: {{{port}: {input}}}}}`")
    } else {
        format!("{wire}; {constant}")
    }
}
