//! Arguments: one thing each.
//!
//! Where a function takes more than a reader can hold, what belongs together is a structure with a name. A tuple of
//! unlike things, made up so that the count looks smaller, is none. Tuples of like things are values: the ends of a
//! range, the indices of a row and a column, a point.

use super::files;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{FnArg, PatType, Signature, Type};

/// Tuples of unlike things that are values, which functions return as well.
const VALUES: [&str; 2] = [
    // An error and the coordinate that has it.
    "(f64, usize)",
    // A direction and the depth along it.
    "(Vector3<f64>, f64)",
];

/// The functions in some tokens, those in macros and in other functions included.
fn functions(tokens: TokenStream, found: &mut Vec<Signature>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => functions(group.stream(), found),
            TokenTree::Ident(word) if word == "fn" => {
                let signature = |input: ParseStream| {
                    let signature = input.parse()?;
                    input.parse::<TokenStream>()?;
                    Ok(signature)
                };
                // A type `fn(f64)` and a rule of a macro are none.
                found.extend(signature.parse2(tokens[at..].iter().cloned().collect()).ok());
            }
            _ => {}
        }
    }
}

fn plain(tokens: impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

/// True if an argument is a tuple of unlike things.
fn is_packed(argument: &PatType) -> bool {
    let Type::Tuple(tuple) = &*argument.ty else { return false };
    let kinds: Vec<String> = tuple.elems.iter().map(plain).collect();
    let is_value = VALUES.iter().any(|value| value.replace(' ', "") == plain(tuple));
    kinds.windows(2).any(|pair| pair[0] != pair[1]) && !is_value
}

/// The functions of a file, and the arguments of them that are tuples of unlike things, each with its function.
fn packed(text: &str) -> (usize, Vec<String>) {
    let mut all = Vec::new();
    functions(text.parse().expect("Rust"), &mut all);
    let mut found = Vec::new();
    // A trait fixes these two.
    for function in all.iter().filter(|function| function.ident != "from" && function.ident != "index") {
        for argument in &function.inputs {
            if let FnArg::Typed(argument) = argument
                && is_packed(argument)
            {
                found.push(format!("{}: {}", function.ident, plain(argument)));
            }
        }
    }
    (all.len(), found)
}

#[test]
fn no_function_packs_unlike_things_into_a_tuple() {
    let (mut functions, mut found) = (0, Vec::new());
    for path in files::texts() {
        let is_code = path.extension().is_some_and(|extension| extension == "rs")
            && ["src", "systems", "python", "viewer"].iter().any(|folder| path.starts_with(folder))
            && !path.starts_with("systems/tests");
        if !is_code {
            continue;
        }
        let text = crate::text(&path);
        assert!(!text.contains("clippy::too_many_arguments"), "{}: a structure has a name", path.display());
        let (count, packed) = packed(&text);
        functions += count;
        found.extend(packed.into_iter().map(|one| format!("{}: {one}", path.display())));
    }
    assert!(functions > 3000, "{functions} functions");
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn tuples_of_unlike_things_are_found() {
    let text = "fn one(&self, (a, b): (f64, &State), c: bool) {}\n\
                pub fn two<T>(at: (f64, f64), f: impl Fn((f64, &T)) -> T) {}\n\
                rules! { fn three(\n    &mut self,\n    (x, y): (&mut A, &mut B),\n) -> (f64, bool) }\n\
                fn four(worst: (f64, usize), f: fn(f64) -> bool) {}\n\
                fn from(pair: (f64, bool)) {}\n\
                fn five<F: Fn(f64) -> (f64, bool)>(f: F) { fn six(it: (F, u8)) {} }";
    assert_eq!(
        packed(text),
        (7, ["one: (a,b):(f64,&State)", "three: (x,y):(&mutA,&mutB)", "six: it:(F,u8)"].map(str::to_owned).into())
    );
}
