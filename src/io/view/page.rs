//! The page: one HTML file, built from `viewer/` and included in the program if it was built.

use super::quantized::coarser;
use super::{Feed, Line};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::borrow::Cow;
use std::io::{self, Write};

/// Element of the page that takes a recording.
pub const SLOT: &str = r#"<script id="kinegraph-recording" type="text/plain"></script>"#;

/// Recordings above this size \[bytes\] have coarser numbers, since a page is loaded as a whole.
const MAX_EXACT_BYTES: usize = 24 << 20;

/// The page.
#[derive(Clone, Debug)]
pub struct Page(Cow<'static, str>);

/// Reason why there is no page.
#[derive(thiserror::Error)]
pub enum PageError {
    /// The program was built without it.
    #[error(
        "this program was built without the page. Build it, then the program again:\n  npm --prefix viewer ci\n  npm \
         --prefix viewer run build\nWithout it: `kinegraph run FILE --record run.mcap` makes a recording that Foxglove and \
         Rerun show,\n`kinegraph run FILE --plot run.svg` draws the recorded channels"
    )]
    NotBuilt,
    /// The page has no element for a recording.
    #[error("the page in this program has no place for a recording; build `viewer` again, then the program")]
    NoSlot,
    /// The recording cannot be compressed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

kinegraph_core::debug_is_message!(PageError);

impl Page {
    /// Returns the page in the program; `html` is empty if the program was built without it.
    ///
    /// # Errors
    /// [`PageError::NotBuilt`].
    pub fn embedded(html: &'static str) -> Result<Self, PageError> {
        if html.is_empty() { Err(PageError::NotBuilt) } else { Ok(Page(html.into())) }
    }

    /// Creates another page for the same stream.
    pub fn of(html: String) -> Self {
        Page(html.into())
    }

    /// HTML that is served with the stream of a run.
    pub fn html(&self) -> &str {
        &self.0
    }

    /// HTML with a recording of all lines of `feed`, compressed, which needs nothing else.
    ///
    /// # Errors
    /// [`PageError::NoSlot`] or [`PageError::Io`].
    pub fn with_recording(&self, feed: &Feed) -> Result<String, PageError> {
        fill(&self.0, feed)
    }
}

pub fn fill(page: &str, feed: &Feed) -> Result<String, PageError> {
    // The last occurrence, since scripts of the page may contain the text too.
    let (before, after) = page.rsplit_once(SLOT).ok_or(PageError::NoSlot)?;
    let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
    let lines = feed.lines();
    let long = lines.iter().map(|line| line.len()).sum::<usize>() > MAX_EXACT_BYTES;
    if long {
        let lines: Result<Vec<Line>, _> = lines.iter().map(|line| serde_json::from_slice(line)).collect();
        for line in coarser(lines.map_err(io::Error::from)?) {
            serde_json::to_writer(&mut compressed, &line).map_err(io::Error::from)?;
            compressed.write_all(b"\n")?;
        }
    } else {
        lines.iter().try_for_each(|line| compressed.write_all(line))?;
    }
    let recording = STANDARD.encode(compressed.finish()?);
    let (open, close) = SLOT.split_at(SLOT.len() - "</script>".len());
    Ok([before, open, &recording, close, after].concat())
}
