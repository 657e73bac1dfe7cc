//! The stream to the page has one schema: the Rust types of `src/view/lines.rs` and those that they name. The types of
//! the page in TypeScript are made from them, and what the program writes is checked against the same declarations.
//!
//! After a change of those types: `KINEGRAPH_SCHEMA=write cargo test --test page_schema`.

mod json;
mod rust_types;
mod typescript;

use rust_types::{Declaration, Kind, Sources, in_case};
use std::fmt::Write;
use std::path::Path;

/// Where types of the stream are declared.
const FOLDERS: [&str; 2] = ["src", "systems/src"];
const GENERATED: &str = "viewer/src/stream/schema.generated.ts";

const HEAD: &str = "/**
 * The lines of a run, as the program writes them: one object of JSON a line.
 *
 * Made by `tests/page_schema` from the Rust types of `src/view/lines.rs`. Change those, not this file, then run
 * `KINEGRAPH_SCHEMA=write cargo test --test page_schema`.
 */
";

fn sources() -> Sources {
    Sources::read(Path::new(env!("CARGO_MANIFEST_DIR")), &FOLDERS)
}

/// The declarations of the stream.
fn schema() -> Vec<Declaration> {
    let (mut declared, sources) = (sources().reachable("Line"), sources());
    // What a page sends, so far as no line has it.
    for one in sources.reachable("Command") {
        if declared.iter().all(|other| other.name != one.name) {
            declared.push(one);
        }
    }
    declared
}

/// What may become of an attempt at a step, by the words of the stream.
fn outcomes() -> Declaration {
    let mut outcomes = sources().words("Outcome");
    let Kind::Enum { variants, .. } = &mut outcomes.kind else { panic!("outcomes are an enum") };
    variants.iter_mut().for_each(|variant| variant.name = in_case(&variant.name, "snake_case"));
    outcomes
}

fn generated() -> String {
    let mut text = HEAD.to_owned();
    let numbers = [
        ("VERSION", kinegraph::view::VERSION, "The version of the format. The page reads this one only."),
        (
            "AS_BEFORE",
            kinegraph::view::AS_BEFORE,
            "In place of a number of contact points: those of the instant before.",
        ),
    ];
    for (name, value, about) in numbers {
        write!(text, "\n/** {about} */\nexport const {name} = {value};\n").unwrap();
    }
    text += "\n/** The bytes of an array of numbers, the least first, in base64. */\nexport type Base64 = string;\n";
    text + &typescript::words(&outcomes(), "OUTCOMES") + &typescript::of(&schema())
}

#[test]
fn the_types_of_the_page_are_those_of_the_program() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(GENERATED);
    let new = generated();
    if std::env::var("KINEGRAPH_SCHEMA").is_ok_and(|wish| wish == "write") {
        std::fs::write(file, new).expect("a file that can be written");
        return;
    }
    let old = std::fs::read_to_string(file).expect("the types of the page");
    let differs = old.lines().zip(new.lines()).find(|(old, new)| old != new);
    assert!(
        old == new,
        "{GENERATED} is not what the Rust types say, first at {differs:?}: run\n  KINEGRAPH_SCHEMA=write cargo test \
         --test page_schema\nIf what is written changes its meaning, raise `VERSION` in src/view/lines.rs"
    );
}

#[test]
fn declarations_are_read_as_serde_writes_them() {
    let lines = r#"
use crate::run::{Ending as End, Facts};

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
pub use super::run::{Ending as End};

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
    let texts = [("src/run/facts.rs", text), ("src/lines.rs", lines), ("src/other/facts.rs", other)];
    let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let found = typescript::of(&Sources::of(texts.into()).reachable("Run"));
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
