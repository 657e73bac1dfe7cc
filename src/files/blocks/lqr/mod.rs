//! `type: lqr`.

mod linearized;
mod weights;

use super::riccati::small_enough;
use crate::form::{
    BlockSpec, BlockType, Choice, FaultKind, Group, Key, ListOf, Matrix, NON_NEGATIVE, Needs, Number, Optional,
    POSITIVE, Placed, Position, Reader, Site, SystemSpec, Text, needs, optional,
};
use kinegraph_core::{ErasedSystem, Sampling};
use kinegraph_engine::linearize::state_space::LinearContact;
use kinegraph_systems::control::{Lqr, OperatingPoint, RiccatiError};
use linearized::{At, Linearized, Of};
use nalgebra::DMatrix;
use std::sync::Arc;
use weights::{Weights, WeightsOf};

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: "lqr",
    group: Group::Controllers,
    about: "the state feedback that is best for a linear system and quadratic cost",
    example: "lqr: {type: lqr, A: [[0, 1], [0, 0]], B: [[0], [1]], Q: [1, 1], R: 1}",
    files: &[],
    read,
};

const A: Optional<Matrix> = optional(
    "A",
    Matrix { about: "a square matrix, as a list of rows" },
    "with `of`: that of the block",
    "of ẋ = A x + B u",
);
const B: Optional<Matrix> = optional(
    "B",
    Matrix { about: "a matrix with one row per state, one column per effort" },
    "with `of`: that of the block",
    "of ẋ = A x + B u",
);
const OF: Optional<Text> = optional(
    "of",
    Text { about: "a model of a plant as `PLANT.MODEL`, or another block of the file" },
    "`A` and `B` say it",
    "instead of A and B: the model or block that is linearized, by itself",
);
const AT: Optional<Choice<At>> = optional(
    "at",
    Choice { what: "operating point", options: &[("trim", At::Trim), ("initial", At::Initial)] },
    "`trim`",
    "with `of`: at the equilibrium that the section `trim` of the file describes, by default the nearest, or at the \
     initial state, which must be one",
);
const CONTACT: Optional<Choice<LinearContact>> = optional(
    "contact",
    Choice { what: "model of contact", options: &LinearContact::NAMED },
    "`law`",
    "with `of`: what becomes of contacts: their laws, constraints of what sticks (`hold`), or nothing (`none`)",
);
const INPUTS: Optional<ListOf<Placed<Text>>> = optional(
    "inputs",
    ListOf { each: Placed(Text { about: "the name of an effort" }), about: "a list of efforts" },
    "those that wires of the block drive, or all",
    "with `of`: the efforts that it drives, such as the joints of the model",
);
const Q: Needs<WeightsOf> = needs(
    "Q",
    WeightsOf { about: "a symmetric matrix with one row per state" },
    "weights of the states, positive semidefinite; a list is a diagonal",
);
const R: Needs<WeightsOf> = needs(
    "R",
    WeightsOf { about: "a symmetric matrix with one row per effort" },
    "weights of the efforts, positive definite; a list is a diagonal",
);
const PERIOD: Optional<Number> = optional(
    "period",
    POSITIVE,
    "continuous",
    "time between two samples, over which the effort is held; the cost is then the sum over the samples [s]",
);
const OFFSET: Optional<Number> = optional("offset", NON_NEGATIVE, "0", "with `period`: time of the first sample [s]");

/// A regulator.
#[derive(Clone, Debug)]
struct Form {
    system: Source,
    q: Weights,
    r: Weights,
    sampling: Option<Sampling>,
}

/// The linear system that it is for.
#[derive(Clone, Debug)]
enum Source {
    Matrices(DMatrix<f64>, DMatrix<f64>),
    Block(Of),
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (of, at, contact, inputs) = (r.get(&OF), r.get(&AT), r.get(&CONTACT), r.get(&INPUTS));
    let system = if r.has(OF) {
        r.get(&A);
        r.get(&B);
        for key in [A.key(), B.key()].into_iter().filter(|key| r.has(*key)) {
            r.conflict(key, "`of` says that already: keep one of the two");
        }
        let (point, contact) = (at.unwrap_or(At::Trim), contact.unwrap_or_default());
        of.map(|of| Source::Block(Of::new(&of, r.at_key(OF), point, contact, inputs.unwrap_or_default())))
    } else {
        for key in [AT.key(), CONTACT.key(), INPUTS.key()].into_iter().filter(|key| r.has(*key)) {
            r.conflict(key, "only with `of`, which names what is linearized");
        }
        let (a, b) = (r.get_required(&A), r.get_required(&B));
        a.zip(b).and_then(|(a, b)| small_enough(r, A, &a).map(|()| Source::Matrices(a, b)))
    };
    let (q, u, period, offset) = (r.get(&Q), r.get(&R), r.get(&PERIOD), r.get(&OFFSET));
    if r.has(OFFSET) && !r.has(PERIOD) {
        r.conflict(OFFSET, "only with `period`: without it there are no samples");
    }
    let sampling = period.map(|period| Sampling { period, offset: offset.unwrap_or(0.0) });
    Some(Box::new(Form { system: system?, q: q?, r: u?, sampling }))
}

impl BlockSpec for Form {
    fn beside(&self) -> Option<(&str, Position)> {
        match &self.system {
            Source::Matrices(..) => None,
            Source::Block(of) => Some((&of.block, of.at)),
        }
    }

    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        match &self.system {
            Source::Matrices(a, b) => site.built(self.for_matrices(a, b)),
            Source::Block(of) => self.for_block(site, of, &of.linearized(site)?),
        }
    }
}

impl Form {
    /// The optimal gain for `ẋ = A x + B u`.
    fn gain(&self, a: &DMatrix<f64>, b: &DMatrix<f64>) -> Result<DMatrix<f64>, RiccatiError> {
        let (q, r) = (self.q.matrix(Q.key(), a.nrows())?, self.r.matrix(R.key(), b.ncols())?);
        Lqr::gain_for(a, b, &q, &r, self.sampling.map(|sampling| sampling.period))
    }

    fn for_matrices(&self, a: &DMatrix<f64>, b: &DMatrix<f64>) -> Result<Lqr, RiccatiError> {
        let gain = self.gain(a, b)?;
        let point =
            OperatingPoint { state: vec![0.0; a.nrows()], effort: vec![0.0; b.ncols()], quaternions: Vec::new() };
        Ok(Lqr::about(gain, point, self.sampling)?)
    }

    fn for_block(&self, site: &Site<'_>, of: &Of, found: &Linearized) -> Option<Arc<dyn ErasedSystem>> {
        let mut fits = true;
        for (key, weights, names, what) in
            [(Q.key(), &self.q, &found.states, "state"), (R.key(), &self.r, &found.inputs, "effort")]
        {
            if let Some(size) = weights.size().filter(|size| *size != names.len()) {
                let s = if names.len() == 1 { "" } else { "s" };
                let message = format!(
                    "weights of {size}, but `{}` has {} {what}{s}: {}",
                    of.name(),
                    names.len(),
                    names.join(", ")
                );
                let path = format!("{}.{key}", site.path);
                site.loader.report(site.place_of(key), FaultKind::Conflict { path, message });
                fits = false;
            }
        }
        if !fits {
            return None;
        }
        let gain = match self.gain(&found.a, &found.b) {
            Ok(gain) => gain,
            Err(RiccatiError::NotStabilizable { .. }) => {
                let message = format!("no gain makes `{}` stable: {}", of.name(), found.obstacle());
                site.loader.report(of.at, FaultKind::Build { path: format!("{}.of", site.path), message });
                return None;
            }
            Err(error) => return site.built(Err::<Lqr, _>(error)),
        };
        site.built(Lqr::about(gain * &found.deviations, found.point.clone(), self.sampling))
    }
}
