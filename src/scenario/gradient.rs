//! The derivatives of a run that a file asks for.

use kinegraph_diagram::Diagram;
use kinegraph_engine::measures::Of;
use kinegraph_engine::simulate::gradient::{By, event_names};
use kinegraph_files::names::unknown;
use kinegraph_files::{DiagramFile, FaultKind, GradientBy, Loader};

/// Derivatives of a run: of which measures, and by which numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GradientAsked {
    /// Measures that are differentiated.
    pub of: Vec<Of>,
    /// Numbers by which they are.
    pub by: Vec<GradientBy>,
    /// Channels that are differentiated over time.
    pub over_time: Vec<String>,
    /// End of the run \[s\], if it is another than that of the simulation.
    pub until: Option<f64>,
}

/// Beginnings of events of plants, which a run alone knows.
const OF_PLANTS: [&str; 6] = ["touch ", "stop ", "range ", "leave: touch ", "leave: stop ", "leave: range "];

/// The derivatives that `file` asks for; names that `diagram` does not have are recorded.
pub(super) fn asked(file: &DiagramFile, diagram: &Diagram, loader: &Loader) -> Option<GradientAsked> {
    let spec = file.gradient.as_ref()?;
    for (at, path, channel) in spec.channels() {
        if let Err(error) = diagram.find_channels(channel) {
            loader.report(at, FaultKind::Conflict { path: path.to_owned(), message: error.to_string() });
        }
    }
    let events = event_names(diagram);
    let has_plants = diagram.plants().next().is_some();
    for one in &spec.of {
        if let Of::Time(name) = &one.value
            && !events.contains(name)
            && !(has_plants && OF_PLANTS.iter().any(|known| name.starts_with(known)))
        {
            let path = one.path.clone();
            if events.is_empty() {
                let message = format!("there is no event `{name}`: the blocks have none");
                loader.report(one.at, FaultKind::Conflict { path, message });
            } else {
                loader.report(one.at, unknown(name, "event", path, events.iter().map(String::as_str), loader));
            }
        }
    }
    let state = diagram.initial_state();
    for one in &spec.by {
        if let GradientBy::Initial(name) = &one.value
            && let Err(error) = By::initials(diagram, &state, name)
        {
            let message = error.to_string();
            loader.report(one.at, FaultKind::Conflict { path: one.path.clone(), message });
        }
    }
    Some(GradientAsked {
        of: spec.of.iter().map(|one| one.value.clone()).collect(),
        by: spec.by.iter().map(|one| one.value.clone()).collect(),
        over_time: spec.over_time.iter().map(|one| one.value.clone()).collect(),
        until: spec.until,
    })
}
