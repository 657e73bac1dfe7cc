//! `kinegraph view FILE --screenshot out.png`: a picture of the scene or of the diagram at an instant.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::outputs::{OutputFormat, Outputs};
use crate::io_reason::plain_reason;
use crate::view::{Browser, Feed, Page, PagePicture, PageView, PictureError};
use crate::whole_file;
use clap::{Args, ValueEnum};
use std::io;
use std::path::PathBuf;

/// The largest width and height: what graphics processors draw everywhere.
const MAX_SIDE: u32 = 4096;

#[derive(Debug, Args)]
pub(super) struct Screenshot {
    /// Write a picture (.png) to this file and show nothing; needs Chromium or Chrome
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// The time that the picture shows [s]; the end unless given
    #[arg(long, value_name = "T", requires = "screenshot")]
    at: Option<f64>,
    /// Its width and height
    #[arg(long, value_name = "WxH", requires = "screenshot", default_value = "960x600", value_parser = size)]
    size: (u32, u32),
    /// What it shows
    #[arg(long, value_name = "VIEW", requires = "screenshot", default_value = "scene")]
    show: View,
    /// Leave out contact points and the arrows of their forces
    #[arg(long, requires = "screenshot")]
    no_contacts: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum View {
    /// Bodies and contacts
    Scene,
    /// Blocks and wires with the values at that time
    Diagram,
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let fits = |length: u32| (16..=MAX_SIDE).contains(&length);
    parts
        .filter(|&(width, height)| fits(width) && fits(height))
        .ok_or_else(|| format!("expected WIDTHxHEIGHT, each from 16 to {MAX_SIDE}, as in 960x600"))
}

impl Screenshot {
    /// Whether a picture is to be written.
    pub(super) fn wanted(&self) -> bool {
        self.screenshot.is_some()
    }

    /// What prevents a picture, reported before a long run: the exit code.
    pub(super) fn cannot(&self, console: &mut Console<'_>) -> io::Result<Option<u8>> {
        let Some(file) = &self.screenshot else { return Ok(None) };
        let mut fault = |text: String, code: u8| writeln!(console.err, "{text}").map(|()| Some(code));
        if let Err(text) = OutputFormat::SCREENSHOT.check_ending("--screenshot", file) {
            return fault(text, WRONG_INPUT);
        }
        if self.at.is_some_and(|at| !at.is_finite()) {
            return fault("--at: expected a time [s]".into(), WRONG_INPUT);
        }
        if let Err(error) = Browser::find() {
            return fault(format!("--screenshot: {error}"), FAILED);
        }
        Ok(None)
    }

    /// Claims the file.
    pub(super) fn claim(&self, outputs: &mut Outputs) -> Result<(), String> {
        outputs.claim_given("--screenshot", self.screenshot.as_ref(), &OutputFormat::SCREENSHOT)
    }

    /// Takes the picture of a run that is over, if one is wanted; the exit code.
    pub(super) fn write(&self, page: &Page, feed: &Feed, console: &mut Console<'_>) -> io::Result<u8> {
        let Some(file) = &self.screenshot else { return Ok(DONE) };
        let show = match self.show {
            View::Scene => PageView::Scene,
            View::Diagram => PageView::Diagram,
        };
        let picture = PagePicture { show, at: self.at, size: self.size, contacts: !self.no_contacts };
        let taken = Browser::find().map_err(PictureError::from).and_then(|own| picture.take(page, feed, &own));
        let fault = match taken {
            Ok(png) => match whole_file::write(file, &png) {
                Ok(()) => return Ok(DONE),
                Err(error) => format!("cannot be written: {}", plain_reason(&error)),
            },
            Err(error) => error.to_string(),
        };
        writeln!(console.err, "--screenshot {}: {fault}", file.display())?;
        Ok(FAILED)
    }
}
