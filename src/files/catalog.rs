//! The block types and integrators that diagram files can name.

use super::block_type::{BlockType, Group};
use kinegraph_engine::integrators::IntegratorType;
use kinegraph_methods::METHODS;

/// Block types and integrators by name, passed to readers of diagram files. [`Catalog::standard`] has those of the
/// library; a program adds its own:
///
/// ```
/// # use kinegraph::files::form::*;
/// # mod my_block {
/// #     use kinegraph::files::form::*;
/// #     use kinegraph::systems::operators::Gain;
/// #     pub const TYPE: BlockType =
/// #         BlockType { name: "my_block", group: Group::Operators, about: "", example: "", files: &[], read };
/// #     fn read(_: &mut Reader<'_>) -> Option<SystemSpec> { recipe(|| Gain::new(1, 2.0)) }
/// # }
/// use kinegraph::files::Catalog;
///
/// let catalog = Catalog::standard().with(my_block::TYPE)?;
/// # Ok::<(), kinegraph::files::CatalogError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Catalog {
    types: Vec<BlockType>,
    integrators: Vec<&'static IntegratorType>,
    /// True if files may name files outside of their folders.
    anywhere: bool,
}

/// Errors of a catalog.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogError {
    /// Two block types have one name.
    #[error("the catalog has a block type `{name}` already")]
    Duplicate {
        /// The name.
        name: &'static str,
    },
    /// Two integrators have one name.
    #[error("the catalog has an integrator `{name}` already")]
    DuplicateIntegrator {
        /// The name.
        name: &'static str,
    },
}

kinegraph_core::debug_is_message!(CatalogError);

impl Catalog {
    /// A catalog without block types.
    pub fn empty() -> Self {
        Catalog::of(Vec::new())
    }

    /// Adds a block type.
    ///
    /// # Errors
    /// A name that another block type has.
    pub fn with(mut self, block: BlockType) -> Result<Self, CatalogError> {
        if self.get(block.name).is_some() {
            return Err(CatalogError::Duplicate { name: block.name });
        }
        self.types.push(block);
        Ok(self)
    }

    /// Adds an integrator.
    ///
    /// # Errors
    /// A name that another integrator has.
    pub fn with_integrator(mut self, integrator: &'static IntegratorType) -> Result<Self, CatalogError> {
        if self.integrators.contains(&integrator) {
            return Err(CatalogError::DuplicateIntegrator { name: integrator.name });
        }
        self.integrators.push(integrator);
        Ok(self)
    }

    /// Every integrator, in the order in which they are listed; the first is the default.
    pub fn integrators(&self) -> &[&'static IntegratorType] {
        &self.integrators
    }

    /// Creates a catalog of these types, whose names must differ.
    pub(super) fn of(types: Vec<BlockType>) -> Self {
        Catalog { types, integrators: METHODS.to_vec(), anywhere: false }
    }

    /// Sets whether files are trusted: if `outside`, they and the models in them may name files outside of their
    /// folders, packages and `model_paths`.
    pub fn allow_outside(self, outside: bool) -> Self {
        Catalog { anywhere: outside, ..self }
    }

    /// True if files may name files outside of their folders.
    pub fn allows_outside(&self) -> bool {
        self.anywhere
    }

    /// Every block type, in the order in which they are listed.
    pub fn types(&self) -> &[BlockType] {
        &self.types
    }

    /// Names of all block types, in the order in which they are listed.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.types.iter().map(|block| block.name)
    }

    /// The block types by groups, each in the order in which they are listed.
    pub fn groups(&self) -> Vec<(Group, Vec<&BlockType>)> {
        let mut groups: Vec<(Group, Vec<&BlockType>)> = Vec::new();
        for block in &self.types {
            match groups.iter_mut().find(|(group, _)| *group == block.group) {
                Some((_, blocks)) => blocks.push(block),
                None => groups.push((block.group, vec![block])),
            }
        }
        groups
    }

    /// The block type of this name.
    pub fn get(&self, name: &str) -> Option<&BlockType> {
        self.types.iter().find(|block| block.name == name)
    }
}
