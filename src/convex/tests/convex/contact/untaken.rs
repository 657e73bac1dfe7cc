//! Tests of `src/convex/contact/elements/untaken.rs`.

use kinegraph_convex::contact::elements::ElementVisitor;
use kinegraph_convex::contact::elements::untaken::{Plant, Search};
use kinegraph_convex::contact::{
    Element, ForceContext, Form, JointFriction, LawContext, Untaken, VelocityLaw, untaken_elements,
};
use kinegraph_core::Scalar;
use kinegraph_core::convex::{JointElement, PlantStructure};

/// A kind that a method with a form of its own does not know.
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
}

/// A form that some kinds have.
const ROWS: Form = Form { name: "rows", kinds: Some(&["joint_friction", "joint_stops"]) };

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
    let structure = plant(&[("magnet", &[]), ("joint_friction", force), ("joint_friction", &[]), ("joint_stops", &[])]);
    for form in [Form::CONVEX, Form::CONTINUOUS, ROWS] {
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
    for form in [Form::CONVEX, Form::CONTINUOUS, ROWS] {
        let mut out = Vec::new();
        let plant = Plant { name: "plant", structure: &structure };
        let mut search = Search { plant, form, kinds: Vec::new(), out: &mut out };
        search.visit::<JointFriction>();
        search.visit::<Glue>();
        let expected: &[&str] = if form != ROWS { &[] } else { &["plant.arm.j0", "plant.arm.j1"] };
        assert_eq!(out.iter().map(|element| &*element.name).collect::<Vec<_>>(), expected);
        assert!(out.iter().all(|e| e.kind == "glue" && e.why == Untaken::NoForm { form }));
    }
}
