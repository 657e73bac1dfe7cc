//! Pictures of a diagram: Graphviz source, and SVG without any further program.

mod dot;
mod drawing;
mod hierarchy;
mod layers;
mod legend;
mod place;
mod route;
mod svg;
mod text;

pub use drawing::{Drawing, DrawnBlock, DrawnPort, DrawnWire};
pub use hierarchy::short_type;
pub use layers::{Item, Link, Pin};
pub use place::{Placed, place};
pub use text::escape;

use super::channels::Channel;
use super::structure::Diagram;
use std::collections::HashSet;

impl Diagram {
    /// The diagram as Graphviz source: a table per block with its ports and their widths, sample times, direct
    /// feedthrough; plants, and blocks that are part of their convex step, in colour; nested diagrams as clusters. The
    /// same diagram gives the same text.
    pub fn to_dot(&self) -> String {
        dot::Dot { name: self.name(), root: &hierarchy::of(self) }.to_string()
    }

    /// The diagram as a picture in data. Each port lists which of `channels` belong to it.
    pub fn drawing(&self, channels: &[Channel]) -> Drawing {
        let mut drawing = drawing::of(&hierarchy::of(self));
        for block in drawing.blocks.iter_mut().filter(|block| !block.group) {
            let Ok(index) = self.find_block(&block.name) else { continue };
            let own = &self.blocks()[index];
            for port in &mut block.outputs {
                let Some(at) = own.system.ports().outputs().iter().position(|o| o.name == port.name) else { continue };
                port.choices.clone_from(&own.system.ports().outputs()[at].choices);
                // By name, since the state of a model is also a part of the state of its plant.
                let names: HashSet<String> = self.channels_of(index, at).into_iter().map(|c| c.name).collect();
                port.channels = (0..channels.len()).filter(|&c| names.contains(&channels[c].name)).collect();
            }
        }
        drawing
    }

    /// The diagram as SVG.
    pub fn to_svg(&self) -> String {
        svg::Svg { name: self.name(), root: &hierarchy::of(self) }.to_string()
    }
}
