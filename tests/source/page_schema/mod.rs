//! The stream to the page has one schema: the Rust types of `src/io/view/lines.rs` and those that they name. The types
//! of the page in TypeScript are made from them, and so is the list of declarations that `tests/running/page_schema.rs`
//! checks what the program writes against.
//!
//! After a change of those types: `KINEGRAPH_SCHEMA=write cargo test -p kinegraph-source-tests page_schema`.

mod declarations;
mod rust_types;
mod typescript;

use crate::rust::Program;
use declarations::{Declaration, Kind, Schema};
use rust_types::{in_case, number, reachable, words};
use std::fmt::Write;

/// The types of the page.
const TYPES: &str = "viewer/src/stream/schema.generated.ts";
/// The types of the page as JSON, for programs.
const LIST: &str = "tests/running/page_schema.json";
const WRITE: &str = "KINEGRAPH_SCHEMA=write cargo test -p kinegraph-source-tests page_schema";

const HEAD: &str = "/**
 * The lines of a run, as the program writes them: one object of JSON a line.
 *
 * Made by `tests/source/page_schema` from the Rust types of `src/io/view/lines.rs`. Change those, not this file, then
 * run `KINEGRAPH_SCHEMA=write cargo test -p kinegraph-source-tests page_schema`.
 */
";

fn schema() -> Schema {
    let program = Program::read();
    let mut declared = reachable(program, "kinegraph_io::view::Line");
    // What a page sends, so far as no line has it.
    for one in reachable(program, "kinegraph_io::view::Command") {
        if declared.iter().all(|other| other.name != one.name) {
            declared.push(one);
        }
    }
    Schema {
        version: number(program, "kinegraph_io::view::VERSION"),
        as_before: number(program, "kinegraph_io::view::AS_BEFORE"),
        outcomes: outcomes(program),
        declarations: declared,
    }
}

/// Outcomes of an attempt at a step, by the words of the stream.
fn outcomes(program: &Program) -> Declaration {
    let mut outcomes = words(program, "kinegraph_engine::integrators::Outcome");
    let Kind::Enum { variants, .. } = &mut outcomes.kind else { panic!("outcomes are an enum") };
    variants.iter_mut().for_each(|variant| variant.name = in_case(&variant.name, "snake_case"));
    outcomes
}

fn types(schema: &Schema) -> String {
    let mut text = HEAD.to_owned();
    let numbers = [
        ("VERSION", schema.version, "The version of the format. The page reads this one only."),
        ("AS_BEFORE", schema.as_before, "In place of a number of contact points: those of the instant before."),
    ];
    for (name, value, about) in numbers {
        write!(text, "\n/** {about} */\nexport const {name} = {value};\n").unwrap();
    }
    text += "\n/** The bytes of an array of numbers, the least first, in base64. */\nexport type Base64 = string;\n";
    text + &typescript::words(&schema.outcomes, "OUTCOMES") + &typescript::of(&schema.declarations)
}

#[test]
fn the_types_of_the_page_are_those_of_the_program() {
    let schema = schema();
    let list = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
    for (file, new) in [(TYPES, types(&schema)), (LIST, list)] {
        if std::env::var("KINEGRAPH_SCHEMA").is_ok_and(|wish| wish == "write") {
            std::fs::write(crate::at(file), new).expect("a file that can be written");
            continue;
        }
        let old = crate::text(file);
        let differs = old.lines().zip(new.lines()).find(|(old, new)| old != new);
        assert!(
            old == new,
            "{file} is not what the Rust types say, first at {differs:?}: run\n  {WRITE}\nIf what is written changes \
             its meaning, raise `VERSION` in src/io/view/lines.rs"
        );
    }
}

#[test]
fn declarations_are_read_as_serde_writes_them() {
    let lines = r#"
use crate::run::{Ending as End, Facts};
use crate::Array;

/// A run.
///
/// ```
/// Run::new()
/// ```
#[derive(Clone, Serialize)]
pub struct Run {
    /// Its time \[s\]; `None`: none.
    pub time: Option<f64>,
    /// See [`End`](crate::End).
    #[serde(flatten)]
    pub facts: Facts,
    #[serde(serialize_with = "as_rows")]
    pub rows: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub end: Option<Box<End>>,
}

#[derive(Serialize)]
pub struct Row {
    pub bytes: Array<u8>,
    pub pairs: Vec<(f64, bool)>,
}
"#;
    let text = r#"
#[derive(Serialize)]
pub struct Facts {
    #[serde(rename = "type")]
    pub kind: String,
    pub points: Vec<[f64; 2]>,
}

/// Another of this name, which is not written.
pub struct End {
    nothing: Unknown,
}

/// The end.
#[derive(Serialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Ending {
    /// All of it.
    AllDone,
    Early {
        at: f64,
    },
    Other(Facts),
}
"#;
    let other = "
#[derive(Serialize)]
pub struct Facts {
    pub of: Unknown,
}
";
    let texts = [
        ("src/lib.rs", "pub mod lines; mod run; mod other;"),
        ("src/run/mod.rs", "mod facts; pub use facts::*;"),
        ("src/run/facts.rs", text),
        ("src/lines.rs", lines),
        ("src/other.rs", other),
    ];
    let text = |path: &str| texts.iter().find(|(own, _)| *own == path).map(|(_, text)| (*text).to_owned());
    let program = Program::of(&[("own", "src/lib.rs")], &text);
    let found = typescript::of(&reachable(&program, "own::lines::Run"));
    let expected = "
/** A run. */
export interface Run {
  /** Its time [s]; `null`: none. */
  time: number | null;
  type: string;
  points: [number, number][];
  rows: Row[];
  end?: End;
}

export type Row = [
  bytes: Base64,
  pairs: [number, boolean][],
];

/** The end. */
export type End =
  /** All of it. */
  | { why: 'all_done' }
  | {
      why: 'early';
      at: number;
    }
  | ({ why: 'other' } & Facts);

export interface Facts {
  type: string;
  points: [number, number][];
}
";
    assert_eq!(found, expected, "{found}");
}
