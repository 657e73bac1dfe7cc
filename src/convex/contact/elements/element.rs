//! Interface of elements.

use super::plant_elements::PlantElements;
use super::report::Report;
use super::velocity_law::VelocityLaw;
use kinegraph_core::Scalar;
use kinegraph_core::convex::PlantStructure;
use std::any::Any;
use std::fmt::Debug;

/// Data of a discrete law besides those of its element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawContext {
    /// Step length \[s\].
    pub dt: f64,
    /// Inverse of the diagonal of the mass matrix at the velocity \[1/kg, 1/(kg m²)\].
    pub inverse_mass: f64,
    /// Diagonal entry of A, the mass matrix with damping and springs of the step \[kg, kg m²\].
    pub inertia: f64,
}

/// State at which a continuous force is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceContext<S> {
    /// Displacement of the coordinate since the element was made \[m, rad\].
    pub moved: S,
    /// The velocity \[m/s, rad/s\].
    pub velocity: S,
    /// Inverse effective mass at the velocity \[1/kg, 1/(kg m²)\], where the element [asks](Element::asks_mobility) for
    /// it; not a number where it does not exist.
    pub mobility: f64,
    /// True if the velocity is locked.
    pub locked: bool,
}

/// An element: data of a force on a single velocity, with its laws.
pub trait Element: Any + Copy + Debug + Send + Sync {
    /// Name in messages.
    const NAME: &'static str;
    /// Name in programs: that of its file.
    const KIND: &'static str;
    /// Place of its force in records.
    const REPORT: Report = Report::Passive;
    /// Names of its numbers where a plant names it by its [`KIND`](Self::KIND); `None`: plants give it in another way.
    const PARAMETERS: Option<&'static [&'static str]> = None;
    /// True if motion can be followed without a contact problem while such an element exists: it is treated in another
    /// way.
    const LEAVES_MOTION_FREE: bool = false;
    /// Law that convex solvers minimize.
    type Law: VelocityLaw<Data = Self>;

    /// Reports the velocities of a plant that have such an element.
    fn velocities(structure: &PlantStructure, add: &mut dyn FnMut(usize)) {
        super::plant_elements::named::<Self>(structure).for_each(|element| add(element.velocity));
    }

    /// Adds the elements of a plant, as they are at the start of a step. Elements that the plant does not have, but
    /// that follow from its inputs, are added by an integrator.
    fn of_plant(_plant: &PlantElements<'_>, _add: &mut dyn FnMut(Self)) {}

    /// Velocity that it acts on.
    fn velocity(&self) -> usize;

    /// The element after its coordinate moved by `by` \[m, rad\] more.
    fn moved(self, by: f64) -> Self;

    /// Returns the element with the values that it keeps from the start of a step.
    fn begun_as(self, _start: &Self) -> Self {
        self
    }

    /// True if the force depends on the effective mass.
    fn asks_mobility(&self) -> bool {
        false
    }

    /// Force \[N, N m\] before any discretization. Its derivatives are those of dual numbers.
    fn force<S: Scalar>(&self, at: &ForceContext<S>) -> S;

    /// Energy of the element \[J\], `moved` since it was made; zero if it has none.
    fn energy<S: Scalar>(&self, _moved: S) -> S {
        S::zero()
    }

    /// True if an explicit method must not take a step of length `h` in which it moves at `v`.
    fn hinders_explicit(&self, _v: f64, _h: f64) -> bool {
        !Self::LEAVES_MOTION_FREE
    }
}
