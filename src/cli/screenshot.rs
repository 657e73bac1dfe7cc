//! `kinegraph view FILE --screenshot out.png`: a picture of the scene or of the diagram at an instant;
//! `--video out.mp4`: a film of the scene.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::outputs::{OutputFormat, Outputs};
use crate::files::{number_in, with_unit};
use crate::io_reason::plain_reason;
use crate::view::{Browser, Feed, FilmFormat, Page, PageFilm, PagePicture, PageView, PictureError};
use crate::whole_file;
use clap::{Args, ValueEnum};
use std::io;
use std::path::PathBuf;

/// Maximum width and height, which all graphics processors support.
const MAX_SIDE: u32 = 4096;
/// Range of frames per second of films, and of their speed.
const RATES: std::ops::RangeInclusive<f64> = 1.0..=120.0;
const SPEEDS: std::ops::RangeInclusive<f64> = 0.001..=1000.0;

#[derive(Debug, Args)]
pub(super) struct Screenshot {
    /// Write a picture (.png) to this file and show nothing; needs Chromium or Chrome
    #[arg(long, value_name = "FILE", group = "drawn")]
    screenshot: Option<PathBuf>,
    /// Write a film of the run (.mp4 by ffmpeg, .webm, .gif) to this file and show nothing; needs Chromium or Chrome
    #[arg(long, value_name = "FILE", group = "drawn")]
    video: Option<PathBuf>,
    /// The time that the picture shows [s]; the end unless given
    #[arg(long, value_name = "T", requires = "screenshot", value_parser = time)]
    at: Option<f64>,
    /// Frames a second of the film
    #[arg(long, value_name = "N", requires = "video", default_value_t = 30.0)]
    fps: f64,
    /// Simulated time in a second of the film
    #[arg(long, value_name = "X", requires = "video", default_value_t = 1.0)]
    speed: f64,
    /// Its width and height
    #[arg(long, value_name = "WxH", requires = "drawn", default_value = "960x600", value_parser = size)]
    size: (u32, u32),
    /// Contents of the picture
    #[arg(long, value_name = "VIEW", requires = "screenshot", default_value = "scene")]
    show: View,
    /// Leave out contact points and the arrows of their forces
    #[arg(long, requires = "drawn")]
    no_contacts: bool,
    /// Draw nothing behind the bodies: no ground, and no colour
    #[arg(long, requires = "screenshot")]
    transparent: bool,
    /// Look from here [m]
    #[arg(long, value_name = "X,Y,Z", requires = "drawn", value_parser = point)]
    eye: Option<Point>,
    /// Look at this [m]
    #[arg(long, value_name = "X,Y,Z", requires = "drawn", value_parser = point)]
    target: Option<Point>,
    /// Look at this body, and move with it
    #[arg(long, value_name = "BODY", requires = "drawn", conflicts_with = "target")]
    follow: Option<String>,
}

/// A point \[m\].
type Point = [f64; 3];

fn time(text: &str) -> Result<f64, String> {
    number_in(text, "s")
}

fn point(text: &str) -> Result<Point, String> {
    let number = |part: &str| match with_unit(part) {
        Some(_) => number_in(part, "m").map(Some),
        None => Ok(None),
    };
    let numbers: Result<Vec<Option<f64>>, String> = text.split(',').map(number).collect();
    let numbers: Vec<f64> = numbers?.into_iter().flatten().collect();
    let point = Point::try_from(numbers).ok().filter(|point| point.iter().all(|x| x.is_finite()));
    point.filter(|_| text.split(',').count() == 3).ok_or_else(|| "expected X,Y,Z, as in 1.5,-2,0.8".to_owned())
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
    /// True if a picture or a film is to be written.
    pub(super) fn wanted(&self) -> bool {
        self.screenshot.is_some() || self.video.is_some()
    }

    /// Checks before a long run that a picture is possible; returns an exit code if not.
    pub(super) fn cannot(&self, console: &mut Console<'_>) -> io::Result<Option<u8>> {
        let mut fault = |text: String, code: u8| writeln!(console.err, "{text}").map(|()| Some(code));
        let files = [
            ("--screenshot", &self.screenshot, OutputFormat::SCREENSHOT),
            ("--video", &self.video, OutputFormat::VIDEO),
        ];
        for (option, file, format) in files {
            if let Some(Err(text)) = file.as_ref().map(|file| format.check_ending(option, file)) {
                return fault(text, WRONG_INPUT);
            }
        }
        if self.at.is_some_and(|at| !at.is_finite()) {
            return fault("--at: expected a time [s]".into(), WRONG_INPUT);
        }
        if !RATES.contains(&self.fps) {
            return fault(format!("--fps: expected {} to {}", RATES.start(), RATES.end()), WRONG_INPUT);
        }
        if !SPEEDS.contains(&self.speed) {
            return fault(format!("--speed: expected {} to {}", SPEEDS.start(), SPEEDS.end()), WRONG_INPUT);
        }
        let Some(option) = self.option() else { return Ok(None) };
        let format = self.video.as_deref().and_then(FilmFormat::of);
        let found = Browser::find().map_err(PictureError::from).and_then(|_| format.map_or(Ok(()), FilmFormat::check));
        if let Err(error) = found {
            return fault(format!("{option}: {error}"), FAILED);
        }
        Ok(None)
    }

    /// Option that asks for the picture or film.
    fn option(&self) -> Option<&'static str> {
        let picture = self.screenshot.as_ref().map(|_| "--screenshot");
        picture.or(self.video.as_ref().map(|_| "--video"))
    }

    /// Claims the file.
    pub(super) fn claim(&self, outputs: &mut Outputs) -> Result<(), String> {
        outputs.claim_given("--screenshot", self.screenshot.as_ref(), &OutputFormat::SCREENSHOT)?;
        outputs.claim_given("--video", self.video.as_ref(), &OutputFormat::VIDEO)
    }

    /// Writes the picture or the film of a finished run, if one is wanted, and returns the exit code.
    pub(super) fn write(&self, page: &Page, feed: &Feed, console: &mut Console<'_>) -> io::Result<u8> {
        let (Some(option), Some(file)) = (self.option(), self.screenshot.as_ref().or(self.video.as_ref())) else {
            return Ok(DONE);
        };
        let show = match self.show {
            View::Scene => PageView::Scene,
            View::Diagram => PageView::Diagram,
        };
        let picture = PagePicture {
            show,
            at: self.at,
            size: self.size,
            contacts: !self.no_contacts,
            transparent: self.transparent,
            eye: self.eye,
            target: self.target,
            follow: self.follow.clone(),
        };
        let format = self.video.as_deref().and_then(FilmFormat::of);
        let taken = Browser::find().map_err(PictureError::from).and_then(|own| match format {
            Some(format) => PageFilm { picture, fps: self.fps, speed: self.speed, format }.take(page, feed, &own),
            None => picture.take(page, feed, &own),
        });
        let fault = match taken {
            Ok(bytes) => match whole_file::write(file, &bytes) {
                Ok(()) => return Ok(DONE),
                Err(error) => format!("cannot be written: {}", plain_reason(&error)),
            },
            Err(error) => error.to_string(),
        };
        writeln!(console.err, "{option} {}: {fault}", file.display())?;
        Ok(FAILED)
    }
}
