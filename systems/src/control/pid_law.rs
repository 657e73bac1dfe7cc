//! The law of the PID blocks, one channel at a time.
//!
//! ```text
//! raw = kp e + ki z + kd d,   effort = raw within [lower, upper]
//! ```
//!
//! e is the error, d its rate. **Windup.** If the integral keeps growing while the effort is at a limit, it has to
//! shrink again later, and the motion overshoots meanwhile. Two remedies:
//!
//! ```text
//! clamping           ż = 0 while the effort is at a limit and ki e pushes beyond it; ż = e otherwise
//! back calculation   ż = e + (effort - raw)/(ki T):   raw returns to the limit with the tracking time T
//! ```
//!
//! (Åström, Hägglund, "Advanced PID Control", ISA 2006, section 3.5.) Back calculation is continuous. Clamping
//! switches, and if it keeps raw at the limit it switches without end: an integrator with error control then takes
//! small steps.

use kinegraph_core::Scalar;
use kinegraph_core::parameter::{self, ParameterError, PerChannel};

/// Anti-windup of a [`Pid`](super::Pid), which bounds the integral while the effort is at a limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AntiWindup {
    /// Back calculation with this tracking time \[s\], one for all channels or one each; by default kp/ki, the integral
    /// time.
    BackCalculation(Option<PerChannel>),
    /// Clamping: the integral rests while it pushes beyond the limit.
    Clamping,
    /// None: the integral winds up.
    #[default]
    Off,
}

/// Gains, limits and filter of a PID block, each one for all channels or one each.
#[derive(Clone, Debug, PartialEq)]
pub struct PidSettings {
    /// Gains on the error.
    pub kp: PerChannel,
    /// Gains on the integral of the error \[1/s of kp\].
    pub ki: PerChannel,
    /// Gains on the rate of the error \[s of kp\].
    pub kd: PerChannel,
    /// Time constant of the low-pass on the rate of the error \[s\].
    pub derivative_filter: Option<PerChannel>,
    /// Lower limits of the effort.
    pub lower: Option<PerChannel>,
    /// Upper limits of the effort.
    pub upper: Option<PerChannel>,
    /// Anti-windup at the limits.
    pub anti_windup: AntiWindup,
}

impl PidSettings {
    /// Gains only: no filter, no limits.
    pub fn new(kp: impl Into<PerChannel>, ki: impl Into<PerChannel>, kd: impl Into<PerChannel>) -> Self {
        PidSettings {
            kp: kp.into(),
            ki: ki.into(),
            kd: kd.into(),
            derivative_filter: None,
            lower: None,
            upper: None,
            anti_windup: AntiWindup::Off,
        }
    }

    /// The settings with their derivative filter or, without one, a filter of kd/kp/10.
    pub(super) fn filtered(self, channels: usize) -> Result<Self, ParameterError> {
        let (kp, kd) = (self.kp.clone().expand("kp", channels)?, self.kd.clone().expand("kd", channels)?);
        let derivative_filter = self.derivative_filter.clone().unwrap_or_else(|| {
            // A tenth of the derivative time is the usual choice; a channel without derivative does not use it.
            PerChannel::Each(kp.iter().zip(&kd).map(|(p, d)| if *d == 0.0 { 1.0 } else { 0.1 * d / p }).collect())
        });
        Ok(PidSettings { derivative_filter: Some(derivative_filter), ..self })
    }
}

/// The settings, checked and expanded.
#[derive(Clone, Debug)]
pub(super) struct PidLaw {
    pub channels: usize,
    pub filter: Option<Vec<f64>>,
    pub integrates: bool,
    pub differentiates: bool,
    kp: Vec<f64>,
    ki: Vec<f64>,
    kd: Vec<f64>,
    limits: Option<(Vec<f64>, Vec<f64>)>,
    windup: Windup,
}

#[derive(Clone, Debug)]
enum Windup {
    BackCalculation(Vec<f64>),
    Clamping,
    Off,
}

impl PidLaw {
    pub fn new(channels: usize, settings: PidSettings) -> Result<Self, ParameterError> {
        let PidSettings { kp, ki, kd, derivative_filter, lower, upper, anti_windup } = settings;
        let (kp, ki) = (kp.expand("kp", channels)?, ki.expand("ki", channels)?);
        let kd = kd.expand("kd", channels)?;
        let filter = match derivative_filter {
            Some(filter) => Some(positive("derivative_filter", filter, channels)?),
            None => None,
        };
        let limits = if lower.is_some() || upper.is_some() {
            let lower = lower.map_or(Ok(vec![f64::NEG_INFINITY; channels]), |l| l.expand("lower", channels))?;
            let upper = upper.map_or(Ok(vec![f64::INFINITY; channels]), |u| u.expand("upper", channels))?;
            parameter::bounds(parameter::named("lower", &lower), parameter::named("upper", &upper))?;
            Some((lower, upper))
        } else {
            None
        };
        let windup = match anti_windup {
            AntiWindup::Off => Windup::Off,
            AntiWindup::Clamping => Windup::Clamping,
            AntiWindup::BackCalculation(Some(time)) => {
                Windup::BackCalculation(positive("tracking_time", time, channels)?)
            }
            AntiWindup::BackCalculation(None) => {
                // A channel without integral does not use it.
                let time = |i: usize| if ki[i] == 0.0 { 1.0 } else { kp[i] / ki[i] };
                let times: Vec<f64> = (0..channels).map(time).collect();
                parameter::within("tracking_time (kp/ki)", &times, "a number above 0: give `tracking_time`", |t| {
                    t > 0.0 && t.is_finite()
                })?;
                Windup::BackCalculation(times)
            }
        };
        let [integrates, differentiates] = [&ki, &kd].map(|gains| gains.iter().any(|&k| k != 0.0));
        Ok(PidLaw { channels, filter, integrates, differentiates, kp, ki, kd, limits, windup })
    }

    /// kp e + ki z + kd d of channel `i`.
    pub fn raw<S: Scalar>(&self, i: usize, e: S, z: S, d: S) -> S {
        S::constant(self.kp[i]) * e + S::constant(self.kd[i]) * d + S::constant(self.ki[i]) * z
    }

    /// The integral z of channel `i` with which kp e + ki z + kd d is `raw`; `None` without integral gain.
    pub fn integral_of(&self, i: usize, raw: f64, e: f64, d: f64) -> Option<f64> {
        (self.ki[i] != 0.0).then(|| (raw - self.raw(i, e, 0.0, d)) / self.ki[i])
    }

    /// True if the effort has limits.
    pub fn is_limited(&self) -> bool {
        self.limits.is_some()
    }

    /// `raw` within the limits of channel `i`.
    pub fn effort<S: Scalar>(&self, i: usize, raw: S) -> S {
        match &self.limits {
            Some((lower, _)) if raw.value() < lower[i] => S::constant(lower[i]),
            Some((_, upper)) if raw.value() > upper[i] => S::constant(upper[i]),
            _ => raw,
        }
    }

    /// ż of channel `i`.
    pub fn integral_rate<S: Scalar>(&self, i: usize, e: S, raw: S) -> S {
        if self.ki[i] == 0.0 {
            return S::zero();
        }
        let excess = raw - self.effort(i, raw);
        match &self.windup {
            Windup::BackCalculation(time) if excess.value() != 0.0 => e - excess / S::constant(self.ki[i] * time[i]),
            Windup::Clamping if excess.value() * self.ki[i] * e.value() > 0.0 => S::zero(),
            _ => e,
        }
    }
}

fn positive(parameter: &str, value: PerChannel, channels: usize) -> Result<Vec<f64>, ParameterError> {
    let values = value.expand(parameter, channels)?;
    parameter::positive(parameter, &values)?;
    Ok(values)
}
