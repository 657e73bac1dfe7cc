//! A path through waypoints within limits of velocity, acceleration and jerk.

use super::piecewise_polynomial::PiecewisePolynomial;
use super::s_curve::{Limits, s_curve};
use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::port::{Tick, simultaneous};
use kinegraph_core::{Context, Dyn, LeafSystem, MultibodyState, Out, Outputs, Ports, Scalar, TimeVariation};

/// The fastest path on straight lines from waypoint to waypoint, at rest at each, within the limits of all channels.
///
/// The channels of a line start and stop together; at any time the one that is nearest to its limit decides. A line has
/// the seven phases of the S-curve, or without a limit of the jerk the three of a trapezoid of the velocity. The begin
/// of each phase, where the jerk (or the acceleration) jumps, is an event: no step goes over it. Before the start the
/// path rests at the first waypoint, behind its end at the last.
pub struct Waypoints {
    /// x(t), width n.
    pub position: Out<Dyn>,
    /// dx/dt, width n \[1/s\].
    pub velocity: Out<Dyn>,
    /// d²x/dt², width n \[1/s²\].
    pub acceleration: Out<Dyn>,
    /// x(t), then dx/dt; width 2n.
    pub state: Out<MultibodyState>,
    end: f64,
    path: PiecewisePolynomial,
}

/// Limits and times of [`Waypoints`]; limits are one for all channels or one each.
#[derive(Clone, Debug, PartialEq)]
pub struct WaypointSettings {
    /// Largest velocity \[1/s\].
    pub velocity: PerChannel,
    /// Largest acceleration \[1/s²\].
    pub acceleration: PerChannel,
    /// Largest jerk \[1/s³\]; `None`: no limit.
    pub jerk: Option<PerChannel>,
    /// Time at which the path leaves the first waypoint \[s\].
    pub start: f64,
    /// Rest at each waypoint between the first and the last \[s\].
    pub dwell: f64,
}

impl WaypointSettings {
    /// Limits of velocity and acceleration, from time zero on, without rests.
    pub fn new(velocity: impl Into<PerChannel>, acceleration: impl Into<PerChannel>) -> Self {
        let (velocity, acceleration) = (velocity.into(), acceleration.into());
        WaypointSettings { velocity, acceleration, jerk: None, start: 0.0, dwell: 0.0 }
    }
}

/// A path that is being made.
struct Planned {
    breaks: Vec<f64>,
    coefficients: Vec<Vec<Vec<f64>>>,
}

impl Planned {
    /// Adds a segment, unless it is shorter than the rounding of its time.
    fn add(&mut self, duration: f64, segment: Vec<Vec<f64>>) {
        let begin = self.breaks[self.breaks.len() - 1];
        let end = begin + duration;
        if end - begin > 2.0 * simultaneous(end) {
            self.breaks.push(end);
            self.coefficients.push(segment);
        }
    }
}

impl Waypoints {
    /// A path through `points`, each a list of n numbers.
    ///
    /// # Errors
    /// No points, points of different widths or without numbers, a list of limits that is not n long, a limit that is
    /// not positive, a negative dwell, a number that is not finite.
    pub fn new(points: &[Vec<f64>], settings: WaypointSettings) -> Result<Self, ParameterError> {
        let width = points.first().map_or(0, Vec::len);
        if width == 0 {
            return Err(ParameterError::Empty { parameter: "points".into() });
        }
        for (i, point) in points.iter().enumerate() {
            let name = format!("points[{i}]");
            parameter::size(&name, point.len(), width)?;
            parameter::finite(&name, point)?;
        }
        let velocity = settings.velocity.expand("velocity", width)?;
        let acceleration = settings.acceleration.expand("acceleration", width)?;
        let jerk = settings.jerk.map(|jerk| jerk.expand("jerk", width)).transpose()?;
        parameter::positive("velocity", &velocity)?;
        parameter::positive("acceleration", &acceleration)?;
        parameter::positive("jerk", jerk.as_deref().unwrap_or_default())?;
        parameter::finite("start", &[settings.start])?;
        parameter::finite("dwell", &[settings.dwell])?;
        parameter::within("dwell", &[settings.dwell], "a number that is not negative", |x| x >= 0.0)?;
        let mut planned = Planned { breaks: vec![settings.start], coefficients: Vec::new() };
        for (k, ends) in points.windows(2).enumerate() {
            let way: Vec<f64> = ends[1].iter().zip(&ends[0]).map(|(to, from)| to - from).collect();
            // Limits of the fraction of the line: those of the channel that meets its own first.
            let least = |limits: &[f64]| {
                let each = limits.iter().zip(&way).filter(|(_, way)| **way != 0.0);
                each.map(|(limit, way)| limit / way.abs()).fold(f64::INFINITY, f64::min)
            };
            if way.iter().any(|&way| way != 0.0) {
                let limits = Limits {
                    velocity: least(&velocity),
                    acceleration: least(&acceleration),
                    jerk: jerk.as_deref().map_or(f64::INFINITY, least),
                };
                for phase in s_curve(1.0, limits) {
                    let [c0, c1, c2, c3] = phase.coefficients;
                    let channel = |i: usize| vec![ends[0][i] + way[i] * c0, way[i] * c1, way[i] * c2, way[i] * c3];
                    planned.add(phase.duration, (0..width).map(channel).collect());
                }
            }
            if k + 2 < points.len() {
                planned.add(settings.dwell, ends[1].iter().map(|&x| vec![x]).collect());
            }
        }
        let end = planned.breaks[planned.breaks.len() - 1];
        if planned.coefficients.is_empty() {
            // A path without any way rests on a segment of any length.
            planned.breaks.push(settings.start + 1.0 + settings.start.abs());
            planned.coefficients.push(points[0].iter().map(|&x| vec![x]).collect());
        }
        let path = PiecewisePolynomial::new(planned.breaks, planned.coefficients)?;
        let PiecewisePolynomial { position, velocity, acceleration, state, .. } = path;
        Ok(Waypoints { position, velocity, acceleration, state, end, path })
    }

    /// Time at which the path comes to rest at the last waypoint \[s\].
    pub fn end(&self) -> f64 {
        self.end
    }
}

impl LeafSystem for Waypoints {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        LeafSystem::ports(&self.path)
    }

    fn time_variation(&self, times: (f64, f64)) -> TimeVariation {
        LeafSystem::time_variation(&self.path, times)
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        self.path.outputs(ctx, out);
    }

    fn update(&self, tick: Tick, ctx: &Context<f64>, next: &mut [f64]) {
        LeafSystem::update(&self.path, tick, ctx, next);
    }
}
