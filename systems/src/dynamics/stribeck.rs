//! The Stribeck curve: friction in steady sliding.
//!
//! ```text
//! g(v) = F_c + (F_s - F_c) exp(-(v/v_s)²),   force at the speed v: g(v) + σ₂ |v|, against the motion
//! ```
//!
//! (Armstrong-Hélouvry, Dupont, Canudas de Wit, "A survey of models, analysis tools and compensation methods for the
//! control of machines with friction", Automatica 30, 1994.)

use kinegraph_core::Scalar;
use kinegraph_core::parameter::{self, ParameterError, PerChannel};

/// Parameters of the friction of sliding, each one for all elements or one each; torques and angles in place of forces
/// and lengths for what turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Sliding {
    /// F_c, friction of fast sliding without its viscous part \[N\].
    pub coulomb: PerChannel,
    /// F_s, friction of the slowest sliding; not below `coulomb` \[N\].
    pub breakaway: PerChannel,
    /// v_s, speed over which the friction falls from `breakaway` to `coulomb` \[m/s\].
    pub stribeck_speed: PerChannel,
    /// σ₂ \[N s/m\].
    pub viscous: PerChannel,
}

/// The curve of one element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    coulomb: f64,
    breakaway: f64,
    speed: f64,
    /// σ₂.
    pub viscous: f64,
}

impl Curve {
    /// The curves of `width` elements.
    pub fn of(sliding: Sliding, width: usize) -> Result<Vec<Self>, ParameterError> {
        let coulomb = sliding.coulomb.expand("coulomb", width)?;
        let breakaway = sliding.breakaway.expand("breakaway", width)?;
        let speed = sliding.stribeck_speed.expand("stribeck_speed", width)?;
        let viscous = sliding.viscous.expand("viscous", width)?;
        parameter::positive("coulomb", &coulomb)?;
        let excess: Vec<f64> = breakaway.iter().zip(&coulomb).map(|(most, least)| most - least).collect();
        parameter::within("breakaway (less coulomb)", &excess, "a number that is not negative", |x| x >= 0.0)?;
        parameter::positive("stribeck_speed", &speed)?;
        parameter::within("viscous", &viscous, "a number that is not negative", |x| x >= 0.0)?;
        let curve = |i| Curve { coulomb: coulomb[i], breakaway: breakaway[i], speed: speed[i], viscous: viscous[i] };
        Ok((0..width).map(curve).collect())
    }

    /// g(v).
    pub fn at<S: Scalar>(&self, v: S) -> S {
        let ratio = v / S::constant(self.speed);
        S::constant(self.coulomb) + S::constant(self.breakaway - self.coulomb) * (-ratio * ratio).exp()
    }
}
