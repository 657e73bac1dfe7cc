//! Types in Rust source that are written as JSON by serde, as far as the stream to the page needs them.
//!
//! The text is read line by line, as rustfmt leaves it. What is not understood is no guess but a panic: an attribute of
//! serde that is not known here, a type of another crate, a name that two types have.

use std::collections::BTreeMap;
use std::path::Path;

/// A type of JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Number,
    Boolean,
    Text,
    /// Bytes of numbers in base64.
    Base64,
    List(Box<Type>),
    Tuple(Vec<Type>),
    Nullable(Box<Type>),
    /// A declared type, by name.
    Named(String),
    /// A declared struct, written as the list of its fields.
    Row(String),
}

/// A key of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub about: Vec<String>,
    pub of: Type,
    /// Whether the key may be left out.
    pub optional: bool,
}

/// What a variant of an enum holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Nothing,
    One(Type),
    Fields(Vec<Field>),
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// As JSON writes it.
    pub name: String,
    pub about: Vec<String>,
    pub content: Content,
}

/// What a declared type is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Struct(Vec<Field>),
    Enum {
        /// The key that names the variant; `None`: the variant is the only key of an object, or a text.
        tag: Option<String>,
        variants: Vec<Variant>,
    },
}

/// A struct or an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    pub name: String,
    pub about: Vec<String>,
    pub kind: Kind,
}

/// One file of Rust source.
struct Source {
    path: String,
    lines: Vec<String>,
}

/// Where a type is declared.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    /// Index of the file.
    file: usize,
    /// Index of the line that has its name.
    line: usize,
}

/// Rust source, and where each type is declared.
pub struct Sources {
    files: Vec<Source>,
    declared: BTreeMap<String, Vec<Place>>,
}

impl Sources {
    /// All files below some folders.
    pub fn read(root: &Path, folders: &[&str]) -> Self {
        let mut texts = Vec::new();
        folders.iter().for_each(|folder| collect(&root.join(folder), &mut texts));
        Sources::of(texts)
    }

    /// Some texts, each with the path of its file.
    pub fn of(texts: Vec<(String, String)>) -> Self {
        let lines = |text: String| text.lines().map(str::to_owned).collect();
        let files: Vec<Source> = texts.into_iter().map(|(path, text)| Source { path, lines: lines(text) }).collect();
        let mut declared: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        for (file, source) in files.iter().enumerate() {
            for (line, text) in source.lines.iter().enumerate() {
                if let Some(name) = header(text) {
                    declared.entry(name.to_owned()).or_default().push(Place { file, line });
                }
            }
        }
        Sources { files, declared }
    }

    /// The type of this name and those that it needs, each before those it names.
    pub fn reachable(&self, name: &str) -> Vec<Declaration> {
        let first = self.place(name, None);
        let (mut found, mut seen) = (Vec::new(), BTreeMap::from([(name.to_owned(), first)]));
        let mut next = vec![(name.to_owned(), first)];
        while let Some((name, place)) = next.pop() {
            let declaration = self.declaration(&name, place);
            let mut needed = Vec::new();
            named_in(&declaration.kind, &mut needed);
            let mut new = Vec::new();
            for name in needed {
                let needed_at = self.place(&name, Some(place.file));
                match seen.insert(name.clone(), needed_at) {
                    None => new.push((name, needed_at)),
                    Some(before) => assert_eq!(before, needed_at, "two types of the stream are called {name}"),
                }
            }
            next.extend(new.into_iter().rev());
            found.push(declaration);
        }
        found
    }

    /// The enum of this name, which is not written itself.
    pub fn words(&self, name: &str) -> Declaration {
        let places = self.declared.get(name).map(Vec::as_slice).unwrap_or_default();
        let [place] = places else { panic!("{} types are called {name}", places.len()) };
        self.declaration(name, *place)
    }

    /// Where the type is declared that is called `name` in a file.
    fn place(&self, name: &str, file: Option<usize>) -> Place {
        let mut places = self.serialized(name);
        if places.is_empty()
            && let Some((original, modules)) = self.renamed(name)
        {
            places = self.serialized(original);
            places.retain(|place| self.is_in(*place, &modules));
        }
        if places.len() > 1
            && let Some(file) = file
        {
            let imported = self.files[file].lines.iter().find_map(|line| import(line).filter(|use_| use_.names(name)));
            let modules = imported.map(|import| import.modules).unwrap_or_default();
            places.retain(|place| place.file == file || self.is_in(*place, &modules));
        }
        let [place] = places[..] else { panic!("{} types are called {name}: {places:?}", places.len()) };
        place
    }

    /// The types of this name that serde writes.
    fn serialized(&self, name: &str) -> Vec<Place> {
        let is_serialized = |place: &&Place| {
            let (_, attributes) = self.above(**place);
            attributes.iter().any(|line| line.starts_with("#[derive(") && line.contains("Serialize"))
        };
        self.declared.get(name).into_iter().flatten().filter(is_serialized).copied().collect()
    }

    /// The type that is passed on as `name`, and the modules that it is taken from.
    fn renamed(&self, name: &str) -> Option<(&str, Vec<&str>)> {
        let lines = self.files.iter().flat_map(|source| &source.lines).filter_map(|line| import(line));
        lines.filter(|import| import.public).find_map(|import| {
            let original = import.items.iter().find_map(|item| item.strip_suffix(&format!(" as {name}")))?;
            Some((original, import.modules))
        })
    }

    /// Whether a type is declared in a folder or file of each of some modules.
    fn is_in(&self, place: Place, modules: &[&str]) -> bool {
        let path = self.files[place.file].path.trim_end_matches(".rs");
        !modules.is_empty() && modules.iter().all(|module| path.split('/').any(|part| part == *module))
    }

    /// The type that is declared at a place, under the name that the stream has for it.
    fn declaration(&self, name: &str, place: Place) -> Declaration {
        let (about, attributes) = self.above(place);
        let serde = Serde::of(&attributes);
        let (lines, at) = (&self.files[place.file].lines, place.line);
        let end = (at..lines.len()).find(|&line| lines[line] == "}").expect("a type with braces");
        let body = &lines[at + 1..end];
        let kind = if lines[at].contains("enum ") {
            let case = serde.rename_all.unwrap_or_else(|| "none".to_owned());
            Kind::Enum { tag: serde.tag, variants: variants(body, &case) }
        } else {
            assert!(serde.tag.is_none() && serde.rename_all.is_none(), "{name}: attributes of serde");
            Kind::Struct(self.fields(body, place.file))
        };
        Declaration { name: name.to_owned(), about, kind }
    }

    /// The fields of a struct; those of a flattened one in its place.
    fn fields(&self, body: &[String], file: usize) -> Vec<Field> {
        let mut found = Vec::new();
        for (field, serde) in fields(body) {
            match (&field.of, serde.flatten) {
                (Type::Named(name), true) => match self.declaration(name, self.place(name, Some(file))).kind {
                    Kind::Struct(inner) => found.extend(inner),
                    Kind::Enum { .. } => panic!("{name} is flattened, but no struct"),
                },
                _ => found.push(field),
            }
        }
        found
    }

    /// Documentation and attributes above a line.
    fn above(&self, Place { file, line: at }: Place) -> (Vec<String>, Vec<String>) {
        let lines = &self.files[file].lines;
        let start = (0..at).rev().find(|&line| !is_ahead(&lines[line])).map_or(0, |line| line + 1);
        ahead(&lines[start..at])
    }
}

/// A `use` on one line.
struct Import<'l> {
    public: bool,
    /// The modules that the path names, without `crate`, `super` and the names of crates.
    modules: Vec<&'l str>,
    /// Names, some `as` another.
    items: Vec<&'l str>,
}

impl Import<'_> {
    fn names(&self, name: &str) -> bool {
        self.items.contains(&name)
    }
}

fn import(line: &str) -> Option<Import<'_>> {
    let (public, rest) = match line.strip_prefix("pub ") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (path, items) = rest.strip_prefix("use ")?.strip_suffix(';')?.rsplit_once("::")?;
    // Of `a::{b::C, D}` nothing is taken: one path a line is enough here.
    let (path, items) = match rest.split_once("::{") {
        Some((path, items)) => (path.strip_prefix("use ")?, items.strip_suffix("};")?),
        None => (path, items),
    };
    const NO_MODULES: [&str; 5] = ["crate", "super", "self", "kinegraph_systems", "systems"];
    let modules = path.split("::").filter(|module| !NO_MODULES.contains(module)).collect();
    Some(Import { public, modules, items: items.split(", ").collect() })
}

fn collect(folder: &Path, texts: &mut Vec<(String, String)>) {
    let entries = std::fs::read_dir(folder).expect("a folder of sources");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, texts);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).expect("text");
            texts.push((path.to_str().expect("a path").replace('\\', "/"), text));
        }
    }
}

/// The name, where a line begins a public struct or enum with braces.
fn header(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "))?;
    rest.strip_suffix(" {").filter(|name| name.chars().all(char::is_alphanumeric))
}

fn is_ahead(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("///") || line.starts_with("#[")
}

/// Documentation and attributes of some lines.
fn ahead(lines: &[String]) -> (Vec<String>, Vec<String>) {
    let lines = lines.iter().map(|line| line.trim());
    let (about, attributes): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("///"));
    let about = about.iter().map(|line| plain(line.trim_start_matches("///").trim()));
    // Examples are for who programs in Rust.
    let mut about: Vec<String> = about.take_while(|line| !line.starts_with("```")).collect();
    about.truncate(about.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1));
    (about, attributes.into_iter().map(str::to_owned).collect())
}

/// Documentation without the marks of rustdoc, for who reads JSON.
fn plain(line: &str) -> String {
    let line = line.replace("`None`", "`null`");
    let mut plain = line.replace("[`", "`").replace("`]", "`").replace("\\[", "[").replace("\\]", "]");
    while let (Some(from), Some(to)) = (plain.find("`("), plain.find(')')) {
        if to < from {
            break;
        }
        plain.replace_range(from + 1..=to, "");
    }
    plain
}

/// Attributes of serde on one thing.
#[derive(Default)]
struct Serde {
    tag: Option<String>,
    rename: Option<String>,
    rename_all: Option<String>,
    optional: bool,
    flatten: bool,
    as_rows: bool,
}

impl Serde {
    fn of(attributes: &[String]) -> Self {
        let mut serde = Serde::default();
        for line in attributes {
            let Some(inside) = line.strip_prefix("#[serde(").and_then(|rest| rest.strip_suffix(")]")) else { continue };
            for part in inside.split(", ") {
                let (key, value) = part.split_once(" = ").unwrap_or((part, ""));
                let value = || Some(value.trim_matches('"').to_owned());
                match key {
                    "tag" => serde.tag = value(),
                    "rename" => serde.rename = value(),
                    "rename_all" => serde.rename_all = value(),
                    "skip_serializing_if" => serde.optional = true,
                    "flatten" => serde.flatten = true,
                    "serialize_with" if value().as_deref() == Some("as_rows") => serde.as_rows = true,
                    // For who reads in Rust.
                    "default" => {}
                    _ => panic!("`{part}` of serde is not known here"),
                }
            }
        }
        serde
    }
}

fn fields(body: &[String]) -> Vec<(Field, Serde)> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, line) in body.iter().enumerate().filter(|(_, line)| !is_ahead(line)) {
        let (about, attributes) = ahead(&body[start..at]);
        start = at + 1;
        let line = line.trim().trim_start_matches("pub ");
        let (name, of) = line.strip_suffix(',').and_then(|line| line.split_once(": ")).expect("a field on a line");
        let serde = Serde::of(&attributes);
        let mut of = type_of(of);
        if serde.as_rows {
            let Type::List(inner) = &of else { panic!("{name}: rows are a list") };
            let Type::Named(row) = &**inner else { panic!("{name}: rows are structs") };
            of = Type::List(Box::new(Type::Row(row.clone())));
        }
        if let (Type::Nullable(inner), true) = (&of, serde.optional) {
            of = (**inner).clone();
        }
        let name = serde.rename.clone().unwrap_or_else(|| name.to_owned());
        found.push((Field { name, about, of, optional: serde.optional }, serde));
    }
    found
}

fn variants(body: &[String], case: &str) -> Vec<Variant> {
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < body.len() {
        if is_ahead(&body[at]) {
            at += 1;
            continue;
        }
        let (about, attributes) = ahead(&body[start..at]);
        assert!(Serde::of(&attributes).rename.is_none(), "a variant that is renamed");
        let line = body[at].trim();
        let (name, content) = if let Some(name) = line.strip_suffix(" {") {
            let end = (at..body.len()).find(|&line| body[line] == "    },").expect("the end of a variant");
            let inner = fields(&body[at + 1..end]).into_iter().map(|(field, _)| field).collect();
            at = end;
            (name, Content::Fields(inner))
        } else {
            let line = line.strip_suffix(',').expect("a variant on a line");
            match line.strip_suffix(')').and_then(|line| line.split_once('(')) {
                Some((name, of)) => (name, Content::One(type_of(of))),
                None => (line, Content::Nothing),
            }
        };
        at += 1;
        start = at;
        found.push(Variant { name: in_case(name, case), about, content });
    }
    found
}

/// The name of a variant as `rename_all` has it.
pub fn in_case(name: &str, case: &str) -> String {
    match case {
        "none" => name.to_owned(),
        "lowercase" => name.to_lowercase(),
        "snake_case" => {
            let upper = |(i, c): (usize, char)| if c.is_uppercase() && i > 0 { vec!['_', c] } else { vec![c] };
            name.chars().enumerate().flat_map(upper).collect::<String>().to_lowercase()
        }
        other => panic!("names in {other}"),
    }
}

fn type_of(text: &str) -> Type {
    let inside = |name: &str| text.strip_prefix(name).and_then(|rest| rest.strip_suffix('>'));
    if let Some(inner) = inside("Vec<") {
        return Type::List(Box::new(type_of(inner)));
    }
    if let Some(inner) = inside("Option<") {
        return Type::Nullable(Box::new(type_of(inner)));
    }
    if let Some(inner) = inside("Box<") {
        return type_of(inner);
    }
    if inside("Array<").is_some() {
        return Type::Base64;
    }
    if let Some((of, count)) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')?.split_once("; ")) {
        return Type::Tuple(vec![type_of(of); count.parse().expect("a count")]);
    }
    if let Some(parts) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        return Type::Tuple(parts.split(", ").map(type_of).collect());
    }
    match text.rsplit("::").next().unwrap_or(text) {
        "f64" | "f32" | "u32" | "u64" | "usize" => Type::Number,
        "bool" => Type::Boolean,
        "String" => Type::Text,
        name if name.chars().all(char::is_alphanumeric) => Type::Named(name.to_owned()),
        other => panic!("the type {other}"),
    }
}

fn named_in(kind: &Kind, names: &mut Vec<String>) {
    let fields = |fields: &[Field], names: &mut Vec<String>| fields.iter().for_each(|f| named_in_type(&f.of, names));
    match kind {
        Kind::Struct(own) => fields(own, names),
        Kind::Enum { variants, .. } => variants.iter().for_each(|variant| match &variant.content {
            Content::Nothing => {}
            Content::One(of) => named_in_type(of, names),
            Content::Fields(own) => fields(own, names),
        }),
    }
}

fn named_in_type(of: &Type, names: &mut Vec<String>) {
    match of {
        Type::Number | Type::Boolean | Type::Text | Type::Base64 => {}
        Type::List(inner) | Type::Nullable(inner) => named_in_type(inner, names),
        Type::Tuple(parts) => parts.iter().for_each(|part| named_in_type(part, names)),
        Type::Named(name) | Type::Row(name) => names.push(name.clone()),
    }
}
