//! Tests of the crate that reads diagram files.

mod blocks;
mod data;
mod degrees;
mod file_numbers;
mod load;
mod nearby;
mod notes;
mod one_block;
mod overrides;
mod parse;
mod schema;
mod synonyms;
mod words;
