//! Finds and starts a browser without a window: Chromium or a relative.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Names of its program.
const NAMES: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chrome-headless-shell",
    "microsoft-edge",
];
/// Its paths on systems where it is on no path.
const PLACES: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
/// Environment variable that names another program.
const VARIABLE: &str = "CHROMIUM";

/// Options: no window, no graphics processor, no services of the browser.
const FLAGS: [&str; 15] = [
    "--headless",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--disable-dev-shm-usage",
    // A frame of a large scene takes seconds on a busy machine; the watchdog must not end the renderer.
    "--disable-gpu-watchdog",
];

/// Reason why there is no browser.
#[derive(thiserror::Error)]
pub enum BrowserError {
    /// None was found.
    #[error(
        "a picture needs Chromium or Chrome, and none is on the path. Install one (Debian, Ubuntu: `apt install \
         chromium`; macOS: `brew install --cask chromium`), or say where it is with the environment variable CHROMIUM"
    )]
    Missing,
    /// The file that the variable names does not exist.
    #[error("CHROMIUM={0}: there is no such program")]
    NotThere(String),
    /// The browser cannot be started.
    #[error("{}: cannot be started: {reason}", file.display())]
    Start {
        /// The program.
        file: PathBuf,
        /// Reason.
        reason: String,
    },
}

kinegraph_core::debug_is_message!(BrowserError);

/// An installed browser, by the path of its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Browser(pub PathBuf);

impl Browser {
    /// Finds the browser that `CHROMIUM` names, else the first on the path.
    ///
    /// # Errors
    /// [`BrowserError::Missing`], [`BrowserError::NotThere`].
    pub fn find() -> Result<Self, BrowserError> {
        Self::among(std::env::var_os(VARIABLE), std::env::var_os("PATH").unwrap_or_default())
    }

    /// Finds the browser `named`, else the first in the folders of `path`.
    ///
    /// # Errors
    /// [`BrowserError::Missing`], [`BrowserError::NotThere`].
    pub fn among(named: Option<OsString>, path: OsString) -> Result<Self, BrowserError> {
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let on_path = |name: &Path| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file());
        if let Some(named) = named.filter(|named| !named.is_empty()) {
            let file = PathBuf::from(&named);
            let found = if file.is_file() { Some(file) } else { on_path(&file) };
            return found.map(Browser).ok_or_else(|| BrowserError::NotThere(named.to_string_lossy().into_owned()));
        }
        let known = PLACES.iter().map(PathBuf::from).find(|file| file.is_file());
        NAMES.iter().find_map(|name| on_path(Path::new(name))).or(known).map(Browser).ok_or(BrowserError::Missing)
    }

    /// Opens an address without a window. Its profile and its messages go to `folder`.
    ///
    /// # Errors
    /// [`BrowserError::Start`].
    pub(super) fn open(&self, address: &str, folder: &Path) -> Result<Child, BrowserError> {
        let start = |error: io::Error| BrowserError::Start { file: self.0.clone(), reason: error.to_string() };
        let said = File::create(folder.join("said.txt")).map_err(start)?;
        let mut command = Command::new(&self.0);
        command.args(FLAGS).arg(format!("--user-data-dir={}", folder.display()));
        if is_root() {
            // It refuses to start for root otherwise; it opens only our own page.
            command.arg("--no-sandbox");
        }
        // Its temporary files are removed with the folder.
        command.env("TMPDIR", folder).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(said);
        command.spawn().map_err(start)
    }
}

#[cfg(target_os = "linux")]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(not(target_os = "linux"))]
fn is_root() -> bool {
    false
}
