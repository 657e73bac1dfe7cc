//! The Rust text of one file, as far as imports go: words and signs, declarations of modules, items, `use`, paths.

use std::collections::HashSet;

/// A word, or one character that is no part of a word; comments, literals and lifetimes are left out.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Sign(char),
}

/// One name that a `use` brings into a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The whole path; of `a::*` without the star.
    pub path: Vec<String>,
    /// Under which name; `None` for all names of `path`.
    pub name: Option<String>,
    /// Whether it is `pub use`: passed on to whoever imports this module.
    pub public: bool,
}

/// What one module declares and names; what stands under `#[cfg(test)]` is left out.
#[derive(Debug, Default)]
pub struct Declarations {
    /// Name, and the module itself if it stands in braces.
    pub modules: Vec<(String, Option<Declarations>)>,
    /// Functions, types, traits, constants, macros.
    pub items: HashSet<String>,
    pub imports: Vec<Import>,
    /// Every `a::b` outside of `use`.
    pub paths: Vec<Vec<String>>,
    /// Every word outside of `use`.
    pub words: HashSet<String>,
}

/// Reads one file.
pub fn read(text: &str) -> Declarations {
    let tokens = tokens(text);
    let mut reader = Reader { tokens: &tokens, at: 0 };
    reader.module()
}

/// Which words declare an item by the word behind them.
const ITEMS: [&str; 9] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "macro_rules"];

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
}

impl Reader<'_> {
    fn word(&self, ahead: usize) -> Option<&str> {
        match self.tokens.get(self.at + ahead) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn is(&self, ahead: usize, sign: char) -> bool {
        self.tokens.get(self.at + ahead) == Some(&Token::Sign(sign))
    }

    /// Up to the brace that closes the module, or the end of the file.
    fn module(&mut self) -> Declarations {
        let mut found = Declarations::default();
        let (mut depth, mut public) = (0, false);
        while self.at < self.tokens.len() {
            if self.is_test_only() {
                self.skip_item();
                continue;
            }
            match &self.tokens[self.at] {
                Token::Sign('}') if depth == 0 => break,
                Token::Sign(sign) => {
                    depth += i32::from(*sign == '{') - i32::from(*sign == '}');
                    if matches!(sign, ';' | '{' | '}' | ',') {
                        public = false;
                    }
                    self.at += 1;
                }
                Token::Word(word) => match word.as_str() {
                    "use" => {
                        self.at += 1;
                        self.imports(&mut Vec::new(), public, &mut found.imports);
                        public = false;
                    }
                    "mod" if depth == 0 => {
                        self.declared_module(&mut found);
                        public = false;
                    }
                    "pub" => {
                        public = true;
                        self.at += 1;
                    }
                    item if depth == 0 && ITEMS.contains(&item) => {
                        let is_macro = self.is(1, '!');
                        self.at += 1 + usize::from(is_macro);
                        found.items.extend(self.word(0).map(str::to_owned));
                        if is_macro {
                            self.made_by_rules(&mut found.items);
                        }
                    }
                    _ => {
                        if depth == 0 && self.is(1, '!') && self.is(2, '{') {
                            self.made_by_macro(&mut found.items);
                        }
                        self.path(&mut found);
                    }
                },
            }
        }
        found
    }

    fn declared_module(&mut self, found: &mut Declarations) {
        let Some(name) = self.word(1).map(str::to_owned) else { return self.at += 1 };
        self.at += 3;
        let is_here = self.tokens[self.at - 1] == Token::Sign('{');
        let inner = is_here.then(|| self.module());
        self.at += usize::from(is_here);
        found.modules.push((name, inner));
    }

    /// The items that the rules of a macro name themselves are those of the file that calls it; the reader does not
    /// move.
    fn made_by_rules(&self, items: &mut HashSet<String>) {
        let mut depth = 0;
        for pair in self.tokens[self.at + 1..].windows(2) {
            match pair {
                [Token::Word(item), Token::Word(name)] if ITEMS.contains(&item.as_str()) => {
                    _ = items.insert(name.clone())
                }
                [Token::Sign('{'), _] => depth += 1,
                [Token::Sign('}'), _] => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// What `name! { Item { … } }` makes is called as what stands in it; the reader does not move.
    fn made_by_macro(&self, items: &mut HashSet<String>) {
        let mut depth = 0;
        for pair in self.tokens[self.at + 2..].windows(2) {
            match pair {
                [Token::Word(name), Token::Sign('{')] if depth == 1 => _ = items.insert(name.clone()),
                [Token::Sign('{'), _] => depth += 1,
                [Token::Sign('}'), _] => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// A word, with the words that `::` joins to it.
    fn path(&mut self, found: &mut Declarations) {
        let of_value = self.at > 0 && self.tokens[self.at - 1] == Token::Sign('.');
        let mut path = Vec::new();
        while let Some(word) = self.word(0) {
            path.push(word.to_owned());
            self.at += 1;
            if !(self.is(0, ':') && self.is(1, ':')) {
                break;
            }
            self.at += 2;
        }
        if !of_value {
            found.words.insert(path[0].clone());
            found.paths.extend((path.len() > 1).then_some(path));
        }
    }

    /// The tree of a `use` behind `prefix`, with the `;`, `,` or `}` behind it.
    fn imports(&mut self, prefix: &mut Vec<String>, public: bool, all: &mut Vec<Import>) {
        let outer = prefix.len();
        loop {
            if self.is(0, '{') {
                self.at += 1;
                while !self.is(0, '}') {
                    self.imports(prefix, public, all);
                }
                self.at += 1;
                break;
            }
            if self.is(0, '*') {
                self.at += 1;
                all.push(Import { path: prefix.clone(), name: None, public });
                break;
            }
            let Some(word) = self.word(0).map(str::to_owned) else { break };
            self.at += 1;
            if word != "self" || prefix.is_empty() {
                prefix.push(word);
            }
            if self.is(0, ':') && self.is(1, ':') {
                self.at += 2;
                continue;
            }
            let mut name = prefix.last().cloned();
            if self.word(0) == Some("as") {
                name = self.word(1).map(str::to_owned);
                self.at += 2;
            }
            all.push(Import { path: prefix.clone(), name, public });
            break;
        }
        prefix.truncate(outer);
        self.at += usize::from(self.is(0, ',') || self.is(0, ';'));
    }

    /// Whether `#[cfg(test)]` stands here.
    fn is_test_only(&self) -> bool {
        self.is(0, '#')
            && self.is(1, '[')
            && self.word(2) == Some("cfg")
            && self.is(3, '(')
            && self.word(4) == Some("test")
            && self.is(5, ')')
    }

    /// Skips attributes and the item behind them: to a `;`, or over its first braces.
    fn skip_item(&mut self) {
        let (mut depth, mut is_import) = (0, false);
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            match token {
                Token::Word(word) => is_import |= word == "use" && depth == 0,
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']') => depth -= 1,
                Token::Sign('}') => {
                    depth -= 1;
                    if depth == 0 && !is_import {
                        return;
                    }
                }
                Token::Sign(';') if depth == 0 => return,
                Token::Sign(_) => {}
            }
        }
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = raw_string(rest) {
            length
        } else if first == '"' {
            quoted(rest, '"')
        } else if first == '\'' {
            quote(rest)
        } else if first.is_alphanumeric() || first == '_' {
            let word = rest.strip_prefix("r#").unwrap_or(rest);
            let length = word.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(word.len());
            // A number is a literal.
            if !first.is_ascii_digit() {
                tokens.push(Token::Word(word[..length].to_owned()));
            }
            rest.len() - word.len() + length
        } else {
            if !first.is_whitespace() {
                tokens.push(Token::Sign(first));
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of a block comment, those within it included.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// The length of `r"…"`, `br#"…"#` and their like, and of `b"…"`.
fn raw_string(text: &str) -> Option<usize> {
    let marks = text.find(|c| !matches!(c, 'b' | 'c' | 'r')).filter(|&marks| (1..=2).contains(&marks))?;
    let hashes = text[marks..].find(|c| c != '#')?;
    let open = marks + hashes;
    if !text[open..].starts_with('"') {
        return None;
    }
    if !text[..marks].contains('r') {
        return Some(open + quoted(&text[open..], '"'));
    }
    let end = format!("\"{}", "#".repeat(hashes));
    Some(text[open + 1..].find(&end).map_or(text.len(), |found| open + 1 + found + end.len()))
}

/// The length of a literal up to the mark that ends it.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == mark => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The length of a character, or of a lifetime.
fn quote(text: &str) -> usize {
    let mut chars = text[1..].chars();
    match (chars.next(), chars.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted(text, '\''),
        _ => text[1..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(text.len(), |end| 1 + end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(path: &str) -> Vec<String> {
        path.split("::").map(str::to_owned).collect()
    }

    #[test]
    fn declarations_are_found_whatever_stands_around_them() {
        let found = read(
            r##"
            //! use crate::no::Comment; "
            mod here; pub mod there { pub fn inner() { super::near::call(); } }
            #[cfg(test)] mod tests;
            #[cfg(test)] use crate::no::{Test, Tests};
            #[cfg(test)]
            #[allow(dead_code)]
            fn only(x: [u8; 3]) -> u8 { crate::no::test() }
            pub(crate) use there::{self as other, inner, deep::{*, Name as Alias}};
            use std::fmt;
            /* use /* nested */ crate::no::Block; */
            const TEXT: &str = "use crate::no::Text; \" {";
            const RAW: &[u8] = br#"use crate::no::"Raw"; {"#;
            macro_rules! twice { ($x:expr) => { $x } }
            pub struct Pair<'a> { c: char, next: &'a Own }
            impl<'a> Pair<'a> {
                const BRACE: char = '{';
                fn method(&self) -> f64 { use crate::local::Function; self.next.field::<u8>(); other::run::<f64>(1.0e3) }
            }
            kinds! { #[doc = ""] Kind { Variant: "about" } }
            fn r#type() -> Alias { Alias::Variant }
            "##,
        );
        let modules: Vec<_> = found.modules.iter().map(|(name, inner)| (name.as_str(), inner.is_some())).collect();
        assert_eq!(modules, [("here", false), ("there", true)]);
        assert_eq!(found.modules[1].1.as_ref().unwrap().paths, [words("super::near::call")]);
        let mut items: Vec<_> = found.items.iter().map(String::as_str).collect();
        items.sort_unstable();
        assert_eq!(items, ["Kind", "Pair", "RAW", "TEXT", "twice", "type"]);
        let import =
            |path, name: Option<&str>, public| Import { path: words(path), name: name.map(str::to_owned), public };
        assert_eq!(
            found.imports,
            [
                import("there", Some("other"), true),
                import("there::inner", Some("inner"), true),
                import("there::deep", None, true),
                import("there::deep::Name", Some("Alias"), true),
                import("std::fmt", Some("fmt"), false),
                import("crate::local::Function", Some("Function"), false),
            ],
        );
        assert_eq!(found.paths, [words("other::run"), words("Alias::Variant")]);
        assert!(found.words.contains("Own") && !found.words.contains("field") && !found.words.contains("no"));
    }
}
