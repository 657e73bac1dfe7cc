//! Butterworth filters.
//!
//! The poles of the low pass of order n and cutoff 1 lie on the left unit half circle at the angles (2 k + n - 1) π/2n:
//! a pair at -sin θ ± i cos θ with θ = (2 k - 1) π/2n has the damping ratio sin θ, an odd order has one pole at -1. A
//! high pass has the same poles and its zeros at 0. The band pass between ω₁ and ω₂ is the low pass of (s² + ω₁ ω₂)/(B
//! s) with B = ω₂ - ω₁: each pole p becomes the two roots of r² - p B r + ω₁ ω₂ = 0, so that its order is 2 n.
//! (Oppenheim, Schafer, "Discrete-Time Signal Processing", 3rd edition, appendix B.)

use super::section::Section;
use kinegraph_core::parameter::{self, ParameterError};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};
use nalgebra::Complex;
use std::f64::consts::FRAC_PI_2;

/// Band of frequencies that a [`Butterworth`] filter lets pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Band {
    /// Frequencies below this one \[rad/s\].
    Low(f64),
    /// Frequencies above this one \[rad/s\].
    High(f64),
    /// Frequencies between these two \[rad/s\].
    Between(f64, f64),
}

/// A Butterworth filter for n channels: as flat as its order allows in the band that passes, where its gain is 1; at
/// the limits of the band the gain is 1/√2, and beyond it falls by 20 dB per decade and order.
///
/// The filter is a chain of sections of second order in state space, the first of order one if the order is odd. The
/// gain of constant signals is 1 exactly in a low pass and 0 exactly in the others. A band pass of order n has 2 n
/// states.
pub struct Butterworth {
    /// u, width n.
    pub input: In<Dyn>,
    /// y, width n.
    pub output: Out<Dyn>,
    sections: Vec<Section>,
    ports: Ports,
}

/// Highest order of a filter: the gain of that order falls by 600 dB per decade, far beyond the digits of a double.
const MAX_ORDER: usize = 30;

impl Butterworth {
    /// Filters of `width` channels at rest at zero.
    ///
    /// # Errors
    /// An order that is not from 1 to 30, a frequency that is not finite or not positive, limits of a band in the wrong
    /// order.
    pub fn new(width: usize, order: usize, band: Band) -> Result<Self, ParameterError> {
        let is_valid = |n: f64| (1.0..=MAX_ORDER as f64).contains(&n);
        parameter::within("order", &[order as f64], "a whole number from 1 to 30", is_valid)?;
        let (from, to) = match band {
            Band::Low(to) => (None, Some(to)),
            Band::High(from) => (Some(from), None),
            Band::Between(from, to) => (Some(from), Some(to)),
        };
        for (name, frequency) in [("from", from), ("to", to)] {
            parameter::finite(name, frequency.as_slice())?;
            parameter::positive(name, frequency.as_slice())?;
        }
        if let (Some(from), Some(to)) = (from, to) {
            parameter::bounds(parameter::named("from", &[from]), parameter::named("to", &[to]))?;
        }
        let mut sections = Vec::new();
        if order % 2 == 1 {
            sections.push(real(band));
        }
        for k in 0..order / 2 {
            let angle = (2 * k + 1) as f64 * FRAC_PI_2 / order as f64;
            pair(band, angle, &mut sections);
        }
        let states: usize = sections.iter().map(Section::order).sum();
        let mut ports = Ports::new();
        let (input, output) = (ports.input_of_width("input", width), ports.output_of_width("output", width));
        if !sections.iter().all(Section::has_feedthrough) {
            ports.no_feedthrough(output);
        }
        ports.continuous_state("x", vec![0.0; parameter::held("order", states, width)?]);
        ports.units_alike([input], output);
        Ok(Butterworth { input, output, sections, ports })
    }
}

/// The section of the pole -1 of the low pass of odd order.
fn real(band: Band) -> Section {
    match band {
        Band::Low(frequency) => Section { frequency, damping_ratio: None, numerator: [1.0, 0.0, 0.0] },
        Band::High(frequency) => Section { frequency, damping_ratio: None, numerator: [0.0, 1.0, 0.0] },
        Band::Between(low, high) => {
            let frequency = (low * high).sqrt();
            let width = (high - low) / frequency;
            Section { frequency, damping_ratio: Some(0.5 * width), numerator: [0.0, width, 0.0] }
        }
    }
}

/// Adds the sections of the poles -sin θ ± i cos θ of the low pass.
fn pair(band: Band, angle: f64, sections: &mut Vec<Section>) {
    let (sin, cos) = angle.sin_cos();
    match band {
        Band::Low(frequency) => {
            sections.push(Section { frequency, damping_ratio: Some(sin), numerator: [1.0, 0.0, 0.0] });
        }
        Band::High(frequency) => {
            sections.push(Section { frequency, damping_ratio: Some(sin), numerator: [0.0, 0.0, 1.0] });
        }
        Band::Between(low, high) => {
            // The roots of both poles of the pair are conjugates: those of one make both sections.
            let half = Complex::new(-sin, cos) * (0.5 * (high - low));
            let spread = (half * half - Complex::from(low * high)).sqrt();
            for root in [half + spread, half - spread] {
                let frequency = root.norm();
                let numerator = [0.0, (high - low) / frequency, 0.0];
                sections.push(Section { frequency, damping_ratio: Some(-root.re / frequency), numerator });
            }
        }
    }
}

impl LeafSystem for Butterworth {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let y = out.slice(self.output);
        let states = ctx.continuous.len() / y.len().max(1);
        // Sections behind the last one without feedthrough are all that the output reads.
        let first = self.sections.iter().rposition(|section| !section.has_feedthrough());
        let before: usize = self.sections[..first.unwrap_or(0)].iter().map(Section::order).sum();
        for (i, y) in y.iter_mut().enumerate() {
            let mut signal = if first.is_some() { S::zero() } else { ctx.get(self.input)[i] };
            let mut x = &ctx.continuous[i * states + before..];
            for section in &self.sections[first.unwrap_or(0)..] {
                signal = section.output(x, signal);
                x = &x[section.order()..];
            }
            *y = signal;
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let (mut x, mut rates) = (ctx.continuous, derivatives);
        for &u in ctx.get(self.input) {
            let mut signal = u;
            for section in &self.sections {
                let (own, rest) = rates.split_at_mut(section.order());
                section.rates(x, signal, own);
                signal = section.output(x, signal);
                (x, rates) = (&x[section.order()..], rest);
            }
        }
    }
}
