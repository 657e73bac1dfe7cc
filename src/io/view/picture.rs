//! Pictures of a run: the page draws them in a browser without a window and returns them to the server.

use super::server::{Handed, Server};
use super::small_png::small_png;
use super::{Browser, BrowserError, Feed, Page, ServerError};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Time limit of the browser: long recordings on a busy machine without a graphics processor need a minute.
const BROWSER_TIMEOUT: Duration = Duration::from_secs(300);
/// Time between checks that the browser still runs.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Settings of a picture of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct PagePicture {
    /// View: the scene or the diagram.
    pub show: PageView,
    /// Time \[s\]; by default the end.
    pub at: Option<f64>,
    /// Width and height \[pixels\].
    pub size: (u32, u32),
    /// True if contact points are drawn.
    pub contacts: bool,
    /// True if the background is transparent.
    pub transparent: bool,
    /// Position of the camera \[m\], if it is not that of the diagram.
    pub eye: Option<[f64; 3]>,
    /// Target of the camera \[m\].
    pub target: Option<[f64; 3]>,
    /// Body that the camera follows.
    pub follow: Option<String>,
}

/// One of the page's views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageView {
    /// Bodies and contacts.
    Scene,
    /// Blocks and wires.
    Diagram,
}

/// Reason why there is no picture.
#[derive(thiserror::Error)]
pub enum PictureError {
    /// No browser.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// The page cannot be served to the browser.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// Reason given by the page.
    #[error("{0}")]
    Page(String),
    /// The browser ended without a picture.
    #[error("the browser ended before it had drawn the picture{0}")]
    Ended(String),
    /// The browser did not respond in time.
    #[error("the browser drew no picture within {} s{said}", BROWSER_TIMEOUT.as_secs())]
    Late {
        /// Its last messages.
        said: String,
    },
    /// The browser did not return a valid PNG.
    #[error("what the browser drew cannot be read: {0}")]
    Broken(String),
    /// The encoder is missing, or it failed.
    #[error("{0}")]
    NoFfmpeg(String),
    /// The folder for the browser's files cannot be created.
    #[error("no folder for the browser: {0}")]
    Folder(std::io::Error),
}

kinegraph_core::debug_is_message!(PictureError);

impl PagePicture {
    /// Creates the settings of a picture at the end of a run.
    pub fn new(show: PageView, size: (u32, u32)) -> Self {
        let (at, eye, target, follow) = (None, None, None, None);
        PagePicture { show, at, size, contacts: true, transparent: false, eye, target, follow }
    }

    /// Draws a finished run and returns the PNG, with at most 256 colours if nothing in it is transparent.
    ///
    /// # Errors
    /// [`PictureError`].
    pub fn take(&self, page: &Page, feed: &Feed, browser: &Browser) -> Result<Vec<u8>, PictureError> {
        let (server, handed) = Server::for_picture(page.clone(), feed.clone())?;
        let folder = Folder::new(&server)?;
        let mut running = Running(browser.open(&format!("{}#{}", server.url(), self.wish()), &folder.0)?);
        let png = wait(&mut running.0, &handed, &folder.0)?;
        if self.transparent { Ok(png) } else { small_png(&png).map_err(PictureError::Broken) }
    }

    /// Query of the page's address.
    pub fn wish(&self) -> String {
        let show = match self.show {
            PageView::Scene => "scene",
            PageView::Diagram => "diagram",
        };
        let at = self.at.map_or_else(String::new, |t| format!("&t={t}"));
        let contacts = if self.contacts { "" } else { "&contacts=off" };
        let transparent = if self.transparent { "&transparent=on" } else { "" };
        let place = |key: &str, place: Option<[f64; 3]>| {
            place.map_or_else(String::new, |[x, y, z]| format!("&{key}={x},{y},{z}"))
        };
        let (eye, target) = (place("eye", self.eye), place("target", self.target));
        let follow = self.follow.iter().map(|body| format!("&follow={}", escaped(body))).collect::<String>();
        let (width, height) = self.size;
        format!("picture={show}&size={width}x{height}{at}{contacts}{transparent}{eye}{target}{follow}")
    }
}

/// Escapes a name for an address.
fn escaped(name: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'/' | b'.' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    name.bytes().map(escape).collect()
}

fn wait(browser: &mut Child, handed: &Receiver<Handed>, folder: &Path) -> Result<Vec<u8>, PictureError> {
    let start = Instant::now();
    loop {
        match handed.recv_timeout(POLL_INTERVAL) {
            Ok(Handed::Picture(png)) => return Ok(png),
            Ok(Handed::Reason(reason)) => return Err(PictureError::Page(reason)),
            Ok(Handed::Film(_) | Handed::End) => return Err(PictureError::Broken("it is a film".into())),
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

/// Last lines of the browser's messages.
pub(super) fn said(folder: &Path) -> String {
    let bytes = std::fs::read(folder.join("said.txt")).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(5)..];
    if last.is_empty() { String::new() } else { format!("; it said:\n  {}", last.join("\n  ")) }
}

/// Folder of the browser's files; removed after use.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new(server: &Server) -> Result<Self, PictureError> {
        let path = std::env::temp_dir().join(format!("kinegraph-browser-{}", server.token()));
        std::fs::create_dir(&path).map_err(PictureError::Folder)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The browser's helpers end a moment after it, and write files until then.
        for _ in 0..20 {
            if std::fs::remove_dir_all(&self.0).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// A running browser, which is ended when dropped.
pub(super) struct Running(pub(super) Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
