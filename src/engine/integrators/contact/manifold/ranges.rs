//! Time at which free motion meets the end of a range: where a rope becomes taut.

use super::stops::met;
use crate::linearize::External;
use kinegraph_core::convex::RangeGap;

/// The gaps of all ranges at both ends of a step; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct RangeEnds([Vec<RangeGap>; 2]);

impl RangeEnds {
    /// Time at which the cubic through both ends of a step of length `h` \[s\] first meets the end of a range, where a
    /// gap of `touch` \[m, rad\] counts as closed.
    pub fn met(&mut self, external: &External, touch: f64, h: f64, ends: [&[f64]; 2]) -> Option<f64> {
        let (diagram, layout) = (external.diagram(), external.layout());
        for (gaps, continuous) in self.0.iter_mut().zip(ends) {
            gaps.clear();
            for slot in &layout.plants {
                let (q, v) = (&continuous[slot.positions.clone()], &continuous[slot.velocities.clone()]);
                layout.plant(diagram, slot).range_gaps(q, v, &mut |gap| gaps.push(gap));
            }
        }
        let [starts, ends] = &self.0;
        let pairs = starts.iter().zip(ends).flat_map(|(start, end)| {
            [(0, 1.0), (1, -1.0)]
                .map(|(side, sign)| ([start.gaps[side], end.gaps[side]], [sign * start.rate, sign * end.rate]))
        });
        let first =
            pairs.filter(|(gaps, _)| gaps[0].is_finite()).filter_map(|(gaps, rates)| met(touch, h, gaps, rates));
        first.reduce(f64::min)
    }
}
