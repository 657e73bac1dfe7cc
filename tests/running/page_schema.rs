//! The output of the program conforms to the declarations from which the types of the page are made.
//!
//! `tests/source/page_schema` writes `page_schema.json`, the list of the declarations.

#[path = "../source/page_schema/declarations.rs"]
mod declarations;

use declarations::{Content, Declaration, Field, Kind, Schema, Type};
use kinegraph::record::mcap::{self, McapSink};
use kinegraph::scene::View;
use kinegraph::simulate::{Observer, Scenario};
use kinegraph::view::{AS_BEFORE, End, EndStatus, Feed, Line, Stream, VERSION, replay};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Together they have a mesh, desired motion, contact, a belt, suction cups, constraints.
const EXAMPLES: [&str; 5] = [
    "examples/franka/franka.yaml",
    "examples/three_meshes/three_meshes.yaml",
    "examples/conveyor/conveyor.yaml",
    "examples/vacuum/vacuum.yaml",
    "examples/pick_and_place/pick_and_place.yaml",
];
/// Simulated time of each \[s\].
const DURATION: f64 = 0.05;

/// Checks values against declarations.
struct Checker {
    declared: BTreeMap<String, Declaration>,
    /// Keys and variants that occurred: `Scene.plants`, `Geometry.box`.
    met: BTreeSet<String>,
    faults: Vec<String>,
}

impl Checker {
    fn new(declarations: Vec<Declaration>) -> Self {
        let declared = declarations.into_iter().map(|one| (one.name.clone(), one)).collect();
        Checker { declared, met: BTreeSet::new(), faults: Vec::new() }
    }

    fn fault(&mut self, place: &str, what: &str) {
        self.faults.push(format!("{place}: {what}"));
    }

    fn check(&mut self, value: &Value, of: &Type, place: &str) {
        let fits = match of {
            // Numbers that are not finite are `null` in JSON.
            Type::Number => value.is_number(),
            Type::Boolean => value.is_boolean(),
            Type::Text | Type::Base64 => value.is_string(),
            Type::Nullable(inner) => {
                if !value.is_null() {
                    self.check(value, inner, place);
                }
                true
            }
            Type::List(inner) => value.as_array().is_some_and(|values| {
                values.iter().for_each(|value| self.check(value, inner, place));
                true
            }),
            Type::Tuple(parts) => value.as_array().is_some_and(|values| {
                values.iter().zip(parts).for_each(|(value, part)| self.check(value, part, place));
                values.len() == parts.len()
            }),
            Type::Named(name) => {
                self.check_named(value, name, place);
                true
            }
            Type::Row(name) => {
                let Kind::Struct(fields) = self.declared[name].kind.clone() else { panic!("{name} is no struct") };
                value.as_array().is_some_and(|values| {
                    for (value, field) in values.iter().zip(&fields) {
                        self.met.insert(format!("{name}.{}", field.name));
                        self.check(value, &field.of, &format!("{name}.{}", field.name));
                    }
                    values.len() == fields.len()
                })
            }
        };
        if !fits {
            self.fault(place, &format!("{value} is no {of:?}"));
        }
    }

    fn check_named(&mut self, value: &Value, name: &str, place: &str) {
        match self.declared[name].kind.clone() {
            Kind::Struct(fields) => self.check_object(value, name, &fields, None),
            Kind::Enum { tag, variants } => {
                let word = match (&tag, value) {
                    (Some(tag), value) => value[tag].as_str(),
                    (None, Value::String(word)) => Some(word.as_str()),
                    (None, value) => value.as_object().and_then(|object| object.keys().next().map(String::as_str)),
                };
                let Some(variant) = variants.iter().find(|variant| Some(variant.name.as_str()) == word) else {
                    return self.fault(place, &format!("no {name} is {word:?}"));
                };
                let own = format!("{name}.{}", variant.name);
                self.met.insert(own.clone());
                match (&tag, &variant.content) {
                    (None, Content::Nothing) => {}
                    (None, Content::One(of)) => self.check(&value[&variant.name], of, &own),
                    (None, Content::Fields(fields)) => self.check_object(&value[&variant.name], &own, fields, None),
                    (Some(tag), Content::Nothing) => self.check_object(value, &own, &[], Some(tag)),
                    (Some(tag), Content::Fields(fields)) => self.check_object(value, &own, fields, Some(tag)),
                    (Some(tag), Content::One(of)) => {
                        let mut inner = value.clone();
                        inner.as_object_mut().map(|object| object.remove(tag));
                        self.check(&inner, of, &own);
                    }
                }
            }
        }
    }

    /// Checks that an object has all required keys, and no unknown ones.
    fn check_object(&mut self, value: &Value, name: &str, fields: &[Field], tag: Option<&str>) {
        let Some(object) = value.as_object() else { return self.fault(name, &format!("{value} is no object")) };
        for field in fields {
            let place = format!("{name}.{}", field.name);
            match object.get(&field.name) {
                Some(value) => {
                    self.check(value, &field.of, &place);
                    self.met.insert(place);
                }
                None if field.optional => {}
                None => self.fault(&place, "it is missing"),
            }
        }
        let known = |key: &str| Some(key) == tag || fields.iter().any(|field| field.name == key);
        for key in object.keys().filter(|key| !known(key)) {
            self.fault(name, &format!("it has the key {key}, which is not declared"));
        }
    }

    /// All lines of a feed.
    fn check_lines(&mut self, feed: &Feed, outcomes: &[String]) {
        for line in feed.lines() {
            let value: Value = serde_json::from_slice(&line).expect("JSON");
            self.check(&value, &Type::Named("Line".to_owned()), "Line");
            for row in value["rows"].as_array().into_iter().flatten() {
                let outcome = row[2].as_str().expect("an outcome");
                assert!(outcomes.iter().any(|known| known == outcome), "no outcome is {outcome}");
            }
        }
    }
}

/// Runs of examples, live and from their recordings.
#[test]
fn lines_of_runs_keep_to_the_declarations() {
    let schema: Schema = serde_json::from_str(include_str!("page_schema.json")).expect("the list of declarations");
    assert_eq!((schema.version, schema.as_before), (VERSION, AS_BEFORE));
    let mut checker = Checker::new(schema.declarations);
    let Kind::Enum { variants, .. } = schema.outcomes.kind else { panic!("outcomes are an enum") };
    let outcomes: Vec<String> = variants.into_iter().map(|variant| variant.name).collect();
    for file in EXAMPLES {
        let scenario = Scenario::open(file).expect("an example");
        let mut simulation = scenario.simulation().expect("a simulation");
        let (live, replayed) = (Feed::default(), Feed::default());
        let view = View { eye: [1.0; 3], target: [0.0; 3], up: [0.0, 0.0, 1.0] };
        let path = std::env::temp_dir().join(format!("kinegraph-schema-{}.mcap", std::process::id()));
        let mut observers: Vec<Box<dyn Observer>> = vec![
            Box::new(Stream::new(live.clone(), Some(view))),
            Box::new(McapSink::create(&path, None).expect("a file")),
        ];
        simulation.advance_observing(DURATION, scenario.every, &scenario.channels, &mut observers).expect("a run");
        drop(observers);
        let end = End { status: EndStatus::Done, message: String::new(), time: DURATION, summary: "done".to_owned() };
        live.push(&Line::End(end)).expect("a line");
        let recording = mcap::read(&path).expect("a recording");
        std::fs::remove_file(&path).expect("the recording");
        replay(&recording, &replayed).expect("lines");
        checker.check_lines(&live, &outcomes);
        checker.check_lines(&replayed, &outcomes);
    }
    checker.faults.truncate(20);
    assert!(checker.faults.is_empty(), "{:#?}", checker.faults);
    for kind in ["begin", "mesh", "frames", "steps", "end"] {
        assert!(checker.met.contains(&format!("Line.{kind}")), "no line was {kind}");
    }
    for key in ["DrawnPort.channels", "Frames.ghosts", "SceneMarker.kind", "SceneConstraint.anchors", "BeltMotion.axis"]
    {
        assert!(checker.met.contains(key), "{key} was not met in {:?}", checker.met);
    }
}
