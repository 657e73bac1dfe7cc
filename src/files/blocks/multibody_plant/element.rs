//! Links and joints of models, by name: `model/element`.

use crate::form::{Decode, Item, Position, Text};

/// `model/element`: a joint or link of a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModelElement {
    /// Kind of the element: `joint` or `link`.
    pub what: &'static str,
}

impl Decode for ModelElement {
    type Output = (String, String);
    fn expects(&self) -> String {
        format!("a {} as `model/{}`", self.what, self.what)
    }
    fn decode(&self, item: Item<'_>) -> Option<(String, String)> {
        let text = Text { about: "text" }.decode(item)?;
        match text.split_once('/') {
            Some((model, element)) if !model.is_empty() && !element.is_empty() => Some((model.into(), element.into())),
            _ => {
                item.wrong(self.expects());
                None
            }
        }
    }
}

/// A joint of a model.
#[derive(Clone, Debug)]
pub struct JointRef {
    /// The model.
    pub model: String,
    /// The joint.
    pub joint: String,
    /// Place where it is named.
    pub at: Position,
}

/// `MODEL/JOINT`, with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointOf;

impl Decode for JointOf {
    type Output = JointRef;
    fn expects(&self) -> String {
        ModelElement { what: "joint" }.expects()
    }
    fn decode(&self, item: Item<'_>) -> Option<JointRef> {
        let (model, joint) = ModelElement { what: "joint" }.decode(item)?;
        Some(JointRef { model, joint, at: item.node.at })
    }
}
