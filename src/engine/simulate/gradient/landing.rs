//! Knots of a run: places where its motion has a kink or a jump, as zeros of functions of the state.
//!
//! A gap is the distance of two shapes, of a joint from its stop, or of a rope from being taut. A step that closes one
//! is taken again with another length, until its end has the gap closed to rounding; a touch is [`TOUCHED`] deep, so
//! that it is the same for runs nearby. The length is found by secants of the step itself: the motion within a step is
//! known less accurately than its end.

use super::numbers::{LANDED, MIN_STEP_RATIO, TOUCHED};
use crate::linearize::Layout;
use crate::simulate::event_table::Crossed;
use kinegraph_core::convex::{FEATURE_BITS, PlantPoint, surface_of};
use kinegraph_diagram::Diagram;

/// Steps of the search for a root.
const MAX_SECANTS: usize = 24;
/// Part of the span of the search by which the first secant reaches.
const FIRST_SECANT: f64 = 1e-3;
/// Ratio of the ends of a bracket, from its start, above which its digits are halved.
const BRACKET_RATIO: f64 = 16.0;
/// Value of the function, as a part of its change over the span, below which it may be rounding.
const SETTLED: f64 = 1e-9;

/// A gap of a plant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gap {
    /// Two shapes: bodies and the key of the contact point.
    Shapes { plant: usize, bodies: [usize; 2], key: u64 },
    /// One point of two shapes that touch at others too.
    Point { plant: usize, bodies: [usize; 2], key: u64 },
    /// A stop of a joint: index among the limits, and among its stops.
    Stop { plant: usize, limit: usize, side: usize },
    /// An end of a range of rows.
    Range { plant: usize, row: usize, side: usize },
}

/// Where a step ends, and the event that is there.
#[derive(Clone, Debug)]
pub(super) enum Knot {
    /// Functions of blocks cross zero.
    Event(Crossed),
    /// A gap closes or opens.
    Touch(Gap, Change),
}

/// Gaps of all plants at a state; keeps its memory.
#[derive(Clone, Default)]
pub(super) struct Gaps {
    points: Vec<PlantPoint>,
}

/// A gap with its width.
pub(super) type Width = (Gap, f64);

impl Gaps {
    /// Finds the gaps at `continuous`: all stops and ranges, and shapes up to `margin` \[m\] apart.
    pub fn find(
        &mut self,
        diagram: &Diagram,
        layout: &Layout,
        continuous: &[f64],
        margin: f64,
        found: &mut Vec<Width>,
    ) {
        found.clear();
        self.points.resize_with(layout.plants.len(), PlantPoint::default);
        for (p, (slot, point)) in layout.plants.iter().zip(&mut self.points).enumerate() {
            let plant = layout.plant(diagram, slot);
            let (q, v) = (&continuous[slot.positions.clone()], &continuous[slot.velocities.clone()]);
            for (l, limit) in plant.structure().limits.iter().enumerate() {
                let stops = limit.stops().enumerate();
                found.extend(stops.map(|(side, (sign, place))| {
                    (Gap::Stop { plant: p, limit: l, side }, sign * (q[limit.position] - place))
                }));
            }
            let mut row = 0;
            plant.range_gaps(q, v, &mut |gap| {
                let ends = gap.gaps.into_iter().enumerate().filter(|(_, width)| width.is_finite());
                found.extend(ends.map(|(side, width)| (Gap::Range { plant: p, row, side }, width)));
                row += 1;
            });
            plant.poses(q, point);
            plant.contacts(margin, point);
            found.extend(point.contacts.iter().map(|contact| {
                let bodies = [contact.body_a, contact.body_b];
                (Gap::Shapes { plant: p, bodies, key: contact.key }, -contact.depth)
            }));
        }
    }
}

impl Gap {
    /// True if both are gaps of the same two shapes, stop or range.
    pub fn is_of_same(&self, other: &Gap) -> bool {
        let pair = |key: u64| surface_of(key).unwrap_or(key >> FEATURE_BITS);
        match (self, other) {
            (Gap::Shapes { plant, bodies, key }, Gap::Shapes { plant: p, bodies: b, key: k }) => {
                (plant, bodies, pair(*key)) == (p, b, pair(*k))
            }
            (Gap::Point { .. }, Gap::Shapes { plant, bodies, key }) => {
                *self == Gap::Point { plant: *plant, bodies: *bodies, key: *key }
            }
            _ => self == other,
        }
    }

    /// Of two shapes, the gap of this point alone.
    pub fn of_point(self) -> Option<Gap> {
        match self {
            Gap::Shapes { plant, bodies, key } => Some(Gap::Point { plant, bodies, key }),
            _ => None,
        }
    }

    /// Name of its closing, in words.
    pub fn name(&self, diagram: &Diagram, layout: &Layout) -> String {
        let structure = |plant: usize| layout.plant(diagram, &layout.plants[plant]).structure();
        match *self {
            Gap::Shapes { plant, bodies: [a, b], .. } | Gap::Point { plant, bodies: [a, b], .. } => {
                let name = |body: usize| structure(plant).bodies.get(body).map_or("?", |body| body.name.as_str());
                format!("touch {} {}", name(a), name(b))
            }
            Gap::Stop { plant, limit, .. } => {
                let slot = &layout.plants[plant];
                let name = &diagram.state_names()[slot.positions.start + structure(plant).limits[limit].position];
                format!("stop {}", name.strip_suffix(".q").unwrap_or(name))
            }
            Gap::Range { plant, row, .. } => format!("range {row} of {}", layout.plants[plant].name),
        }
    }
}

/// Width of `gap` among those `found`; of shapes that have no point with its key, the smallest of the same shapes.
pub(super) fn width_of(gap: &Gap, found: &[Width]) -> Option<f64> {
    let same = found.iter().filter(|(other, _)| gap.is_of_same(other)).map(|(_, width)| *width);
    let exact = found.iter().find(|(other, _)| other == gap).map(|(_, width)| *width);
    exact.or_else(|| same.reduce(f64::min))
}

/// Smallest width of the shapes of `gap` among those `found`.
pub(super) fn width_least(gap: &Gap, found: &[Width]) -> Option<f64> {
    found.iter().filter(|(other, _)| gap.is_of_same(other)).map(|(_, width)| *width).reduce(f64::min)
}

/// A root that was found: its time \[s\], and the rate of the function there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub time: f64,
    pub rate: f64,
}

/// Finds the time near `guess` at which `f` is zero, between `low` and `high` \[s\], where `f` is the function at the
/// end of a step to a time. At `low` it is not crossed; the root has `f` within `close` of zero, or on the side of
/// `crossed` (the sign beyond it). By secants; where a secant leads out of the bracket, by halving it, or the number of
/// its digits where it begins at `low`. The last evaluation is that of the root.
pub(super) fn root<E>(
    guess: f64,
    (low, high): (f64, f64),
    (crossed, close): (f64, f64),
    mut f: impl FnMut(f64) -> Result<f64, E>,
) -> Result<Option<Root>, E> {
    let span = high - low;
    let shortest = low + MIN_STEP_RATIO * span;
    let first = guess.clamp(shortest, high);
    let apart = FIRST_SECANT * span;
    let second = if first + apart < high { first + apart } else { first - apart };
    let (mut before, mut beyond) = (low, f64::INFINITY);
    let mut at = |time: f64| -> Result<(f64, f64, f64, f64), E> {
        let value = f(time)?;
        if value * crossed >= 0.0 {
            beyond = beyond.min(time);
        } else if time < beyond {
            before = before.max(time);
        }
        Ok((time, value, before, beyond))
    };
    let (mut a, mut fa, ..) = at(second)?;
    let (mut b, mut fb, mut before, mut beyond) = at(first)?;
    let mut rate = (fb - fa) / (b - a);
    let rounding = 2.0 * f64::EPSILON * high.abs().max(span);
    for _ in 0..MAX_SECANTS {
        // Rounding of the function itself keeps it from getting smaller.
        let is_settled = fb.abs() <= SETTLED * (rate * span).abs() && fb.abs() > 0.5 * fa.abs();
        if fb.abs() <= close || is_settled || beyond - before <= rounding {
            break;
        }
        let secant = b - fb * (b - a) / (fb - fa);
        let next = if secant > before.max(shortest) && secant < beyond.min(high) {
            secant
        } else if beyond.is_finite() {
            let (near, far) = (before.max(shortest) - low, beyond - low);
            if far > BRACKET_RATIO * near { low + (near * far).sqrt() } else { 0.5 * (before + beyond) }
        } else if before < high {
            high
        } else {
            return Ok(None);
        };
        if (next - b).abs() <= rounding {
            break;
        }
        if (b - a).abs() > 1e-9 * span {
            rate = (fb - fa) / (b - a);
        }
        (a, fa) = (b, fb);
        (b, fb, before, beyond) = at(next)?;
    }
    // A root that was not approached is none.
    if fb.abs() > (1e-6 * (rate * span).abs()).max(TOUCHED) || !fb.is_finite() || rate == 0.0 {
        return Ok(None);
    }
    // To the far side.
    let mut nudge = rounding.max(2.0 * (fb / rate).abs());
    while fb * crossed < -close && nudge < 1e-6 * span {
        (b, fb, ..) = at((b + nudge).min(high))?;
        nudge *= 4.0;
    }
    Ok((fb * crossed >= -close).then_some(Root { time: b, rate }))
}

/// The time after `low` at which the function of a knot is zero in a run beside, by Newton's method from `guess` with
/// the rate of the run itself; `None` if there is none near. The run itself has it `at` a time; the time beside is
/// found to a part of its distance from that one, or of the `distance` of the runs, and the function to `close`.
pub(super) fn root_beside<E>(
    at: Root,
    guess: f64,
    low: f64,
    (distance, close): (f64, f64),
    mut f: impl FnMut(f64) -> Result<f64, E>,
) -> Result<Option<f64>, E> {
    let (span, mut rate) = (at.time - low, at.rate);
    let mut time = guess.max(low + MIN_STEP_RATIO * span);
    let mut last: Option<(f64, f64)> = None;
    for _ in 0..MAX_SECANTS {
        let value = f(time)?;
        if let Some((t, v)) = last {
            // The slope of the run beside, where it is like that of the run.
            let (slope, expected) = ((value - v) / (time - t), rate.abs());
            if slope.abs() > 0.25 * expected && slope.abs() < 4.0 * expected {
                rate = slope;
            }
        }
        last = Some((time, value));
        let step = -value / rate;
        if !step.is_finite() {
            break;
        }
        let rounding = 2.0 * f64::EPSILON * time.abs().max(span);
        let is_close = value.abs() <= close && step.abs() <= LANDED * distance.max((time - at.time).abs());
        if is_close || step.abs() <= rounding {
            return Ok(Some(time));
        }
        time += step.clamp(-span, span);
        if time <= low + MIN_STEP_RATIO * span {
            break;
        }
    }
    // Rounding may keep the last step from vanishing.
    let is_near = last.is_some_and(|(t, value)| t == time || (value / rate).abs() <= 1e-9 * span); // rounding
    Ok(is_near.then_some(time).filter(|time| *time > low))
}

/// Change of a gap at a knot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The gap closes.
    Closes,
    /// The gap opens.
    Opens,
}

impl Change {
    /// Function of the width that is zero at the knot: a little beyond, so that runs nearby are all in contact, or all
    /// apart.
    pub fn zero(self, width: f64) -> f64 {
        width - self.sign() * TOUCHED
    }

    /// Sign of the function beyond the knot.
    pub fn sign(self) -> f64 {
        match self {
            Change::Closes => -1.0,
            Change::Opens => 1.0,
        }
    }
}
