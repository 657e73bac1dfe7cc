//! Contact parameters of geoms as stiffness and dissipation.
//!
//! The format holds two bodies apart by a damped spring per unit of the mass that moves, which the impedance d(r) of
//! the penetration r lets through in part. With `solimp` (d₀, d_w, width, m, p) and x = min(1, r/width)
//!
//! ```text
//! y = x^p / m^(p-1) for x <= m, else 1 - (1-x)^p / (1-m)^(p-1);   d = d₀ + y (d_w - d₀)
//! solref (T, ζ) > 0:    k = d / (d_w² T² ζ²)
//! solref (-K, -B) <= 0: k = K d / d_w²,   ζ = B / (2 √K)
//! ```
//!
//! a body at rest sinks in by r* = (1 - d) g / (d k), whatever its mass. A spring with the same rest depth has the
//! stiffness m g / r* per mass m, and with the same damping ratio the Hunt-Crossley dissipation 2 ζ / √(g r*). Both are
//! choices: contact here has no equivalent of an impedance. m is the mass of everything that moves with the body; what
//! does not move is rigid, and two moving sides in series have their reduced mass.

use super::fields::Fields;
use super::log::Log;
use kinegraph_multibody::scene_data::{Surface, TouchingPair};

/// Where the file has no gravity \[m/s²\].
const STANDARD_GRAVITY: f64 = 9.81;

/// A contact law per unit of mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law {
    /// \[s⁻²\]
    pub stiffness: f64,
    /// \[s/m\]
    pub dissipation: f64,
}

/// The parameters of an impedance.
#[derive(Clone, Copy, Debug)]
pub struct Impedance {
    /// The impedance over the depth, as MJCF has it.
    pub solimp: [f64; 5],
    /// Time constant and damping ratio, or stiffness and damping where negative, as MJCF has it.
    pub solref: [f64; 2],
}

impl Impedance {
    fn impedance(&self, r: f64) -> f64 {
        let [d0, dw, width, m, p] = self.solimp;
        let x = if width > 0.0 { (r / width).min(1.0) } else { 1.0 };
        let y = if p == 1.0 {
            x
        } else if x <= m {
            x.powf(p) / m.powf(p - 1.0)
        } else {
            1.0 - (1.0 - x).powf(p) / (1.0 - m).powf(p - 1.0)
        };
        d0 + y * (dw - d0)
    }

    fn stiffness(&self, d: f64) -> f64 {
        let dw = self.solimp[1];
        let [a, b] = self.solref;
        if a > 0.0 { d / (dw * a * b).powi(2) } else { -a * d / (dw * dw) }
    }

    /// The damping ratio that `solref` stands for.
    pub fn damping_ratio(&self) -> f64 {
        let [a, b] = self.solref;
        if a > 0.0 { b } else { -b / (2.0 * (-a).max(f64::MIN_POSITIVE).sqrt()) }
    }

    /// The penetration at rest under gravity `g`.
    pub fn rest_depth(&self, g: f64) -> f64 {
        let excess = |r: f64| {
            let d = self.impedance(r);
            r - (1.0 - d) * g / (d * self.stiffness(d))
        };
        // It grows with r from below zero; the bound is where the impedance is least.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if excess(middle) > 0.0 { high = middle } else { low = middle }
        }
        0.5 * (low + high)
    }
}

/// The law of a geom under gravity `g` \[m/s²\]; `None` where its parameters make none.
pub(super) fn law(f: &Fields<'_>, g: f64, log: &mut Log<'_>) -> Option<Law> {
    law_of(f, ["solref", "solimp"], g, log)
}

/// Stiffness and damping per unit of inertia of a stop, from the attributes `solreflimit` and `solimplimit`.
///
/// The format's rule is the force `f = -(b x' + d k x + x'')/R` with `R = (1 - d)/d` per unit of inertia: a spring, a
/// damper and an inertia d/(1 - d) that moves along. The first two are taken, at the largest impedance d. At rest the
/// depth is the same; and so, nearly, is the time in which what was pressed in leaves (b and k are those of a
/// critically damped motion in the format, of an overdamped one without the inertia).
pub(super) fn stop_of(f: &Fields<'_>, [ref_key, imp_key]: [&str; 2], log: &mut Log<'_>) -> Option<[f64; 2]> {
    let impedance = impedance_of(f, [ref_key, imp_key], log);
    let d = impedance.solimp[1];
    let k = d * impedance.stiffness(d);
    let law = [k, 2.0 * impedance.damping_ratio().max(0.0) * k.sqrt()].map(|x| x / (1.0 - d));
    law.iter().all(|x| x.is_finite() && *x > 0.0).then_some(law)
}

/// The rate at which dry friction has its full force, per acceleration that this force gives \[s\]; `None` where
/// neither `solreffriction` nor `solimpfriction` is stated.
///
/// The format's rule is the force `-(b v + a)/R`, at most the friction, with R as for stops at no depth, `(1 - d)/d`
/// per unit of inertia: a damper up to the rate `F R/b`.
pub(super) fn creep_of(f: &Fields<'_>, log: &mut Log<'_>) -> Option<f64> {
    let keys = ["solreffriction", "solimpfriction"];
    keys.iter().any(|key| f.has(key)).then_some(())?;
    let Impedance { solimp: [d0, dw, width, ..], solref: [a, b] } = impedance_of(f, keys, log);
    let d = if width > 0.0 { d0 } else { 0.5 * (d0 + dw) };
    let damping = if a > 0.0 { 2.0 / a } else { -b } / dw;
    Some((1.0 - d) / (d * damping)).filter(|creep| creep.is_finite() && *creep > 0.0)
}

/// The law that the attributes `solref` and `solimp`, or others in their place, say.
pub(super) fn law_of(f: &Fields<'_>, [ref_key, imp_key]: [&str; 2], g: f64, log: &mut Log<'_>) -> Option<Law> {
    let impedance = impedance_of(f, [ref_key, imp_key], log);
    let g = if g > 0.0 { g } else { STANDARD_GRAVITY };
    let depth = impedance.rest_depth(g);
    let law = Law { stiffness: g / depth, dissipation: 2.0 * impedance.damping_ratio().max(0.0) / (g * depth).sqrt() };
    (law.stiffness.is_finite() && law.dissipation.is_finite() && depth > 0.0).then_some(law)
}

fn impedance_of(f: &Fields<'_>, [ref_key, imp_key]: [&str; 2], log: &mut Log<'_>) -> Impedance {
    let (mut solimp, mut solref) = ([0.9, 0.95, 0.001, 0.5, 2.0], [0.02, 1.0]);
    f.overlay(imp_key, &mut solimp, log);
    f.overlay(ref_key, &mut solref, log);
    // As the format bounds them.
    let within = |x: f64| x.clamp(1e-4, 0.9999);
    let [d0, dw, width, m, p] = solimp;
    Impedance { solimp: [within(d0), within(dw), width.max(0.0), within(m), p.max(1.0)], solref }
}

/// The surface of a geom on a body with which `mass` moves; infinite: nothing does.
pub(super) fn surface(f: &Fields<'_>, law: Option<Law>, mass: f64, enabled: bool, log: &mut Log<'_>) -> Surface {
    let mut friction = [1.0, 0.005, 0.0001];
    f.overlay("friction", &mut friction, log);
    let condim = f.number_or("condim", 3.0, log);
    let bits = |name: &str, log: &mut Log<'_>| f.number_or(name, 1.0, log).clamp(0.0, f64::from(u32::MAX)) as u32;
    let (kind, touches) = (bits("contype", log), bits("conaffinity", log));
    let law = law.unwrap_or(Law { stiffness: f64::INFINITY, dissipation: 0.0 });
    Surface {
        kind: if enabled { kind } else { 0 },
        touches: if enabled { touches } else { 0 },
        stiffness: law.stiffness * mass,
        dissipation: law.dissipation,
        friction: if condim < 3.0 { 0.0 } else { friction[0].max(0.0) },
        grain: None,
        resistance: [friction[1].max(0.0), friction[2].max(0.0)],
        resists: [condim > 3.0, condim > 4.0],
        priority: f.number_or("priority", 0.0, log) as i32,
        margin: f.magnitude_or("margin", 0.0, log),
        gap: f.magnitude_or("gap", 0.0, log),
        adhesion: f.magnitude_or("adhesion", 0.0, log),
        sheet: None,
    }
}

/// The surface of a pair of geoms on bodies with which these masses move. Nothing of it is that of the geoms: what the
/// pair and its class do not say has the values that geoms have which say nothing.
pub(super) fn pair(f: &Fields<'_>, shapes: [String; 2], masses: [f64; 2], g: f64, log: &mut Log<'_>) -> TouchingPair {
    // Along two tangents, about the normal, about the tangents.
    let mut friction = [1.0, 1.0, 0.005, 0.0001, 0.0001];
    f.overlay("friction", &mut friction, log);
    let [sliding, other, spinning, rolling, _] = friction;
    if sliding != other {
        log.differs(f.element, "has two coefficients of friction along the plane of contact; the first is taken");
    }
    let condim = f.number_or("condim", 3.0, log);
    let law = law(f, g, log).unwrap_or(Law { stiffness: f64::INFINITY, dissipation: 0.0 });
    let acts = |least: f64, length: f64| if condim > least { length.max(0.0) } else { 0.0 };
    TouchingPair {
        shapes,
        stiffness: masses.map(|mass| law.stiffness * mass),
        dissipation: law.dissipation,
        friction: if condim < 3.0 { 0.0 } else { sliding.max(0.0) },
        resistance: [acts(3.0, spinning), acts(4.0, rolling)],
        margin: f.magnitude_or("margin", 0.0, log),
        gap: f.magnitude_or("gap", 0.0, log),
        adhesion: f.magnitude_or("adhesion", 0.0, log),
    }
}
