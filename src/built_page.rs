//! The page that is part of this program.

use crate::view::{Page, PageError};

/// The page of this program.
///
/// # Errors
/// [`PageError::NotBuilt`]: the program was built without it.
pub fn built_page() -> Result<Page, PageError> {
    Page::embedded(kinegraph_page::HTML)
}
