//! The files that a model file names.

use crate::mesh::{self, MeshFault};
use crate::options::LoadOptions;
use kinegraph_core::scene::FileReference;
use std::collections::HashMap;
use std::path::Path;

/// Paths of files, each searched for once.
#[derive(Default)]
pub(crate) struct Files(HashMap<String, Result<String, MeshFault>>);

impl Files {
    /// The file of `uri` in a model file in `folder`; or the reason why there is none.
    pub(crate) fn find(
        &mut self,
        uri: &str,
        folder: &Path,
        options: &LoadOptions,
    ) -> Result<FileReference, (FileReference, MeshFault)> {
        let locate = || mesh::find(uri.trim(), folder, options).map(|path| path.display().to_string());
        let found = self.0.entry(uri.to_owned()).or_insert_with(locate);
        let reference = FileReference { uri: uri.to_owned(), file: found.as_ref().ok().cloned() };
        match found {
            Ok(_) => Ok(reference),
            Err(fault) => Err((reference, fault.clone())),
        }
    }
}
