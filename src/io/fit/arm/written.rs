//! A diagram file with the links and joints that were found.

use super::report::{ArmReport, PossibleJoint, PossibleLink};
use kinegraph_files::with_entries;

impl ArmReport {
    /// The text of a diagram file with the values of the model in place of those of its model file. `None` if the file
    /// has no such model in the plant, or its model replaces links or joints already.
    pub fn written(&self, text: &str) -> Option<String> {
        let (block, model) = self.model.rsplit_once('.')?;
        with_entries(text, &format!("systems.{block}.models.{model}"), &self.entries())
    }

    /// The entries `links` and `joints` of the model as a text.
    pub fn entries_alone(&self) -> String {
        let entries: Vec<String> = self.entries().iter().map(|(key, value)| format!("{key}: {value}\n")).collect();
        format!("# Entries of the model {}\n{}", self.model, entries.concat())
    }

    /// The entries `links` and `joints` of the model.
    fn entries(&self) -> Vec<(&'static str, String)> {
        let own = |name: &str| {
            let model = self.model.rsplit('.').next().unwrap_or_default();
            name.strip_prefix(model).and_then(|rest| rest.strip_prefix('/')).map(str::to_owned)
        };
        let links: Vec<String> =
            self.links.iter().filter_map(|link| Some(format!("{}: {}", own(&link.name)?, of_link(link)))).collect();
        let joints: Vec<String> = self
            .joint_values
            .iter()
            .filter_map(|joint| Some(format!("{}: {}", own(&joint.name)?, of_joint(joint)?)))
            .collect();
        let mut entries = vec![("links", format!("{{{}}}", links.join(", ")))];
        if !joints.is_empty() {
            entries.push(("joints", format!("{{{}}}", joints.join(", "))));
        }
        entries
    }
}

fn of_link(link: &PossibleLink) -> String {
    format!("{{mass: {:?}, com: {:?}, inertia: {:?}}}", link.mass, link.com, link.inertia)
}

fn of_joint(joint: &PossibleJoint) -> Option<String> {
    let values = [("damping", joint.damping), ("friction", joint.friction), ("armature", joint.armature)];
    let values: Vec<String> =
        values.iter().filter_map(|(key, value)| value.map(|value| format!("{key}: {value:?}"))).collect();
    (!values.is_empty()).then(|| format!("{{{}}}", values.join(", ")))
}
