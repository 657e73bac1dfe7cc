//! `type: pid`.

use super::{per_channel, width};
use crate::files::decode::{NON_NEGATIVE, PerElement, ScalarOrList};
use crate::files::loader::Loader;
use crate::files::reader::Reader;
use crate::files::registry::{BlockSpec, BlockType, SystemSpec, built};
use crate::files::schema::diagram::NamedSystem;
use kinegraph_systems::ErasedSystem;
use kinegraph_systems::control;
use std::sync::Arc;

/// Feedback of error, its integral and its rate.
#[derive(Clone, Debug)]
pub struct Pid {
    /// Gains on the error.
    pub kp: PerElement,
    /// Gains on the integral of the error.
    pub ki: PerElement,
    /// Gains on the rate of the error.
    pub kd: PerElement,
    /// Number of controlled coordinates.
    pub width: usize,
}

/// The registry entry.
pub const TYPE: BlockType =
    BlockType { name: "pid", about: "proportional, integral and derivative feedback per coordinate", read };

impl BlockSpec for Pid {
    fn type_name(&self) -> &'static str {
        TYPE.name
    }
    fn build(&self, system: &NamedSystem, loader: &Loader) -> Option<Arc<dyn ErasedSystem>> {
        let (kp, ki, kd) = (per_channel(&self.kp), per_channel(&self.ki), per_channel(&self.kd));
        built(control::Pid::new(self.width, kp, ki, kd), system, loader)
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let gain = ScalarOrList(NON_NEGATIVE);
    let kp = r.required("kp", gain);
    let ki = r.or("ki", gain, PerElement::All(0.0));
    let kd = r.or("kd", gain, PerElement::All(0.0));
    let width = width(r, &[("kp", kp.as_ref()), ("ki", Some(&ki)), ("kd", Some(&kd))]);
    Some(Box::new(Pid { kp: kp?, ki, kd, width }))
}
