//! Page for the browser that is built into this program.

use crate::view::{Page, PageError};

/// Returns the page that is built into this program.
///
/// # Errors
/// [`PageError::NotBuilt`]: the program was built without it.
pub fn built_page() -> Result<Page, PageError> {
    Page::embedded(kinegraph_page::HTML)
}
