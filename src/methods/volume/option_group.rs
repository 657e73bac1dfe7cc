//! The options of `volume`, as files name them, and their ranges.

use crate::choices::volume::MAX_SIDES;
use crate::volume::{Kinetic, VolumeOptions};
use kinegraph_engine::integrators::IfNotGiven::Is;
use kinegraph_engine::integrators::OptionError;
use kinegraph_engine::integrators::OptionValue::{Count, Number, Word};
use kinegraph_engine::integrators::Range::{Positive, Unit};
use kinegraph_engine::integrators::{MAX_COUNT, OptionGroup, OptionKey};

/// Minimum number of sides of a friction pyramid: with fewer it encloses nothing.
const MIN_SIDES: usize = 3; // formula

kinegraph_engine::option_choices! {
    Kinetic: LeastSquares, LinearProgram;
}

impl OptionGroup for VolumeOptions {
    const KEY: &'static str = "volume";
    const EXPECTED: &'static str = "options of `volume`, such as `{sides: 16, kinetic: lp}`";
    const IF_MISSING: &'static str = "a pyramid of 8 sides, sliding by least squares";
    const ABOUT: &'static str = "options of the integrator `volume`";
    const KEYS: &'static [OptionKey<Self>] = &[
        OptionKey {
            name: "correction",
            value: Number(Unit, Is(1.0), |o, x| o.correction = x),
            about: "twice the part of an overlap that a step removes",
        },
        OptionKey {
            name: "relaxation",
            value: Number(Positive, Is(1e-3), |o, x| o.relaxation = x), // listed
            about: "softness of the program, relative to the block of each patch",
        },
        OptionKey {
            name: "sides",
            value: Count(Is(8), |o, n| o.sides = n),
            about: "sides of the pyramid of friction, from 3 to 64",
        },
        OptionKey {
            name: "phase",
            value: Number(Unit, Is(0.0), |o, x| o.phase = x),
            about: "by how much the pyramid is turned, in parts of a side",
        },
        OptionKey {
            name: "kinetic",
            value: Word {
                what: "friction of what slides",
                words: &[("ls", |o| o.kinetic = Kinetic::LeastSquares), ("lp", |o| o.kinetic = Kinetic::LinearProgram)],
                if_not_given: Is("ls"),
            },
            about: "how friction of what slides is found: by least squares, or by the linear program of the source",
        },
        OptionKey {
            name: "sweeps",
            value: Count(Is(1000), |o, n| o.max_sweeps = n),
            about: "sweeps beside the program at most, and turns of its friction in all of them",
        },
    ];

    kinegraph_engine::option_numbers!(correction, relaxation, sides, phase, kinetic, max_sweeps,);

    fn check(&self) -> Result<(), OptionError> {
        for (name, value) in [("volume.correction", self.correction), ("volume.phase", self.phase)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(OptionError::OutOfRange { name, value, least: 0.0, most: 1.0 });
            }
        }
        if !(self.relaxation > 0.0 && self.relaxation.is_finite()) {
            return Err(OptionError::NotPositive { name: "volume.relaxation", value: self.relaxation });
        }
        for (name, value, least, most) in
            [("volume.sides", self.sides, MIN_SIDES, MAX_SIDES), ("volume.sweeps", self.max_sweeps, 1, MAX_COUNT)]
        {
            if !(least..=most).contains(&value) {
                let (value, least, most) = (value as f64, least as f64, most as f64);
                return Err(OptionError::OutOfRange { name, value, least, most });
            }
        }
        Ok(())
    }
}
