//! Declared types as TypeScript.

use super::declarations::{Content, Declaration, Field, Kind, Type, Variant};
use std::collections::BTreeSet;
use std::fmt::Write;

/// All declarations, one after the other.
pub fn of(declarations: &[Declaration]) -> String {
    let rows = rows(declarations);
    let mut text = String::new();
    for Declaration { name, about, kind } in declarations {
        text.push('\n');
        comment(about, "", &mut text);
        match kind {
            Kind::Struct(fields) if rows.contains(name) => {
                writeln!(text, "export type {name} = [").unwrap();
                for field in fields {
                    comment(&field.about, "  ", &mut text);
                    writeln!(text, "  {}: {},", field.name, type_of(&field.of)).unwrap();
                }
                text += "];\n";
            }
            Kind::Struct(fields) => {
                writeln!(text, "export interface {name} {{").unwrap();
                fields.iter().for_each(|field| member(field, "  ", &mut text));
                text += "}\n";
            }
            Kind::Enum { tag, variants } => {
                writeln!(text, "export type {name} =").unwrap();
                let mut all = String::new();
                variants.iter().for_each(|one| variant(one, tag.as_deref(), &mut all));
                if variants.len() == 1 {
                    all = all.replacen("  | ", "  ", 1);
                }
                // The last variant ends the declaration.
                writeln!(text, "{};", all.trim_end()).unwrap();
            }
        }
    }
    text
}

/// A list of words, and the type of each of them.
pub fn words(of: &Declaration, list: &str) -> String {
    let Kind::Enum { variants, .. } = &of.kind else { panic!("{} is no enum", of.name) };
    let mut text = String::from("\n");
    comment(&of.about, "", &mut text);
    writeln!(text, "export const {list} = [").unwrap();
    for variant in variants {
        comment(&variant.about, "  ", &mut text);
        writeln!(text, "  '{}',", variant.name).unwrap();
    }
    writeln!(text, "] as const;\nexport type {} = (typeof {list})[number];", of.name).unwrap();
    text
}

/// The structs that are written as lists of their fields.
fn rows(declarations: &[Declaration]) -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    for declaration in declarations {
        let Kind::Struct(fields) = &declaration.kind else { continue };
        for field in fields {
            if let Type::List(inner) = &field.of
                && let Type::Row(name) = &**inner
            {
                rows.insert(name.clone());
            }
        }
    }
    rows
}

fn comment(about: &[String], indent: &str, text: &mut String) {
    match about {
        [] => {}
        [line] => writeln!(text, "{indent}/** {line} */").unwrap(),
        lines => {
            writeln!(text, "{indent}/**").unwrap();
            for line in lines {
                writeln!(text, "{}", format!("{indent} * {line}").trim_end()).unwrap();
            }
            writeln!(text, "{indent} */").unwrap();
        }
    }
}

fn member(field: &Field, indent: &str, text: &mut String) {
    comment(&field.about, indent, text);
    writeln!(text, "{indent}{}{}: {};", field.name, if field.optional { "?" } else { "" }, type_of(&field.of)).unwrap();
}

fn variant(of: &Variant, tag: Option<&str>, text: &mut String) {
    comment(&of.about, "  ", text);
    let name = &of.name;
    match (tag, &of.content) {
        (None, Content::Nothing) => writeln!(text, "  | '{name}'").unwrap(),
        (Some(tag), Content::Nothing) => writeln!(text, "  | {{ {tag}: '{name}' }}").unwrap(),
        (None, Content::One(inner)) => writeln!(text, "  | {{ {name}: {} }}", type_of(inner)).unwrap(),
        (Some(tag), Content::One(inner)) => writeln!(text, "  | ({{ {tag}: '{name}' }} & {})", type_of(inner)).unwrap(),
        (Some(tag), Content::Fields(fields)) => {
            writeln!(text, "  | {{\n      {tag}: '{name}';").unwrap();
            fields.iter().for_each(|field| member(field, "      ", text));
            writeln!(text, "    }}").unwrap();
        }
        (None, Content::Fields(fields)) => {
            writeln!(text, "  | {{\n      {name}: {{").unwrap();
            fields.iter().for_each(|field| member(field, "        ", text));
            writeln!(text, "      }};\n    }}").unwrap();
        }
    }
}

fn type_of(of: &Type) -> String {
    match of {
        Type::Number => "number".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Text => "string".to_owned(),
        Type::Base64 => "Base64".to_owned(),
        Type::List(inner) => match &**inner {
            Type::Nullable(_) => format!("({})[]", type_of(inner)),
            inner => format!("{}[]", type_of(inner)),
        },
        Type::Tuple(parts) => format!("[{}]", parts.iter().map(type_of).collect::<Vec<_>>().join(", ")),
        Type::Nullable(inner) => format!("{} | null", type_of(inner)),
        Type::Named(name) | Type::Row(name) => name.clone(),
    }
}
