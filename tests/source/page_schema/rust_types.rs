//! Types in Rust source that are written as JSON by serde, as far as the stream to the page needs them.
//!
//! Source that is not understood is no guess but a panic: an attribute of serde that is not known here, a type of
//! another crate, a name that two types have.

use super::declarations::{Content, Declaration, Field, Kind, Type, Variant};
use crate::rust::{Place, Program};
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::ext::IdentExt;
use syn::{Attribute, Expr, Fields, Item, Lit, LitStr, Meta};

/// The types that a declaration names, under their names, and where each stands.
type Needed = Vec<(String, Place)>;

/// The type of this path and those that it needs, each before those it names.
pub fn reachable(program: &Program, path: &str) -> Vec<Declaration> {
    let first = place(program, None, path);
    let name = path.rsplit("::").next().unwrap().to_owned();
    let (mut found, mut seen) = (Vec::new(), BTreeMap::from([(name.clone(), first.clone())]));
    let mut next = vec![(name, first)];
    while let Some((name, place)) = next.pop() {
        let (declaration, needed) = declaration(program, &name, &place, true);
        let mut new = Vec::new();
        for (name, needed_at) in needed {
            match seen.insert(name.clone(), needed_at.clone()) {
                None => new.push((name, needed_at)),
                Some(before) => assert_eq!(before, needed_at, "two types of the stream are called {name}"),
            }
        }
        next.extend(new.into_iter().rev());
        found.push(declaration);
    }
    found
}

/// The enum of this path, which is not written itself.
pub fn words(program: &Program, path: &str) -> Declaration {
    declaration(program, path.rsplit("::").next().unwrap(), &place(program, None, path), false).0
}

/// The constant number of this path.
pub fn number(program: &Program, path: &str) -> u32 {
    let Some(Item::Const(constant)) = program.item(&place(program, None, path)) else {
        panic!("{path} is no constant")
    };
    match constant.expr.to_token_stream().to_string().replace(' ', "").as_str() {
        "u32::MAX" => u32::MAX,
        number => number.parse().unwrap_or_else(|_| panic!("{path} is {number}")),
    }
}

fn place(program: &Program, from: Option<&Place>, path: &str) -> Place {
    let words: Vec<String> = path.split("::").map(str::to_owned).collect();
    program.place(from, &words).unwrap_or_else(|| panic!("there is no type {path} where {from:?} names it"))
}

/// The type that is declared at a place, under the name that the stream has for it.
fn declaration(program: &Program, name: &str, place: &Place, is_written: bool) -> (Declaration, Needed) {
    let mut reader = Reader { program, place, needed: Needed::new() };
    let item = program.item(place);
    let (attributes, kind) = match &item {
        Some(Item::Enum(item)) => {
            let serde = Serde::of(&item.attrs);
            let case = serde.rename_all.unwrap_or_else(|| "none".to_owned());
            let variants = item.variants.iter().map(|variant| reader.variant(variant, &case)).collect();
            (&item.attrs, Kind::Enum { tag: serde.tag, variants })
        }
        Some(Item::Struct(item)) => {
            let serde = Serde::of(&item.attrs);
            assert!(serde.tag.is_none() && serde.rename_all.is_none(), "{name}: attributes of serde");
            (&item.attrs, Kind::Struct(reader.fields(&item.fields)))
        }
        _ => panic!("{name} is neither a struct nor an enum"),
    };
    let derives = |attribute: &Attribute| {
        attribute.path().is_ident("derive") && attribute.to_token_stream().to_string().contains("Serialize")
    };
    assert!(!is_written || attributes.iter().any(derives), "serde does not write {name}");
    (Declaration { name: name.to_owned(), about: about(attributes), kind }, reader.needed)
}

/// Reads one declaration.
struct Reader<'p> {
    program: &'p Program,
    place: &'p Place,
    needed: Needed,
}

impl Reader<'_> {
    /// The fields of a struct or a variant; those of a flattened one in its place.
    fn fields(&mut self, fields: &Fields) -> Vec<Field> {
        let Fields::Named(fields) = fields else { panic!("fields without names: {}", fields.to_token_stream()) };
        let mut found = Vec::new();
        for field in &fields.named {
            let serde = Serde::of(&field.attrs);
            if serde.flatten {
                let inner = place(self.program, Some(self.place), &plain_path(&field.ty));
                let (flattened, needed) = declaration(self.program, "what is flattened", &inner, true);
                let Kind::Struct(inner) = flattened.kind else { panic!("an enum is flattened") };
                found.extend(inner);
                self.needed.extend(needed);
                continue;
            }
            let mut of = self.type_of(&field.ty);
            let name = field.ident.as_ref().expect("a name").unraw().to_string();
            if serde.as_rows {
                let Type::List(inner) = &of else { panic!("{name}: rows are a list") };
                let Type::Named(row) = &**inner else { panic!("{name}: rows are structs") };
                of = Type::List(Box::new(Type::Row(row.clone())));
            }
            if let (Type::Nullable(inner), true) = (&of, serde.optional) {
                of = (**inner).clone();
            }
            let name = serde.rename.unwrap_or(name);
            found.push(Field { name, about: about(&field.attrs), of, optional: serde.optional });
        }
        found
    }

    fn variant(&mut self, variant: &syn::Variant, case: &str) -> Variant {
        assert!(Serde::of(&variant.attrs).rename.is_none(), "a variant that is renamed");
        let content = match &variant.fields {
            Fields::Unit => Content::Nothing,
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Content::One(self.type_of(&fields.unnamed[0].ty)),
            fields => Content::Fields(self.fields(fields)),
        };
        Variant { name: in_case(&variant.ident.to_string(), case), about: about(&variant.attrs), content }
    }

    fn type_of(&mut self, of: &syn::Type) -> Type {
        match of {
            syn::Type::Array(array) => {
                let count: usize = array.len.to_token_stream().to_string().parse().expect("a count");
                Type::Tuple(vec![self.type_of(&array.elem); count])
            }
            syn::Type::Tuple(tuple) => Type::Tuple(tuple.elems.iter().map(|part| self.type_of(part)).collect()),
            syn::Type::Path(path) => {
                let last = path.path.segments.last().expect("a name");
                let name = last.ident.unraw().to_string();
                let inner = match &last.arguments {
                    syn::PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                        Some(syn::GenericArgument::Type(inner)) if arguments.args.len() == 1 => Some(inner),
                        _ => panic!("the type {}", of.to_token_stream()),
                    },
                    _ => None,
                };
                match (name.as_str(), inner) {
                    ("Vec", Some(inner)) => Type::List(Box::new(self.type_of(inner))),
                    ("Option", Some(inner)) => Type::Nullable(Box::new(self.type_of(inner))),
                    ("Box", Some(inner)) => self.type_of(inner),
                    ("Array", Some(_)) => Type::Base64,
                    ("f64" | "f32" | "u32" | "u64" | "usize", None) => Type::Number,
                    ("bool", None) => Type::Boolean,
                    ("String", None) => Type::Text,
                    (_, None) => {
                        self.needed.push((name.clone(), place(self.program, Some(self.place), &plain_path(of))));
                        Type::Named(name)
                    }
                    _ => panic!("the type {}", of.to_token_stream()),
                }
            }
            of => panic!("the type {}", of.to_token_stream()),
        }
    }
}

fn plain_path(of: &syn::Type) -> String {
    of.to_token_stream().to_string().replace(' ', "")
}

/// Documentation, for who reads JSON.
fn about(attributes: &[Attribute]) -> Vec<String> {
    let text = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(plain(text.value().trim())),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    // Examples are for who programs in Rust.
    let lines = attributes.iter().filter_map(text);
    let mut about: Vec<String> = lines.take_while(|line| !line.starts_with("```")).collect();
    about.truncate(about.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1));
    about
}

/// Documentation without the marks of rustdoc.
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
    fn of(attributes: &[Attribute]) -> Self {
        let mut serde = Serde::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
            let read = attribute.parse_nested_meta(|meta| {
                let key = meta.path.to_token_stream().to_string();
                let value = match meta.value() {
                    Ok(value) => Some(value.parse::<LitStr>()?.value()),
                    Err(_) => None,
                };
                match key.as_str() {
                    "tag" => serde.tag = value,
                    "rename" => serde.rename = value,
                    "rename_all" => serde.rename_all = value,
                    "skip_serializing_if" => serde.optional = true,
                    "flatten" => serde.flatten = true,
                    "serialize_with" if value.as_deref() == Some("as_rows") => serde.as_rows = true,
                    // For who reads in Rust.
                    "default" => {}
                    _ => return Err(meta.error(format!("`{key}` of serde is not known here"))),
                }
                Ok(())
            });
            read.unwrap_or_else(|error| panic!("{}: {error}", attribute.to_token_stream()));
        }
        serde
    }
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
