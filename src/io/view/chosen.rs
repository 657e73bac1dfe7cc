//! Channels named by a name that stands for several of them.

/// True if a channel is called `name`, or belongs to the several that `name` stands for (`plant.arm`).
pub fn is_of(channel: &str, name: &str) -> bool {
    channel.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '/']))
}

/// Indices of the `channels` that `names` stand for, in the order of the names.
pub fn chosen_channels<'a>(channels: impl Iterator<Item = &'a str>, names: &[String]) -> Vec<usize> {
    let channels: Vec<&str> = channels.collect();
    let mut chosen = Vec::new();
    for name in names {
        for (i, _) in channels.iter().enumerate().filter(|(_, channel)| is_of(channel, name)) {
            if !chosen.contains(&i) {
                chosen.push(i);
            }
        }
    }
    chosen
}
