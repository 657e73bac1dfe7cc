//! One block, made from the name of its type and its parameters, without a diagram file.

use super::catalog::Catalog;
use super::fault::FileFaults;
use super::item::{Item, Path};
use super::load::faults;
use super::loader::Loader;
use super::names::unknown;
use super::node::Node;
use super::reader::Reader;
use super::schema::system;
use kinegraph_systems::ErasedSystem;
use std::path::Path as FilePath;
use std::sync::Arc;

impl Catalog {
    /// The block of the type `type_name` with these parameters: a map, made by a program ([`Node`]) or from JSON. Files
    /// that they name lie in `folder`, or have an absolute path.
    ///
    /// ```
    /// use kinegraph::files::Catalog;
    /// use std::path::Path;
    ///
    /// let parameters = serde_json::json!({"kp": 60, "kd": [15, 20]});
    /// let pid = Catalog::standard().build("pid", parameters, Path::new(""))?;
    /// assert_eq!(pid.ports().outputs()[0].width, 2);
    ///
    /// let faults = Catalog::standard().build("pid", [("kp", -1.0), ("kq", 2.0)], Path::new("")).err().unwrap();
    /// let text = "pid.kp: expected a number that is not negative, found -1";
    /// assert!(faults.to_string().starts_with(text), "{faults}");
    /// assert_eq!(faults.0.len(), 2);
    /// # Ok::<(), kinegraph::files::FileFaults>(())
    /// ```
    ///
    /// # Errors
    /// Everything that is wrong with the parameters. Blocks that are made for another block of their file, and nested
    /// diagrams, cannot be made alone.
    pub fn build(
        &self,
        type_name: &str,
        parameters: impl Into<Node>,
        folder: &FilePath,
    ) -> Result<Arc<dyn ErasedSystem>, FileFaults> {
        let (loader, node) = (Loader::of_program(folder), parameters.into());
        let path = Path::Key(&Path::Root, type_name);
        let item = Item { node: &node, path: &path, loader: &loader, ranges: &[] };
        let Some(block_type) = self.get(type_name) else {
            item.report(unknown(type_name, "block type", "type".into(), self.names(), &loader));
            return Err(faults(&loader));
        };
        let system = Reader::new(item).and_then(|reader| system::read(block_type, reader, item));
        // A description with faults is not built: what it says wrongly has been replaced.
        let system = system.filter(|_| loader.is_clean());
        system.and_then(|system| system.build(None, &loader)).ok_or_else(|| faults(&loader))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::node::Value;

    fn faults_of(type_name: &str, parameters: Node) -> String {
        let built = Catalog::standard().build(type_name, parameters, FilePath::new(""));
        built.err().map_or_else(String::new, |faults| faults.to_string())
    }

    #[test]
    fn json_and_values_of_a_program_make_the_same_block() {
        let json = serde_json::json!({"signs": "+-", "width": 3});
        let node = Node::from([("signs", Node::from("+-")), ("width", Node::from(3.0))]);
        for parameters in [Node::from(json), node] {
            let block = Catalog::standard().build("adder", parameters, FilePath::new("")).expect("a sum");
            let names: Vec<&str> = block.ports().inputs().iter().map(|port| port.name.as_str()).collect();
            assert_eq!((names, block.ports().outputs()[0].width), (vec!["input0", "input1"], 3));
        }
    }

    #[test]
    fn all_faults_are_reported_without_a_place() {
        let faults = faults_of("gain", Node::from([("gian", Node::from(f64::NAN)), ("width", Node::from(0.5))]));
        let expected = "unknown key `gian` in gain\n  help: did you mean `gain`? Valid here: gain, width or derivatives\n\
                        gain.width: expected a whole number from 1 to 1000000, found 0.5";
        let mut lines: Vec<&str> = faults.lines().collect();
        lines.sort_unstable();
        let mut expected: Vec<&str> = expected.lines().collect();
        expected.sort_unstable();
        assert_eq!(lines, expected);
        assert!(faults_of("gian", Value::Null.into()).contains("unknown block type `gian`"));
        assert!(
            faults_of("gain", Value::Null.into()).contains("gain: expected a map of keys and values, found nothing")
        );
    }

    #[test]
    fn blocks_of_a_file_cannot_be_made_alone() {
        let nothing = serde_json::json!({"plant": "plant", "suction": {"c": 1, "d0": 1}, "cups": [], "targets": []});
        assert!(faults_of("vacuum_gripper", nothing.into()).contains("made for another block of its file"));
    }
}
