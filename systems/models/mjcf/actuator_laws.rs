//! Kinds of actuators: gain, bias and activation dynamics.
//!
//! All kinds are short forms of `general`. Defaults of a class are elements too: each changes what the one before it
//! said, if that was of the same kind or one of both is `general`, which has the numbers of all kinds.
//!
//! | kind | gain | bias | activation |
//! |---|---|---|---|
//! | motor | 1 | none | none |
//! | position | kp | (0, -kp, -kv) | filter, if it has a `timeconst` |
//! | velocity | kv | (0, 0, -kv) | none |
//! | intvelocity | kp | (0, -kp, -kv) | integrator |
//! | damper | (0, 0, -kv) | none | none |
//! | cylinder | area | bias | filter |
//! | muscle | muscle | muscle | muscle |
//! | adhesion | gain | none | none |

use super::fields::Fields;
use super::log::Log;
use super::schema::words::{DYNAMICS, Dynamics, FACTORS, FactorType};
use kinegraph_multibody::scene_data::{ActivationLaw, Factor, Muscle};
use std::f64::consts::PI;

/// How many numbers gain, bias and dynamics have.
const NUM_PARAMETERS: usize = 10;

/// A law while elements change it.
#[derive(Clone, Debug)]
pub(super) struct Law {
    pub gear: [f64; 6],
    pub dynamics: Dynamics,
    /// `dampratio` in place of `kv`, where it counts.
    ratio: Option<f64>,
    /// The part of the range of the joint that controls (or activations) have.
    pub inherited_range: f64,
    /// The range of lengths of a muscle.
    pub lengths: Option<[f64; 2]>,
    /// Why there is no force.
    pub lost: Option<&'static str>,
    kinds: [FactorType; 2],
    gain: [f64; NUM_PARAMETERS],
    bias: [f64; NUM_PARAMETERS],
    dynamic: [f64; NUM_PARAMETERS],
    /// How many activations a `general` says that it has.
    count: Option<usize>,
    /// The kind of the last element.
    last: String,
}

const NO_DYNAMICS: &str = "has dynamics of a kind that is not simulated";

impl Default for Law {
    fn default() -> Self {
        let first = |x: f64| std::array::from_fn(|i| if i == 0 { x } else { 0.0 });
        Law {
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            dynamics: Dynamics::None,
            ratio: None,
            inherited_range: 0.0,
            lengths: None,
            lost: None,
            kinds: [FactorType::Fixed; 2],
            gain: first(1.0),
            bias: first(0.0),
            dynamic: first(1.0),
            count: None,
            last: String::new(),
        }
    }
}

impl Law {
    /// How many activations it has in a keyframe.
    pub fn activations(&self) -> usize {
        self.count.unwrap_or(usize::from(self.dynamics != Dynamics::None))
    }

    /// How its activation follows the control.
    pub fn activation(&self) -> Option<ActivationLaw> {
        /// Shorter times are this one \[s\].
        const MIN_TIME: f64 = 1e-15;
        let [first, second, width, ..] = self.dynamic;
        match self.dynamics {
            Dynamics::None | Dynamics::Other => None,
            Dynamics::Integrator => Some(ActivationLaw::Integrator),
            Dynamics::Filter => Some(ActivationLaw::Filter { time: first.max(MIN_TIME) }),
            Dynamics::Muscle => {
                let times = [first.max(MIN_TIME), second.max(MIN_TIME)];
                Some(ActivationLaw::Muscle { times, width })
            }
        }
    }

    /// Gain and bias; a muscle's force is negative where it follows from its scale.
    pub fn factors(&self) -> [Factor; 2] {
        let of = |kind: FactorType, numbers: &[f64; NUM_PARAMETERS], otherwise: [f64; 3]| match kind {
            FactorType::Fixed => Factor::Affine(otherwise),
            FactorType::Affine => Factor::Affine([numbers[0], numbers[1], numbers[2]]),
            FactorType::Muscle => Factor::Muscle(Muscle {
                force: numbers[2],
                lengths: self.lengths.map_or((0.0, 0.0), |[least, most]| (least, most)),
                range: (numbers[0], numbers[1]),
                min_length: numbers[4],
                max_length: numbers[5],
                max_velocity: numbers[6],
                max_passive: numbers[7],
                max_lengthening: numbers[8],
            }),
        };
        [of(self.kinds[0], &self.gain, [self.gain[0], 0.0, 0.0]), of(self.kinds[1], &self.bias, [0.0; 3])]
    }

    /// The ratio of its damping, of a servo that states one.
    pub fn damping_ratio(&self) -> Option<f64> {
        self.ratio.filter(|_| self.is_servo())
    }

    fn is_servo(&self) -> bool {
        self.kinds == [FactorType::Fixed, FactorType::Affine] && self.gain[0] == -self.bias[1]
    }

    /// Scales of a muscle's gain and bias: a force that is not stated is its scale over the acceleration by a unit
    /// force.
    pub fn scales(&self) -> [f64; 2] {
        [self.gain[3], self.bias[3]]
    }

    /// Forgets what an element of another kind said: a default of one kind changes that kind, and `general`.
    fn begin(&mut self, kind: &str) {
        if kind == "general" || kind == self.last {
            return;
        }
        let fresh = Law::default();
        if !matches!(self.last.as_str(), "" | "general") {
            (self.gain, self.bias, self.kinds) = (fresh.gain, fresh.bias, fresh.kinds);
            (self.ratio, self.inherited_range) = (fresh.ratio, fresh.inherited_range);
        }
        (self.dynamic, self.dynamics, self.count, self.lost) = (fresh.dynamic, fresh.dynamics, None, None);
    }

    /// Applies the attributes of one element.
    pub fn change(&mut self, f: &Fields<'_>, log: &mut Log<'_>) {
        self.begin(&f.element.name);
        self.last.clone_from(&f.element.name);
        f.overlay("gear", &mut self.gear, log);
        self.lengths = f.exactly::<2>("lengthrange", log).filter(|l| *l != [0.0; 2]).or(self.lengths);
        match f.element.name.as_str() {
            "general" => self.change_general(f, log),
            "motor" => (self.gain[0], self.kinds) = (1.0, [FactorType::Fixed; 2]),
            kind @ ("position" | "intvelocity") => self.change_servo(f, kind, log),
            "velocity" => {
                let kv = f.number_or("kv", self.gain[0], log);
                self.gain[0] = kv;
                (self.bias[0], self.bias[1], self.bias[2]) = (0.0, 0.0, -kv);
                self.kinds = [FactorType::Fixed, FactorType::Affine];
            }
            "damper" => {
                let kv = f.number_or("kv", 1.0, log);
                (self.gain[0], self.gain[1], self.gain[2]) = (0.0, 0.0, -kv);
                self.kinds = [FactorType::Affine, FactorType::Fixed];
            }
            "cylinder" => {
                self.dynamic[0] = f.number_or("timeconst", self.dynamic[0], log);
                f.overlay("bias", &mut self.bias[..3], log);
                let diameter = f.number("diameter", log);
                let area = diameter.map_or(self.gain[0], |d| PI / 4.0 * d * d);
                self.gain[0] = f.number_or("area", area, log);
                (self.kinds, self.dynamics) = ([FactorType::Fixed, FactorType::Affine], Dynamics::Filter);
            }
            "muscle" => self.change_muscle(f, log),
            "adhesion" => (self.gain[0], self.kinds) = (f.number_or("gain", self.gain[0], log), [FactorType::Fixed; 2]),
            "dcmotor" => self.lost = Some("is a DC motor with states of its own, which is not simulated"),
            "pid" | "orientation" => self.lost = Some("is a controller of a kind that is not simulated"),
            _ => self.lost = Some("is a plugin, which is not simulated"),
        }
    }

    fn change_servo(&mut self, f: &Fields<'_>, kind: &str, log: &mut Log<'_>) {
        // What an element does not say, the class may have said: the gain is kp there as here.
        let kp = f.number_or("kp", self.gain[0], log);
        let kv = f.number_or("kv", -self.bias[2], log);
        self.gain[0] = kp;
        (self.bias[0], self.bias[1], self.bias[2]) = (0.0, -kp, -kv);
        self.kinds = [FactorType::Fixed, FactorType::Affine];
        if f.has("kv") {
            self.ratio = None;
        }
        self.ratio = f.number("dampratio", log).filter(|ratio| *ratio > 0.0).or(self.ratio);
        self.inherited_range = f.number_or("inheritrange", self.inherited_range, log);
        if let Some(time) = f.number("timeconst", log) {
            self.dynamic[0] = time;
            self.dynamics = if time > 0.0 { Dynamics::Filter } else { Dynamics::None };
        }
        if kind == "intvelocity" {
            self.dynamics = Dynamics::Integrator;
        }
    }

    /// Numbers that have the defaults of the other kinds get those of muscles.
    fn change_muscle(&mut self, f: &Fields<'_>, log: &mut Log<'_>) {
        let usual = |value: &mut f64, was: f64, becomes: f64| {
            if *value == was {
                *value = becomes;
            }
        };
        usual(&mut self.dynamic[0], 1.0, 0.01);
        usual(&mut self.dynamic[1], 0.0, 0.04);
        usual(&mut self.gain[0], 1.0, 0.75);
        for (i, becomes) in [1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2].into_iter().enumerate() {
            usual(&mut self.gain[i + 1], 0.0, becomes);
        }
        f.overlay("timeconst", &mut self.dynamic[..2], log);
        self.dynamic[2] = f.number_or("tausmooth", self.dynamic[2], log);
        f.overlay("range", &mut self.gain[..2], log);
        for (i, name) in ["force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"].into_iter().enumerate() {
            self.gain[i + 2] = f.number_or(name, self.gain[i + 2], log);
        }
        self.bias = self.gain;
        (self.kinds, self.dynamics) = ([FactorType::Muscle; 2], Dynamics::Muscle);
    }

    fn change_general(&mut self, f: &Fields<'_>, log: &mut Log<'_>) {
        for (name, kind) in ["gaintype", "biastype"].into_iter().zip(&mut self.kinds) {
            match f.word(name, &FACTORS, Some(*kind), log) {
                Some(written) => *kind = written,
                None => self.lost = Some("has a gain or bias of a kind that is not simulated"),
            }
        }
        for (name, values) in [("gainprm", &mut self.gain), ("biasprm", &mut self.bias), ("dynprm", &mut self.dynamic)]
        {
            let Some(list) = f.list(name, log) else { continue };
            list.iter().zip(values.iter_mut()).for_each(|(written, value)| *value = *written);
            // The ratio of a class stands in the place of the damping.
            if name == "biasprm" && list.len() > 2 {
                self.ratio = None;
            }
        }
        self.dynamics = f.word("dyntype", &DYNAMICS, self.dynamics, log);
        let count = f.number("actdim", log).filter(|count| *count >= 0.0).map(|count| count as usize);
        self.count = count.or(self.count);
        if self.dynamics == Dynamics::Other || self.count.is_some_and(|count| count > 1) {
            self.lost = Some(NO_DYNAMICS);
        }
        // A positive number in the place of the damping of a servo is the ratio of its damping.
        if self.is_servo() && self.bias[2] > 0.0 {
            self.ratio = Some(self.bias[2]);
        }
    }
}
