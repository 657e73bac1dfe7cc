//! Hysteresis of a spring that yields, by the model of Bouc and Wen.
//!
//! ```text
//! force = α k x + (1 - α) k z,   ż = ẋ - b |ẋ| (z/d) |z/d|^(n-1) - (1 - b) ẋ |z/d|^n
//! ```
//!
//! Normalized form of A ẋ - β |ẋ| |z|^(n-1) z - γ ẋ |z|^n with A = 1, β = b/dⁿ and γ = (1 - b)/dⁿ. With 1/2
//! <= b <= 1 the loops dissipate energy, as those of a material do. (Wen, "Method for random vibration of hysteretic
//! systems", Journal of the Engineering Mechanics Division 102, 1976; Ismail, Ikhouane, Rodellar, "The hysteresis
//! Bouc-Wen model, a survey", Archives of Computational Methods in Engineering 16, 2009.)

use kinegraph_core::parameter::{self, ParameterError, PerChannel};
use kinegraph_core::{Context, Dyn, In, LeafSystem, Out, Outputs, Ports, Scalar};

/// Springs that yield and keep a part of their deformation, element by element, by the model of Bouc and Wen.
///
/// The stiffness is k at first and after each reversal (with b = 1/2), and α k once the spring yields, about the yield
/// displacement d; the exponent n makes the bend between the two sharper. With α = 0 and the force limited to k d it is
/// also a model of friction with a presliding spring.
pub struct Hysteresis {
    /// x, width n \[m or rad\].
    pub displacement: In<Dyn>,
    /// ẋ, width n \[m/s or rad/s\].
    pub rate: In<Dyn>,
    /// Width n, in the direction of the displacement \[N or N m\].
    pub force: Out<Dyn>,
    springs: Vec<Spring>,
    ports: Ports,
}

/// Parameters of a [`Hysteresis`], each one for all elements or one each.
#[derive(Clone, Debug, PartialEq)]
pub struct HysteresisSettings {
    /// k \[N/m or N m/rad\].
    pub stiffness: PerChannel,
    /// α, stiffness behind the yield relative to k; from 0 to 1.
    pub yielded_stiffness_ratio: PerChannel,
    /// d \[m or rad\].
    pub yield_displacement: PerChannel,
    /// n, at least 1.
    pub exponent: PerChannel,
    /// b, from 1/2 to 1: it unloads at first with the stiffness 2 b k.
    pub shape: PerChannel,
}

/// One spring.
#[derive(Clone, Copy, Debug)]
struct Spring {
    stiffness: f64,
    ratio: f64,
    displacement: f64,
    exponent: f64,
    shape: f64,
}

impl Spring {
    /// ż at the rate ẋ.
    fn rate<S: Scalar>(&self, rate: S, z: S) -> S {
        let ratio = z / S::constant(self.displacement);
        // The power and its slope, also where z is zero and the slope of the power of |z| has no formula.
        let (value, n) = (ratio.value(), self.exponent);
        let (power, slope) = (value.abs().powf(n), n * value.abs().powf(n - 1.0));
        let even = S::with_partials(power, &ratio.partials().map(|p| p * slope * value.signum()));
        let odd = S::with_partials(power * value.signum(), &ratio.partials().map(|p| p * slope));
        rate - S::constant(self.shape) * rate.abs() * odd - S::constant(1.0 - self.shape) * rate * even
    }
}

impl Hysteresis {
    /// Springs of `width` elements, which start without deformation.
    ///
    /// # Errors
    /// A list that is not `width` long, a number that is not finite or not in its range.
    pub fn new(width: usize, settings: HysteresisSettings) -> Result<Self, ParameterError> {
        let stiffness = settings.stiffness.expand("stiffness", width)?;
        let ratio = settings.yielded_stiffness_ratio.expand("yielded_stiffness_ratio", width)?;
        let displacement = settings.yield_displacement.expand("yield_displacement", width)?;
        let exponent = settings.exponent.expand("exponent", width)?;
        let shape = settings.shape.expand("shape", width)?;
        parameter::positive("stiffness", &stiffness)?;
        parameter::within("yielded_stiffness_ratio", &ratio, "a number from 0 to 1", |x| (0.0..=1.0).contains(&x))?;
        parameter::positive("yield_displacement", &displacement)?;
        parameter::within("exponent", &exponent, "a number of at least 1", |n| n >= 1.0)?;
        parameter::within("shape", &shape, "a number from 0.5 to 1", |b| (0.5..=1.0).contains(&b))?;
        let spring = |i: usize| Spring {
            stiffness: stiffness[i],
            ratio: ratio[i],
            displacement: displacement[i],
            exponent: exponent[i],
            shape: shape[i],
        };
        let mut ports = Ports::new();
        let [displacement_port, rate] = ["displacement", "rate"].map(|name| ports.input_of_width(name, width));
        let force = ports.output_of_width("force", width);
        ports.feedthrough(force, displacement_port);
        ports.continuous_state("z", vec![0.0; width]);
        let springs = (0..width).map(spring).collect();
        Ok(Hysteresis { displacement: displacement_port, rate, force, springs, ports })
    }
}

impl LeafSystem for Hysteresis {
    kinegraph_core::compiled_here!();

    fn ports(&self) -> &Ports {
        &self.ports
    }

    fn has_kinks(&self) -> bool {
        true
    }

    fn outputs<S: Scalar>(&self, ctx: &Context<S>, out: &mut Outputs<S>) {
        let displacements = ctx.get(self.displacement);
        for (i, force) in out.slice(self.force).iter_mut().enumerate() {
            let Spring { stiffness, ratio, .. } = self.springs[i];
            *force = S::constant(ratio * stiffness) * displacements[i]
                + S::constant((1.0 - ratio) * stiffness) * ctx.continuous[i];
        }
    }

    fn derivatives<S: Scalar>(&self, ctx: &Context<S>, derivatives: &mut [S]) {
        let rates = ctx.get(self.rate);
        for (i, rate) in derivatives.iter_mut().enumerate() {
            *rate = self.springs[i].rate(rates[i], ctx.continuous[i]);
        }
    }
}
