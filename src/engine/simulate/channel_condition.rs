//! Conditions over the channels of a diagram: `plant.box.box.z < 0.01 and not mode.is_hold`.

use kinegraph_core::parameter::ParameterError;
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_systems::operators::Condition;

/// Number of names in a message.
const MAX_NAMES: usize = 6;

/// A condition, and the channels that it reads.
#[derive(Debug)]
pub struct ChannelCondition {
    /// The condition.
    pub condition: Condition,
    /// The channels, in the order in which the condition counts them.
    pub channels: Vec<Channel>,
}

impl ChannelCondition {
    /// Reads a condition over channels of `diagram`. Names may also be those under which a nested diagram exports a
    /// number.
    ///
    /// # Errors
    /// Text that is no condition, with the column where it fails.
    pub fn new(diagram: &Diagram, text: &str) -> Result<Self, ParameterError> {
        let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
        // A name may have `/` and `-`, which are also signs of a formula.
        let words = text.split(|c| !is_of_path(c));
        let words: Vec<&str> = words.chain(text.split(|c| !is_of_path(c) && !matches!(c, '-' | '/'))).collect();
        let mut known: Vec<(String, Channel)> = Vec::new();
        for word in words.iter().filter(|word| word.contains('.')) {
            if let Ok([channel]) = diagram.find_channels(word).as_deref() {
                known.push(((*word).to_owned(), channel.clone()));
            }
        }
        // Advice compares the first names only: those of the blocks that are named come first.
        let block = |name: &str| name.split('.').next().map(str::to_owned);
        let blocks: Vec<Option<String>> = words.iter().map(|word| block(word)).collect();
        let (named, others): (Vec<Channel>, Vec<Channel>) =
            diagram.channels().into_iter().partition(|channel| blocks.contains(&block(&channel.name)));
        known.extend(named.into_iter().chain(others).map(|channel| (channel.name.clone(), channel)));
        let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
        let condition = Condition::new(text, &names).map_err(|error| advised(error, text, diagram))?;
        let channels = condition.channels().iter().map(|&i| known[i].1.clone()).collect();
        Ok(ChannelCondition { condition, channels })
    }
}

/// The fault of a name that stands for several channels, with their names.
fn advised(mut error: ParameterError, text: &str, diagram: &Diagram) -> ParameterError {
    if let ParameterError::Expression { column, message, .. } = &mut error {
        let rest: String = text.chars().skip(column.saturating_sub(1)).collect();
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
        let word = rest.split(|c| !is_of_name(c)).next().unwrap_or_default();
        if word.contains('.')
            && let Ok(several) = diagram.find_channels(word)
            && several.len() > 1
        {
            let names: Vec<&str> = several.iter().take(MAX_NAMES).map(|channel| channel.name.as_str()).collect();
            let more = if several.len() > MAX_NAMES { ", …" } else { "" };
            *message = format!("`{word}` is {} channels, name one: {}{more}", several.len(), names.join(", "));
        }
    }
    error
}
