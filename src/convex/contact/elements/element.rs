//! What an element is.

use super::plant_elements::PlantElements;
use super::report::Report;
use super::velocity_law::VelocityLaw;
use kinegraph_core::Scalar;
use kinegraph_core::convex::PlantStructure;
use std::any::Any;
use std::fmt::Debug;

/// What a discrete law may depend on besides the data of its element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawContext {
    /// Step length \[s\].
    pub dt: f64,
    /// Inverse of the diagonal of the mass matrix at the velocity \[1/kg, 1/(kg m²)\].
    pub inverse_mass: f64,
    /// The diagonal of A, the mass matrix with damping and springs of the step \[kg, kg m²\].
    pub inertia: f64,
}

/// Where a continuous force is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceContext<S> {
    /// How far the coordinate moved since the element was made \[m, rad\].
    pub moved: S,
    /// The velocity \[m/s, rad/s\].
    pub velocity: S,
    /// Inverse effective mass at the velocity \[1/kg, 1/(kg m²)\], where the element [asks](Element::asks_mobility) for
    /// it; not a number where it does not exist.
    pub mobility: f64,
    /// Whether the velocity is locked.
    pub locked: bool,
}

/// An element: data of something that acts on a single velocity, with its laws.
pub trait Element: Any + Copy + Debug + Send + Sync {
    /// What messages call it.
    const NAME: &'static str;
    /// What programs call it: the name of its file.
    const KIND: &'static str;
    /// Where records have its force.
    const REPORT: Report = Report::Passive;
    /// What its numbers are where a plant names it by its [`KIND`](Self::KIND); `None`: plants have it otherwise.
    const PARAMETERS: Option<&'static [&'static str]> = None;
    /// Whether motion can be followed without a contact problem while such a thing is there: it is looked after
    /// otherwise.
    const LEAVES_MOTION_FREE: bool = false;
    /// What convex solvers minimize.
    type Law: VelocityLaw<Data = Self>;

    /// Names the velocities of a plant that have one.
    fn velocities(structure: &PlantStructure, add: &mut dyn FnMut(usize)) {
        super::plant_elements::named::<Self>(structure).for_each(|element| add(element.velocity));
    }

    /// Adds those of a plant, as they are at the start of a step. Those of one that the plant does not have, but that
    /// follow from what acts on it, an integrator adds.
    fn of_plant(_plant: &PlantElements<'_>, _add: &mut dyn FnMut(Self)) {}

    /// The velocity it acts on.
    fn velocity(&self) -> usize;

    /// The element after its coordinate moved by `by` \[m, rad\] more.
    fn moved(self, by: f64) -> Self;

    /// The same element with what it keeps of the start of a step.
    fn begun_as(self, _start: &Self) -> Self {
        self
    }

    /// Whether the force depends on the effective mass.
    fn asks_mobility(&self) -> bool {
        false
    }

    /// The force \[N, N m\] before any discretization. Its derivatives are those of dual numbers.
    fn force<S: Scalar>(&self, at: &ForceContext<S>) -> S;

    /// The energy that it holds \[J\], `moved` since it was made; zero if it holds none.
    fn energy<S: Scalar>(&self, _moved: S) -> S {
        S::zero()
    }

    /// Whether an explicit method may not go through a step of length `h` in which it moves at `v`.
    fn hinders_explicit(&self, _v: f64, _h: f64) -> bool {
        !Self::LEAVES_MOTION_FREE
    }
}
