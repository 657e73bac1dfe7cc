//! The search for an equilibrium that a file describes.

use kinegraph_diagram::Diagram;
use kinegraph_engine::linearize::TrimOptions;
use kinegraph_files::names::unknown;
use kinegraph_files::{DiagramFile, Loader, TrimName};

/// The search of `file`, if it describes one; names that `diagram` does not have are recorded.
pub(super) fn options(file: &DiagramFile, diagram: &Diagram, loader: &Loader) -> Option<TrimOptions> {
    let trim = file.trim.as_ref()?;
    let states = diagram.state_names();
    for TrimName { key, at, name, state, input } in trim.names() {
        let port = name.split('[').next().unwrap_or(name);
        if (state && states.iter().any(|known| known == name)) || (input && diagram.inputs(port).is_ok()) {
            continue;
        }
        let block = name.split('.').next().unwrap_or(name);
        let own = |known: &&String| known.strip_prefix(block).is_some_and(|rest| rest.starts_with('.'));
        let mut valid: Vec<String> = if state { states.iter().filter(own).cloned().collect() } else { Vec::new() };
        if input && let Some(found) = diagram.blocks().iter().find(|one| one.name == block) {
            let ports = found.system.ports().inputs().iter().filter(|port| port.width > 0);
            valid.extend(ports.map(|port| format!("{block}.{}", port.name)));
        }
        let what = match (state, input) {
            (true, true) => "state or input",
            (true, false) => "state",
            _ => "input",
        };
        loader.report(at, unknown(name, what, key.into(), valid.iter().map(String::as_str), loader));
    }
    Some(trim.options(|name| Some(name.to_owned())))
}

/// The search that a request asks for, with that of the file: what both say is that of the request.
pub(super) fn joined(asked: &TrimOptions, of_file: &TrimOptions) -> TrimOptions {
    let mut all = asked.clone();
    all.hold.extend(of_file.hold.iter().filter(|name| !asked.hold.contains(name)).cloned());
    all.free.extend(of_file.free.iter().filter(|name| !asked.free.contains(name)).cloned());
    let is_new = |name: &String| !asked.bounds.iter().any(|bound| bound.name == *name);
    all.bounds.extend(of_file.bounds.iter().filter(|bound| is_new(&bound.name)).cloned());
    all.start.extend(of_file.start.iter().cloned());
    all
}
