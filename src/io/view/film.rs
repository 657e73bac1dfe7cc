//! Films of a run: the page draws every frame in a browser without a window. The browser encodes WebM, `ffmpeg` MP4,
//! and a GIF is made here.

use super::picture::{Folder, PictureError, Running, said};
use super::server::{Handed, Server};
use super::small_png::decoded;
use super::{Browser, Feed, Page, PagePicture};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time limit of a frame: before the first one the whole recording is read.
const FRAME_TIMEOUT: Duration = Duration::from_secs(300);
/// Time between checks that the browser still runs.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Environment variable that names the encoder of MP4.
const VARIABLE: &str = "FFMPEG";
/// One in this many pixels is used to find the palette of a frame of a GIF.
const PIXELS_PER_SAMPLE: i32 = 10;

/// Format of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmFormat {
    /// H.264, by `ffmpeg`.
    Mp4,
    /// VP8, by the browser.
    WebM,
    /// GIF, with 256 colours per frame.
    Gif,
}

/// Settings of a film, which shows a whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct PageFilm {
    /// Picture of each frame; its time is ignored.
    pub picture: PagePicture,
    /// Frames per second.
    pub fps: f64,
    /// Simulated time per second of the film.
    pub speed: f64,
    /// Format.
    pub format: FilmFormat,
}

impl FilmFormat {
    /// Format by the name of a file; `None` if the extension is not that of a film.
    pub fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_string_lossy().to_ascii_lowercase().as_str() {
            "mp4" => Some(FilmFormat::Mp4),
            "webm" => Some(FilmFormat::WebM),
            "gif" => Some(FilmFormat::Gif),
            _ => None,
        }
    }

    /// Checks that this machine can write the format, as far as that is known before a run.
    ///
    /// # Errors
    /// The missing program.
    pub fn check(self) -> Result<(), PictureError> {
        if self == FilmFormat::Mp4 { ffmpeg().map(drop) } else { Ok(()) }
    }
}

impl PageFilm {
    /// Makes the film of a finished run and returns the bytes of its file.
    ///
    /// # Errors
    /// [`PictureError`].
    pub fn take(&self, page: &Page, feed: &Feed, browser: &Browser) -> Result<Vec<u8>, PictureError> {
        let (server, handed) = Server::for_picture(page.clone(), feed.clone())?;
        let folder = Folder::new(&server)?;
        let mut encoder = match self.format {
            FilmFormat::WebM => Encoder::Browser,
            FilmFormat::Gif => Encoder::Gif(GifFilm::new(self.picture.size, self.fps)),
            FilmFormat::Mp4 => Encoder::Ffmpeg(Ffmpeg::start(&folder.0, self.fps)?),
        };
        let mut running = Running(browser.open(&format!("{}#{}", server.url(), self.wish()), &folder.0)?);
        let mut last = Instant::now();
        loop {
            match handed.recv_timeout(POLL_INTERVAL) {
                Ok(Handed::Picture(png)) => encoder.add(&png)?,
                Ok(Handed::Film(film)) => return Ok(film),
                Ok(Handed::End) => return encoder.end(),
                Ok(Handed::Reason(reason)) => return Err(PictureError::Page(reason)),
                Err(_) if running.0.try_wait().is_ok_and(|ended| ended.is_some()) => {
                    return Err(PictureError::Ended(said(&folder.0)));
                }
                Err(_) if last.elapsed() > FRAME_TIMEOUT => return Err(PictureError::Late { said: said(&folder.0) }),
                Err(_) => continue,
            }
            last = Instant::now();
        }
    }

    /// Query of the page's address.
    pub fn wish(&self) -> String {
        let film = if self.format == FilmFormat::WebM { "webm" } else { "frames" };
        format!("{}&film={film}&fps={}&speed={}", self.picture.wish(), self.fps, self.speed)
    }
}

enum Encoder {
    /// The page hands over the whole film.
    Browser,
    Gif(GifFilm),
    Ffmpeg(Ffmpeg),
}

impl Encoder {
    fn add(&mut self, png: &[u8]) -> Result<(), PictureError> {
        match self {
            Encoder::Browser => Err(PictureError::Broken("a frame where a film was expected".into())),
            Encoder::Gif(film) => film.add(png).map_err(PictureError::Broken),
            Encoder::Ffmpeg(film) => film.add(png),
        }
    }

    fn end(self) -> Result<Vec<u8>, PictureError> {
        match self {
            Encoder::Browser => Err(PictureError::Broken("the page handed over no film".into())),
            Encoder::Gif(film) => film.end().map_err(PictureError::Broken),
            Encoder::Ffmpeg(film) => film.end(),
        }
    }
}

/// A GIF that repeats without end. Its frame times are whole hundredths of a second; rounding errors do not add up.
pub struct GifFilm {
    size: (u32, u32),
    fps: f64,
    frames: usize,
    encoder: Option<gif::Encoder<Vec<u8>>>,
}

impl GifFilm {
    /// Creates an empty film with this size in pixels and rate of frames per second.
    pub fn new(size: (u32, u32), fps: f64) -> Self {
        GifFilm { size, fps, frames: 0, encoder: None }
    }

    /// Adds a frame, as PNG.
    ///
    /// # Errors
    /// The reason why the frame cannot be added.
    pub fn add(&mut self, png: &[u8]) -> Result<(), String> {
        let fault = |error: gif::EncodingError| error.to_string();
        let (width, height, mut pixels) = decoded(png).map_err(|error| error.to_string())?;
        if (width, height) != self.size {
            return Err(format!("a frame has {width} x {height} pixels"));
        }
        let side = |pixels: u32| u16::try_from(pixels).map_err(|_| "it is too large for a GIF".to_owned());
        let (width, height) = (side(width)?, side(height)?);
        if self.encoder.is_none() {
            let mut encoder = gif::Encoder::new(Vec::new(), width, height, &[]).map_err(fault)?;
            encoder.set_repeat(gif::Repeat::Infinite).map_err(fault)?;
            self.encoder = Some(encoder);
        }
        let mut frame = gif::Frame::from_rgba_speed(width, height, &mut pixels, PIXELS_PER_SAMPLE);
        let hundredths = |frames: usize| (frames as f64 * 100.0 / self.fps).round();
        frame.delay = (hundredths(self.frames + 1) - hundredths(self.frames)).clamp(1.0, 65535.0) as u16;
        frame.dispose = gif::DisposalMethod::Background;
        self.frames += 1;
        self.encoder.iter_mut().try_for_each(|encoder| encoder.write_frame(&frame)).map_err(fault)
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// The reason of the failure.
    pub fn end(self) -> Result<Vec<u8>, String> {
        let encoder = self.encoder.ok_or("there are no frames")?;
        encoder.into_inner().map_err(|error| error.to_string())
    }
}

/// Finds the encoder of MP4: the program that `FFMPEG` names, else the first on the path.
fn ffmpeg() -> Result<PathBuf, PictureError> {
    if let Some(named) = std::env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
        let file = PathBuf::from(&named);
        let missing =
            || PictureError::NoFfmpeg(format!("FFMPEG={}: there is no such program", named.to_string_lossy()));
        return if file.is_file() { Ok(file) } else { Err(missing()) };
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["ffmpeg", "ffmpeg.exe"];
    let found =
        std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name))).find(|f| f.is_file());
    found.ok_or_else(|| {
        PictureError::NoFfmpeg(
            "an .mp4 needs ffmpeg, and there is none on the path. Install it (Debian, Ubuntu: `apt install ffmpeg`; \
             macOS: `brew install ffmpeg`), say where it is with the environment variable FFMPEG, or write a .webm or \
             a .gif, which need none"
                .into(),
        )
    })
}

/// A running `ffmpeg`, which reads frames as they arrive.
struct Ffmpeg {
    child: Running,
    file: PathBuf,
    said: PathBuf,
}

impl Ffmpeg {
    fn start(folder: &Path, fps: f64) -> Result<Self, PictureError> {
        let program = ffmpeg()?;
        let (file, said) = (folder.join("film.mp4"), folder.join("ffmpeg.txt"));
        let fault = |error: std::io::Error| PictureError::NoFfmpeg(format!("{}: {error}", program.display()));
        let mut command = Command::new(&program);
        command.args(["-y", "-loglevel", "error", "-f", "image2pipe", "-c:v", "png", "-framerate"]);
        command.arg(fps.to_string()).args(["-i", "-", "-an", "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p"]);
        // The format requires even sides.
        command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-movflags", "+faststart"]).arg(&file);
        let errors = File::create(&said).map_err(fault)?;
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(errors).spawn().map_err(fault)?;
        Ok(Ffmpeg { child: Running(child), file, said })
    }

    fn add(&mut self, png: &[u8]) -> Result<(), PictureError> {
        let written = self.child.0.stdin.as_mut().map(|input| input.write_all(png));
        if let Some(Ok(())) = written { Ok(()) } else { Err(self.fault()) }
    }

    fn end(mut self) -> Result<Vec<u8>, PictureError> {
        drop(self.child.0.stdin.take());
        if !self.child.0.wait().is_ok_and(|status| status.success()) {
            return Err(self.fault());
        }
        let mut film = Vec::new();
        let read = File::open(&self.file).and_then(|mut file| file.read_to_end(&mut film));
        read.map(|_| film).map_err(|error| PictureError::Broken(error.to_string()))
    }

    fn fault(&self) -> PictureError {
        let said = std::fs::read_to_string(&self.said).unwrap_or_default();
        PictureError::NoFfmpeg(format!("ffmpeg made no film: {}", said.trim()))
    }
}
