//! Requirements of a diagram file over the channels of its diagram.

use super::rows::Rows;
use super::side::{Bound, Side};
use super::{Ask, Requirement, RequirementFacts, Requirements};
use kinegraph_core::parameter::ParameterError;
use kinegraph_diagram::{Channel, Diagram};
use kinegraph_engine::simulate::ChannelCondition;
use kinegraph_files::{
    Asks, ChannelName, DiagramFile, FaultKind, Level, Limit, Loader, Position, RequirementSpec, When, alike,
};

/// Number of names in a message.
const MAX_NAMES: usize = 6;

impl Requirements {
    /// Finds the channels of the requirements of `file` in `diagram`; faults are recorded in `loader`.
    pub fn of(file: &DiagramFile, diagram: &Diagram, loader: &Loader) -> Self {
        let mut resolver = Resolver { diagram, loader, channels: Vec::new() };
        let found: Vec<_> = file.requirements.iter().map(|spec| Some((spec, resolver.requirement(spec)?))).collect();
        let channels = resolver.channels;
        let facts = |(spec, one)| (RequirementFacts::of(spec, &one, &channels), one);
        let (facts, all) = found.into_iter().flatten().map(facts).unzip();
        Requirements { all, facts, channels }
    }
}

struct Resolver<'a> {
    diagram: &'a Diagram,
    loader: &'a Loader,
    /// Channels that requirements read.
    channels: Vec<Channel>,
}

impl Resolver<'_> {
    fn requirement(&mut self, spec: &RequirementSpec) -> Option<Requirement> {
        let (ask, unit) = match &spec.asks {
            Asks::Between { channel, above, below } => self.between(channel, above, below)?,
            Asks::Reaches { channel, level } => {
                let (at, unit) = self.channel(channel)?;
                self.check_unit(level, &unit, &channel.name)?;
                (Ask::Eventually(Side::Reached(at, level.value)), unit)
            }
            Asks::Overshoot { channel, to, most } => {
                let (at, unit) = self.channel(channel)?;
                self.check_unit(to, &unit, &channel.name)?;
                (Ask::Always(vec![Side::NotBeyond { channel: at, to: to.value, most: *most }]), unit)
            }
            Asks::Measured { measure, place: (at, path), low, high } => {
                let place = at.column_of(&measure.to_string(), 1);
                let named = ChannelName { name: measure.channel.clone(), at: place, path: path.clone() };
                let (channel, unit) = self.channel(&named)?;
                let unit = measure.kind.unit(&unit);
                for level in low.iter().chain(high) {
                    self.check_unit(level, &unit, &measure.to_string())?;
                }
                let [low, high] = [low, high].map(|level| level.as_ref().map(|level| level.value));
                (Ask::Measured { measure: measure.clone(), channel, low, high }, unit)
            }
            Asks::Holds { condition, place, when } => {
                let side = self.condition(condition, place, *when == When::Never)?;
                let ask = if *when == When::Eventually { Ask::Eventually(side) } else { Ask::Always(vec![side]) };
                (ask, String::new())
            }
        };
        let window = (spec.from, spec.until.unwrap_or(f64::INFINITY));
        Some(Requirement { name: spec.name.clone(), unit, ask, window })
    }

    fn between(&mut self, channel: &ChannelName, above: &[Limit], below: &[Limit]) -> Option<(Ask, String)> {
        let found = self.channel(channel);
        let mut bound = |limit: &Limit| self.bound(limit, found.as_ref().map(|(_, unit)| unit.as_str()), &channel.name);
        let above: Vec<_> = above.iter().map(&mut bound).collect();
        let below: Vec<_> = below.iter().map(&mut bound).collect();
        let (at, unit) = found?;
        let above = above.into_iter().map(|bound| Some(Side::Above(at, bound?)));
        let below = below.into_iter().map(|bound| Some(Side::Below(at, bound?)));
        let sides: Option<Vec<Side>> = above.chain(below).collect();
        Some((Ask::Always(sides?), unit))
    }

    /// The limit of a channel in this `unit`, if it is known.
    fn bound(&mut self, limit: &Limit, unit: Option<&str>, of: &str) -> Option<Bound> {
        let unit = unit.unwrap_or("");
        match limit {
            Limit::Level(level) => {
                self.check_unit(level, unit, of)?;
                Some(Bound::Number(level.value))
            }
            Limit::Channel(name) => {
                let (channel, own) = self.channel(name)?;
                self.check_units(&own, unit, of, name.at, &name.path)?;
                Some(Bound::Channel(channel))
            }
            Limit::Rows(rows) => {
                self.check_units(&rows.unit, unit, of, rows.at, &rows.path)?;
                Some(Bound::Rows(Rows::new(rows)))
            }
        }
    }

    fn check_unit(&self, level: &Level, unit: &str, of: &str) -> Option<()> {
        self.check_units(level.unit.as_deref().unwrap_or(""), unit, of, level.at, &level.path)
    }

    /// Records a fault if both units are known and differ.
    fn check_units(&self, own: &str, unit: &str, of: &str, at: Position, path: &str) -> Option<()> {
        if own.is_empty() || unit.is_empty() || alike(own, unit) {
            return Some(());
        }
        let named = |unit: &str| if unit == "1" { "without unit".to_owned() } else { format!("in {unit}") };
        let message = format!("it is {}, and `{of}` is {}", named(own), named(unit));
        self.loader.report(at, FaultKind::Conflict { path: path.to_owned(), message });
        None
    }

    /// Index of a channel among those that are read, and its unit.
    fn channel(&mut self, named: &ChannelName) -> Option<(usize, String)> {
        let fault = |message| {
            self.loader.report(named.at, FaultKind::Conflict { path: named.path.clone(), message });
        };
        match self.diagram.find_channels(&named.name).as_deref() {
            Ok([channel]) => Some((read(&mut self.channels, channel), channel.unit.clone().into_owned())),
            Ok(several) => {
                let names: Vec<&str> = several.iter().take(MAX_NAMES).map(|channel| channel.name.as_str()).collect();
                let more = if several.len() > MAX_NAMES { ", …" } else { "" };
                fault(match several.len() {
                    0 => format!("`{}` has no numbers", named.name),
                    count => format!("`{}` is {count} channels, name one: {}{more}", named.name, names.join(", ")),
                });
                None
            }
            Err(error) => {
                fault(error.to_string());
                None
            }
        }
    }

    fn condition(&mut self, text: &str, (at, path): &(Position, String), is_contrary: bool) -> Option<Side> {
        match ChannelCondition::new(self.diagram, text) {
            Ok(ChannelCondition { condition, channels }) => {
                let channels = channels.iter().map(|channel| read(&mut self.channels, channel)).collect();
                Some(Side::Holds { condition, channels, is_contrary })
            }
            Err(error) => {
                let (place, message) = match error {
                    ParameterError::Expression { column, message, .. } => (at.column_of(text, column), message),
                    error => (*at, error.to_string()),
                };
                self.loader.report(place, FaultKind::Conflict { path: path.clone(), message });
                None
            }
        }
    }
}

/// Index of `channel` among `channels`, to which it is added.
fn read(channels: &mut Vec<Channel>, channel: &Channel) -> usize {
    channels.iter().position(|known| known.index == channel.index).unwrap_or_else(|| {
        channels.push(channel.clone());
        channels.len() - 1
    })
}
