//! Elements that a method cannot take: found when it is made, not in its first step.

use super::element::Element;
use super::form::Form;
use super::{ElementVisitor, visit};
use kinegraph_systems::convex::PlantStructure;
use std::fmt;

/// Why a method cannot take an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untaken {
    /// Its kind is not on the list of elements.
    Unlisted {
        /// The kinds that plants can name.
        known: Vec<&'static str>,
    },
    /// Its kind has no law of the form that the method takes.
    NoForm {
        /// The form.
        form: Form,
    },
    /// It has not the numbers that its kind needs.
    Parameters {
        /// What they are; `None` of a kind that plants have otherwise.
        expected: Option<&'static [&'static str]>,
        /// How many it has.
        found: usize,
    },
}

impl fmt::Display for Untaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Untaken::Unlisted { known } => write!(f, "is not on the list of elements ({})", known.join(", ")),
            Untaken::NoForm { form } => write!(f, "does not have {form}"),
            Untaken::Parameters { expected: Some(expected), found } => {
                write!(f, "needs the numbers ({}), and has {found}", expected.join(", "))
            }
            Untaken::Parameters { expected: None, .. } => write!(f, "is not made from numbers: the plant has its own"),
        }
    }
}

/// An element that a method cannot take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UntakenElement {
    /// Its kind: what the list calls it, or the plant where it is not on the list.
    pub kind: String,
    /// Where it is: the name of the degree of freedom (`plant.arm.joint1`).
    pub name: String,
    /// Why.
    pub why: Untaken,
}

impl fmt::Display for UntakenElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` on `{}`, which {}", self.kind, self.name, self.why)
    }
}

/// Adds to `out` the elements of the plant `name` that a method of this `form` cannot take.
pub fn untaken_elements(name: &str, structure: &PlantStructure, form: Form, out: &mut Vec<UntakenElement>) {
    let mut search = Search { plant: Plant { name, structure }, form, kinds: Vec::new(), out };
    visit(&mut search);
    let Search { kinds, out, .. } = search;
    let known = kinds.iter().filter(|(_, parameters)| parameters.is_some()).map(|(kind, _)| *kind);
    let known: Vec<_> = known.collect();
    for element in &structure.elements {
        let why = match kinds.iter().find(|(kind, _)| *kind == element.kind) {
            None => Untaken::Unlisted { known: known.clone() },
            Some((_, expected)) if expected.map(<[_]>::len) != Some(element.parameters.len()) => {
                Untaken::Parameters { expected: *expected, found: element.parameters.len() }
            }
            Some(_) => continue,
        };
        let name = Plant { name, structure }.name_of(element.velocity);
        out.push(UntakenElement { kind: element.kind.clone(), name, why });
    }
}

/// A plant by its name.
struct Plant<'a> {
    name: &'a str,
    structure: &'a PlantStructure,
}

impl Plant<'_> {
    /// The name of a degree of freedom.
    fn name_of(&self, velocity: usize) -> String {
        let name = self.structure.velocity_names.get(velocity).map_or("", String::as_str);
        format!("{}.{}", self.name, name.strip_suffix(".v").unwrap_or(name))
    }
}

/// Looks for elements of all kinds that have not the form.
struct Search<'a> {
    plant: Plant<'a>,
    form: Form,
    /// The kinds there are, with the numbers that each needs.
    kinds: Vec<(&'static str, Option<&'static [&'static str]>)>,
    out: &'a mut Vec<UntakenElement>,
}

impl ElementVisitor for Search<'_> {
    fn visit<E: Element>(&mut self) {
        let Search { plant, form, kinds, out } = self;
        kinds.push((E::KIND, E::PARAMETERS));
        if E::FORMS.contains(form) {
            return;
        }
        E::velocities(plant.structure, &mut |velocity| {
            let (kind, name) = (E::NAME.to_owned(), plant.name_of(velocity));
            out.push(UntakenElement { kind, name, why: Untaken::NoForm { form: *form } });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{ForceContext, JointFriction, LawContext, RowRules, SweepRow, VelocityLaw};
    use crate::systems::Scalar;
    use kinegraph_systems::convex::JointElement;

    /// A kind without a law for sweeps and without a continuous force.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Glue;

    #[derive(Clone, Copy, Debug)]
    struct GlueLaw;

    impl VelocityLaw for GlueLaw {
        type Data = Glue;
        const KIND: u64 = 99;
        const ONE_SIDED: bool = false;
        fn new(_: &Glue, _: &LawContext) -> Self {
            GlueLaw
        }
        fn cost<S: Scalar>(&self, v: S) -> S {
            S::constant(0.5) * v * v
        }
        fn impulse<S: Scalar>(&self, v: S) -> S {
            -v
        }
        fn hessian(&self, _: f64) -> f64 {
            1.0
        }
        fn piece(&self, _: f64) -> u8 {
            0
        }
    }

    impl Element for Glue {
        const NAME: &'static str = "glue";
        const KIND: &'static str = "glue";
        const FORMS: &'static [Form] = &[Form::Convex];
        type Law = GlueLaw;
        fn velocity(&self) -> usize {
            0
        }
        fn moved(self, _: f64) -> Self {
            self
        }
        fn force<S: Scalar>(&self, _: &ForceContext<S>) -> S {
            S::zero()
        }
        fn sweep_rows(&self, _: &RowRules, _: f64, _: &mut dyn FnMut(SweepRow)) {}
    }

    fn plant(elements: &[(&str, &[f64])]) -> PlantStructure {
        let element = |(i, (kind, parameters)): (usize, &(&str, &[f64]))| JointElement {
            kind: (*kind).into(),
            velocity: i,
            position: i,
            parameters: parameters.to_vec(),
        };
        PlantStructure {
            velocity_names: (0..elements.len()).map(|i| format!("arm.j{i}.v")).collect(),
            elements: elements.iter().enumerate().map(element).collect(),
            ..PlantStructure::default()
        }
    }

    fn untaken(structure: &PlantStructure, form: Form) -> Vec<String> {
        let mut out = Vec::new();
        untaken_elements("plant", structure, form, &mut out);
        out.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn all_that_is_not_listed_or_lacks_numbers_is_named() {
        let force: &[f64] = &[2.0];
        let structure =
            plant(&[("magnet", &[]), ("joint_friction", force), ("joint_friction", &[]), ("joint_stops", &[])]);
        for form in Form::ALL {
            let expected = [
                "`magnet` on `plant.arm.j0`, which is not on the list of elements (joint_friction)",
                "`joint_friction` on `plant.arm.j2`, which needs the numbers (force), and has 0",
                "`joint_stops` on `plant.arm.j3`, which is not made from numbers: the plant has its own",
            ];
            assert_eq!(untaken(&structure, form), expected);
        }
    }

    #[test]
    fn a_kind_without_the_form_is_named_wherever_it_is() {
        let structure = plant(&[("glue", &[]), ("glue", &[]), ("joint_friction", &[2.0])]);
        for form in Form::ALL {
            let mut out = Vec::new();
            let plant = Plant { name: "plant", structure: &structure };
            let mut search = Search { plant, form, kinds: Vec::new(), out: &mut out };
            search.visit::<JointFriction>();
            search.visit::<Glue>();
            let expected: &[&str] = if form == Form::Convex { &[] } else { &["plant.arm.j0", "plant.arm.j1"] };
            assert_eq!(out.iter().map(|element| &*element.name).collect::<Vec<_>>(), expected);
            assert!(out.iter().all(|e| e.kind == "glue" && e.why == Untaken::NoForm { form }));
        }
    }
}
