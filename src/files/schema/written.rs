//! Things that are written as texts, as on the command line: measures, numbers, channels.

use crate::decode::Text;
use crate::fault::FaultKind;
use crate::gradient_by::GradientBy;
use crate::item::{Decode, Item};
use crate::loader::Loader;
use crate::names::Names;
use crate::node::{Node, Position};
use crate::number_at::number_in;
use crate::reader::Reader;
use std::fmt::Display;
use std::str::FromStr;

/// Something that is written as a text.
#[derive(Clone, Debug)]
pub struct Written<T> {
    /// The thing.
    pub value: T,
    /// The text.
    pub text: String,
    /// Its place.
    pub at: Position,
    /// Its path in the file.
    pub path: String,
}

impl<T> Written<T> {
    /// Records a fault of it.
    pub fn fault(&self, message: impl Display, loader: &Loader) {
        loader.report(self.at, FaultKind::Conflict { path: self.path.clone(), message: message.to_string() });
    }

    /// Records a fault if the block of a channel or state that it names is unknown.
    pub(super) fn check_block(&self, name: &str, blocks: &Names<'_>, loader: &Loader) {
        let block = name.split(['.', '/']).next().unwrap_or(name);
        blocks.check(block, "block", || self.path.clone(), self.at, loader);
    }

    /// The value of the number `by`, which it names, where the file states it; records a fault if the file has no such
    /// number, or no such block.
    pub(super) fn check_number(
        &self,
        by: &GradientBy,
        root: &Node,
        blocks: &Names<'_>,
        loader: &Loader,
    ) -> Option<f64> {
        match by {
            GradientBy::Initial(name) => self.check_block(name, blocks, loader),
            GradientBy::Path(path, None) => match number_in(root, root, path) {
                Ok(number) => return Some(number),
                Err(fault) => self.fault(fault, loader),
            },
            GradientBy::Path(..) => {}
        }
        None
    }
}

/// Records a fault for each that is there twice.
pub(super) fn twice<T>(all: &[Written<T>], r: &Reader<'_>) {
    for (i, one) in all.iter().enumerate() {
        if let Some(first) = all[..i].iter().find(|first| first.text.trim() == one.text.trim()) {
            let message = format!("`{}` is there already (line {})", one.text.trim(), first.at.line);
            r.report(one.at, FaultKind::Conflict { path: one.path.clone(), message });
        }
    }
}

/// Decoder of a thing that is written as a text.
pub(super) struct TextOf<T> {
    about: &'static str,
    thing: std::marker::PhantomData<T>,
}

impl<T> TextOf<T> {
    /// Decoder of things that are called `about`, in words that fit "expected …".
    pub const fn new(about: &'static str) -> Self {
        TextOf { about, thing: std::marker::PhantomData }
    }
}

impl<T: FromStr<Err: Display>> Decode for TextOf<T> {
    type Output = Written<T>;
    fn expects(&self) -> String {
        self.about.into()
    }
    fn decode(&self, item: Item<'_>) -> Option<Written<T>> {
        let text = Text { about: self.about }.decode(item)?;
        match text.parse() {
            Ok(value) => Some(Written { value, text, at: item.node.at, path: item.path.to_string() }),
            Err(error) => {
                let (path, message) = (item.path.to_string(), error.to_string());
                item.report(FaultKind::Conflict { path, message });
                None
            }
        }
    }
}
