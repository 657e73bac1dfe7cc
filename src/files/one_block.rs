//! One block, made from the name of its type and its parameters, without a diagram file.

use super::block_type::Surroundings;
use super::catalog::Catalog;
use super::fault::FileFaults;
use super::item::{Item, Path};
use super::load::faults;
use super::loader::Loader;
use super::names::unknown_type;
use super::node::Node;
use super::reader::Reader;
use super::schema::system;
use kinegraph_core::ErasedSystem;
use std::path::Path as FilePath;
use std::sync::Arc;

impl Catalog {
    /// Builds a block of the type `type_name` with these parameters: a map, made by a program ([`Node`]) or from JSON.
    /// File names in it are relative to `folder`, or absolute.
    ///
    /// ```
    /// use kinegraph::files::Catalog;
    /// use std::path::Path;
    ///
    /// let parameters = serde_json::json!({"kp": 60, "kd": [15, 20]});
    /// let pid = Catalog::standard().build("pid", parameters, Path::new(""))?;
    /// assert_eq!(pid.ports().outputs()[0].width, 2);
    ///
    /// let faults = Catalog::standard().build("pid", [("kp", f64::NAN), ("kq", 2.0)], Path::new("")).err().unwrap();
    /// let text = "pid.kp: expected a finite number";
    /// assert!(faults.to_string().starts_with(text), "{faults}");
    /// assert_eq!(faults.0.len(), 2);
    /// # Ok::<(), kinegraph::files::FileFaults>(())
    /// ```
    ///
    /// # Errors
    /// All faults of the parameters. Blocks that belong to another block of their file, and nested diagrams, cannot be
    /// built alone.
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
            item.report(unknown_type(type_name, "type".into(), self.names(), &loader));
            return Err(faults(&loader));
        };
        let system = Reader::new(item).and_then(|reader| system::read(block_type, reader, item));
        // A description with faults is not built: wrong values in it were replaced.
        let system = system.filter(|_| loader.is_clean());
        system.and_then(|system| system.build(Surroundings::default(), &loader)).ok_or_else(|| faults(&loader))
    }
}
