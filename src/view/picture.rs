//! Pictures of a run: the page draws them in a browser without a window and hands them back to the server.

use super::server::{Handed, Server};
use super::small_png::small_png;
use super::{Browser, BrowserError, Feed, Page, ServerError};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The longest that a browser may take: long recordings on a busy machine without a graphics processor need a minute.
const BROWSER_TIMEOUT: Duration = Duration::from_secs(300);
/// Between looks at whether the browser still runs.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// What of a run a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PagePicture {
    /// The scene or the diagram.
    pub show: PageView,
    /// At which time \[s\]; the end unless given.
    pub at: Option<f64>,
    /// Width and height \[pixels\].
    pub size: (u32, u32),
    /// Whether contact points are drawn.
    pub contacts: bool,
}

/// One of the page's views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageView {
    /// Bodies and contacts.
    Scene,
    /// Blocks and wires.
    Diagram,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// No browser.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// The page cannot be served to it.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The page says why.
    #[error("{0}")]
    Page(String),
    /// The browser ended.
    #[error("the browser ended before it had drawn the picture{0}")]
    Ended(String),
    /// The browser does nothing.
    #[error("the browser drew no picture within {} s{said}", BROWSER_TIMEOUT.as_secs())]
    Late {
        /// What it said.
        said: String,
    },
    /// What the browser drew is no PNG.
    #[error("what the browser drew cannot be read: {0}")]
    Broken(String),
    /// There is no folder for what the browser keeps.
    #[error("no folder for the browser: {0}")]
    Folder(std::io::Error),
}

impl PagePicture {
    /// The picture of a finished run as PNG of at most 256 colours.
    ///
    /// # Errors
    /// [`PictureError`].
    pub fn take(&self, page: &Page, feed: &Feed, browser: &Browser) -> Result<Vec<u8>, PictureError> {
        let (server, handed) = Server::for_picture(page.clone(), feed.clone())?;
        let folder = Folder::new(&server)?;
        let mut running = Running(browser.open(&format!("{}#{}", server.url(), self.wish()), &folder.0)?);
        let png = wait(&mut running.0, &handed, &folder.0)?;
        small_png(&png).map_err(PictureError::Broken)
    }

    /// What the page reads in its address.
    fn wish(&self) -> String {
        let show = match self.show {
            PageView::Scene => "scene",
            PageView::Diagram => "diagram",
        };
        let at = self.at.map_or_else(String::new, |t| format!("&t={t}"));
        let contacts = if self.contacts { "" } else { "&contacts=off" };
        format!("picture={show}&size={}x{}{at}{contacts}", self.size.0, self.size.1)
    }
}

fn wait(browser: &mut Child, handed: &Receiver<Handed>, folder: &Path) -> Result<Vec<u8>, PictureError> {
    let start = Instant::now();
    loop {
        match handed.recv_timeout(POLL_INTERVAL) {
            Ok(handed) => return handed.map_err(PictureError::Page),
            Err(RecvTimeoutError::Disconnected) => return Err(PictureError::Ended(said(folder))),
            Err(RecvTimeoutError::Timeout) if browser.try_wait().is_ok_and(|ended| ended.is_some()) => {
                return Err(PictureError::Ended(said(folder)));
            }
            Err(RecvTimeoutError::Timeout) if start.elapsed() > BROWSER_TIMEOUT => {
                return Err(PictureError::Late { said: said(folder) });
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// The last lines that the browser said.
fn said(folder: &Path) -> String {
    let bytes = std::fs::read(folder.join("said.txt")).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(5)..];
    if last.is_empty() { String::new() } else { format!("; it said:\n  {}", last.join("\n  ")) }
}

/// What the browser keeps while it runs; removed after it.
struct Folder(PathBuf);

impl Folder {
    fn new(server: &Server) -> Result<Self, PictureError> {
        let path = std::env::temp_dir().join(format!("kinegraph-browser-{}", server.token()));
        std::fs::create_dir(&path).map_err(PictureError::Folder)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The browser's helpers end a moment after it, and write until then.
        for _ in 0..20 {
            if std::fs::remove_dir_all(&self.0).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// A browser that is ended when nobody waits for it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_selects_what_the_page_draws() {
        let picture = PagePicture { show: PageView::Scene, at: Some(1.5), size: (640, 400), contacts: true };
        assert_eq!(picture.wish(), "picture=scene&size=640x400&t=1.5");
        let picture = PagePicture { show: PageView::Diagram, at: None, size: (640, 400), contacts: false };
        assert_eq!(picture.wish(), "picture=diagram&size=640x400&contacts=off");
    }
}
