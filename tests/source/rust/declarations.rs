//! Declarations and names of one file of Rust source: modules, items, `use`, paths.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::ext::IdentExt;
use syn::{Item, ItemUse, UseTree, Visibility};

/// One name that a `use` brings into a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The whole path; of `a::*` without the star.
    pub path: Vec<String>,
    /// Under which name; `None` for all names of `path`.
    pub name: Option<String>,
    /// True if it is `pub use`: passed on to whoever imports this module.
    pub public: bool,
}

/// Declarations and names of one module, without those under `#[cfg(test)]`.
#[derive(Default)]
pub struct Declarations {
    /// Name, and the module itself if it stands in braces.
    pub modules: Vec<(String, Option<Declarations>)>,
    /// Functions, types, traits, constants, macros. Of structs, enums and constants the text.
    pub items: HashMap<String, Option<String>>,
    /// Macros that stand at the root of their crate, whatever module declares them.
    pub exported: Vec<String>,
    pub imports: Vec<Import>,
    /// Every `a::b` outside of `use`.
    pub paths: Vec<Vec<String>>,
    /// Every word outside of `use`.
    pub words: HashSet<String>,
}

/// Which words declare an item by the word behind them.
const ITEMS: [&str; 8] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static"];

impl Declarations {
    /// Reads one file.
    pub fn read(text: &str) -> syn::Result<Declarations> {
        Ok(Declarations::of(syn::parse_file(text)?.items))
    }

    fn of(items: Vec<Item>) -> Declarations {
        let mut found = Declarations::default();
        items.into_iter().for_each(|item| found.add(item));
        found
    }

    fn add(&mut self, item: Item) {
        let tokens: Vec<TokenTree> = item.to_token_stream().into_iter().collect();
        if is_test_only(&tokens) {
            return;
        }
        match item {
            Item::Mod(module) => {
                let inner = module.content.map(|(_, items)| Declarations::of(items));
                return self.modules.push((name(&module.ident), inner));
            }
            Item::Use(import) => return self.import(&import),
            Item::Macro(call) => match &call.ident {
                Some(ident) => {
                    if call.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export")) {
                        self.exported.push(name(ident));
                    }
                    self.items.insert(name(ident), None);
                    self.made_by_rules(call.mac.tokens.clone());
                }
                None => self.made_by_macro(call.mac.tokens.clone()),
            },
            item => {
                let is_read = matches!(item, Item::Const(_) | Item::Enum(_) | Item::Struct(_));
                let text = is_read.then(|| item.to_token_stream().to_string());
                self.items.extend(ident_of(&item).map(|ident| (name(ident), text)));
            }
        }
        self.walk(&tokens);
    }

    /// The items that the rules of a macro name themselves are those of the file that calls it.
    fn made_by_rules(&mut self, rules: TokenStream) {
        let tokens: Vec<TokenTree> = rules.into_iter().collect();
        for pair in tokens.windows(2) {
            if let [TokenTree::Ident(kind), TokenTree::Ident(ident)] = pair
                && ITEMS.iter().any(|item| kind == item)
            {
                self.items.insert(name(ident), None);
            }
        }
        for token in tokens {
            if let TokenTree::Group(group) = token {
                self.made_by_rules(group.stream());
            }
        }
    }

    /// Adds what a call of a macro makes, by the names that stand in it: items of `name! { Item { … } }` and of
    /// `name! { const ITEM; }`, and modules of constants of `name! { module in [ … ] { CONSTANT: … } }`.
    fn made_by_macro(&mut self, body: TokenStream) {
        let tokens: Vec<TokenTree> = body.into_iter().collect();
        for pair in tokens.windows(2) {
            if let [TokenTree::Ident(ident), TokenTree::Group(group)] = pair
                && group.delimiter() == Delimiter::Brace
            {
                self.items.insert(name(ident), None);
            }
            if let [TokenTree::Ident(kind), TokenTree::Ident(ident)] = pair
                && kind == "const"
            {
                self.items.insert(name(ident), None);
            }
        }
        for four in tokens.windows(4) {
            if let [TokenTree::Ident(module), TokenTree::Ident(word), TokenTree::Group(_), TokenTree::Group(group)] =
                four
                && word == "in"
            {
                let body: Vec<TokenTree> = group.stream().into_iter().collect();
                let constants = body.windows(2).filter_map(|pair| match pair {
                    [TokenTree::Ident(ident), TokenTree::Punct(colon)]
                        if colon.as_char() == ':' && colon.spacing() == Spacing::Alone =>
                    {
                        Some((name(ident), None))
                    }
                    _ => None,
                });
                let inner = Declarations { items: constants.collect(), ..Declarations::default() };
                self.modules.push((name(module), Some(inner)));
            }
        }
    }

    /// Words, paths and local imports, those in calls of macros included.
    fn walk(&mut self, tokens: &[TokenTree]) {
        let is = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == sign);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if is_test_only(&tokens[at..]) {
                at += item_length(&tokens[at..]);
                continue;
            }
            match token {
                TokenTree::Group(group) => self.walk(&group.stream().into_iter().collect::<Vec<_>>()),
                // A lifetime.
                TokenTree::Punct(mark) if mark.as_char() == '\'' => at += 1,
                TokenTree::Ident(word) if word == "use" => {
                    let length = tokens[at..].iter().position(is_semicolon).map_or(0, |end| end + 1);
                    // It may be something else: `use<'a>`, or a rule of a macro.
                    if let Ok(import) = syn::parse2::<ItemUse>(tokens[at..at + length].iter().cloned().collect()) {
                        self.import(&import);
                        at += length - 1;
                    }
                }
                TokenTree::Ident(first) => {
                    let of_value = at > 0 && is(at - 1, '.') && !(at > 1 && is_range(&tokens[at - 2]));
                    let mut path = vec![name(first)];
                    while is(at + 1, ':')
                        && is(at + 2, ':')
                        && let Some(TokenTree::Ident(word)) = tokens.get(at + 3)
                    {
                        path.push(name(word));
                        at += 3;
                    }
                    if !of_value {
                        self.words.insert(path[0].clone());
                        self.paths.extend((path.len() > 1).then_some(path));
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            at += 1;
        }
    }

    fn import(&mut self, import: &ItemUse) {
        let public = !matches!(import.vis, Visibility::Inherited);
        self.import_tree(&import.tree, &mut Vec::new(), public);
    }

    /// The tree of a `use` behind `prefix`.
    fn import_tree(&mut self, tree: &UseTree, prefix: &mut Vec<String>, public: bool) {
        let outer = prefix.len();
        let push = |prefix: &mut Vec<String>, word: String| {
            if word != "self" || prefix.is_empty() {
                prefix.push(word);
            }
        };
        let import = match tree {
            UseTree::Path(path) => {
                push(prefix, name(&path.ident));
                self.import_tree(&path.tree, prefix, public);
                None
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.import_tree(tree, prefix, public));
                None
            }
            UseTree::Glob(_) => Some(Import { path: prefix.clone(), name: None, public }),
            UseTree::Name(own) => {
                push(prefix, name(&own.ident));
                Some(Import { path: prefix.clone(), name: prefix.last().cloned(), public })
            }
            UseTree::Rename(own) => {
                push(prefix, name(&own.ident));
                Some(Import { path: prefix.clone(), name: Some(name(&own.rename)), public })
            }
        };
        self.imports.extend(import);
        prefix.truncate(outer);
    }
}

/// The text of a name, without the `r#` of one that is a keyword.
fn name(ident: &Ident) -> String {
    ident.unraw().to_string()
}

fn ident_of(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::TraitAlias(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

/// True if `#[cfg(test)]` is among the attributes that begin some tokens.
fn is_test_only(tokens: &[TokenTree]) -> bool {
    attributes_of(tokens).any(|attribute| attribute.to_string().replace(' ', "") == "cfg(test)")
}

/// Tokens in the brackets of the attributes that begin some tokens.
fn attributes_of(tokens: &[TokenTree]) -> impl Iterator<Item = TokenStream> {
    tokens.chunks(2).map_while(|pair| match pair {
        [TokenTree::Punct(mark), TokenTree::Group(group)]
            if mark.as_char() == '#' && group.delimiter() == Delimiter::Bracket =>
        {
            Some(group.stream())
        }
        _ => None,
    })
}

/// The length of attributes and the item behind them: to a `;`, or over its first braces.
fn item_length(tokens: &[TokenTree]) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => is_semicolon(token),
    };
    // The braces of a `use` do not end it.
    let is_import =
        tokens.iter().take_while(|token| !ends(token)).any(|t| matches!(t, TokenTree::Ident(i) if i == "use"));
    let end = tokens.iter().position(|token| if is_import { is_semicolon(token) } else { ends(token) });
    end.map_or(tokens.len(), |end| end + 1)
}

fn is_semicolon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';')
}

/// True if a dot is the first of two.
fn is_range(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == '.' && mark.spacing() == Spacing::Joint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(path: &str) -> Vec<String> {
        path.split("::").map(str::to_owned).collect()
    }

    #[test]
    fn declarations_are_found_whatever_stands_around_them() {
        let found = Declarations::read(
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
            macro_rules! twice { ($x:expr) => { fn made() { $x } } }
            pub struct Pair<'a> { c: char, next: &'a Own }
            impl<'a> Pair<'a> {
                const BRACE: char = '{';
                fn method(&self) -> f64 { use crate::local::Function; self.next.field::<u8>(); other::run::<f64>(1.0e3) }
                #[allow(dead_code)]
                #[cfg(test)]
                fn only(&self) -> u8 { crate::no::test() }
                fn said(&self) -> String { format!("{}", there::inner(0..there::MANY)) }
            }
            kinds! { #[doc = ""] Kind { Variant: "about" } }
            choices! { pub const ALL; part in ["a.rs"] { FEW: f64 = 1.0, "s", "about"; MANY: f64 = 2.0, "s", "about"; } }
            fn r#type() -> Alias { Alias::Variant }
            "##,
        )
        .unwrap();
        let modules: Vec<_> = found.modules.iter().map(|(name, inner)| (name.as_str(), inner.is_some())).collect();
        assert_eq!(modules, [("here", false), ("there", true), ("part", true)]);
        assert_eq!(found.modules[1].1.as_ref().unwrap().paths, [words("super::near::call")]);
        let mut constants: Vec<_> = found.modules[2].1.as_ref().unwrap().items.keys().map(String::as_str).collect();
        constants.sort_unstable();
        assert_eq!(constants, ["FEW", "MANY"]);
        let mut items: Vec<_> = found.items.keys().map(String::as_str).collect();
        items.sort_unstable();
        assert_eq!(items, ["ALL", "Kind", "Pair", "RAW", "TEXT", "made", "twice", "type"]);
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
        assert_eq!(found.paths, ["other::run", "there::inner", "there::MANY", "Alias::Variant"].map(words));
        assert!(found.words.contains("Own") && !found.words.contains("field") && !found.words.contains("no"));
    }
}
