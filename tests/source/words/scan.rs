//! Where words stand that the glossary replaces.

use super::glossary::Glossary;
use super::tokens::{joins, tokens};
use std::fmt;
use std::path::{Path, PathBuf};

/// A word in a line, and what to write instead.
pub struct Hit {
    pub path: PathBuf,
    pub line: usize,
    pub word: String,
    pub term: String,
}

impl fmt::Display for Hit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Hit { path, line, word, term } = self;
        write!(f, "{}:{line}: `{word}`: {term}", path.display())
    }
}

pub fn scan(glossary: &Glossary, path: &Path, text: &str) -> Vec<Hit> {
    let hit = |line: usize, word: &str, term: &str| Hit {
        path: path.to_owned(),
        line,
        word: word.to_owned(),
        term: term.to_owned(),
    };
    let mut hits = Vec::new();
    let tokens = tokens(text);
    let (mut line, mut counted) = (1, 0);
    for (i, token) in tokens.iter().enumerate() {
        line += text[counted..token.place.start].matches('\n').count();
        counted = token.place.start;
        for (phrase, term) in glossary.phrases() {
            let Some(found) = tokens.get(i..i + phrase.len()) else { continue };
            let same = found.iter().zip(phrase).all(|(token, word)| token.word == *word);
            if same && found.windows(2).all(|pair| joins(&text[pair[0].place.end..pair[1].place.start])) {
                hits.push(hit(line, &phrase.join(" "), term));
            }
        }
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    if matches!(extension, "rs" | "ts" | "py") {
        for (number, line) in text.lines().enumerate() {
            let code = code(line);
            if extension == "rs" {
                let names = identifiers(&code).filter_map(|name| Some((name, glossary.name(name)?)));
                hits.extend(names.map(|(name, term)| hit(number + 1, name, term)));
            }
            if let Some((name, term)) = constant(&code).and_then(|name| Some((name, glossary.number(name)?))) {
                hits.push(hit(number + 1, name, term));
            }
        }
    }
    hits.sort_by_key(|hit| hit.line);
    hits
}

/// A line without its comment and without what stands in its strings.
fn code(line: &str) -> String {
    let start = line.trim_start();
    if ["//", "#", "*"].iter().any(|mark| start.starts_with(mark)) {
        return String::new();
    }
    let line = line.replace("'\"'", "' '").replace("\\\"", "");
    let bare: String = line.split('"').step_by(2).collect::<Vec<_>>().join("\"");
    bare.split("//").next().unwrap_or("").to_owned()
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c| !is_of_name(c)).filter(|name| !name.is_empty())
}

/// The name of the constant number that a line declares.
pub fn constant(code: &str) -> Option<&str> {
    let (before, declared) = code.split_once("const ").or_else(|| code.split_once("static "))?;
    if before.chars().last().is_some_and(is_of_name) {
        return None;
    }
    let name = declared.split(|c| !is_of_name(c)).next()?;
    let rest = declared[name.len()..].trim_start();
    let is_number = match rest.strip_prefix(':') {
        // Rust, TypeScript.
        Some(rest) => {
            let kind = rest.split(['=', ';']).next()?.trim();
            let kinds = ["f32", "f64", "usize", "isize", "Duration", "std::time::Duration", "number"];
            let is_int = |kind: &str| {
                kind.strip_prefix(['u', 'i']).is_some_and(|bits| bits.parse::<u8>().is_ok_and(|bits| bits >= 8))
            };
            kinds.contains(&kind) || is_int(kind)
        }
        None => rest.strip_prefix('=')?.trim_start().trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit()),
    };
    (is_number && name.starts_with(|c: char| c.is_ascii_uppercase())).then_some(name)
}
