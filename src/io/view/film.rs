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

/// The longest that a frame may take: all of the recording is read before the first.
const FRAME_TIMEOUT: Duration = Duration::from_secs(300);
/// Between looks at whether the browser still runs.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// The variable of the environment that names the encoder of MP4.
const VARIABLE: &str = "FFMPEG";
/// Every so many pixels teach the palette of a frame of a GIF.
const PIXELS_PER_SAMPLE: i32 = 10;

/// What a film is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmFormat {
    /// H.264, by `ffmpeg`.
    Mp4,
    /// VP8, by the browser.
    WebM,
    /// Pictures of 256 colours each.
    Gif,
}

/// What of a run a film shows: all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PageFilm {
    /// How each frame is drawn; its time is not used.
    pub picture: PagePicture,
    /// Frames a second.
    pub fps: f64,
    /// Simulated time in a second of the film.
    pub speed: f64,
    /// What it is written as.
    pub format: FilmFormat,
}

impl FilmFormat {
    /// The one of the name of a file; `None` where the ending is no film's.
    pub fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_string_lossy().to_ascii_lowercase().as_str() {
            "mp4" => Some(FilmFormat::Mp4),
            "webm" => Some(FilmFormat::WebM),
            "gif" => Some(FilmFormat::Gif),
            _ => None,
        }
    }

    /// Whether this machine can write it, so far as that is known before a run.
    ///
    /// # Errors
    /// What is missing.
    pub fn check(self) -> Result<(), PictureError> {
        if self == FilmFormat::Mp4 { ffmpeg().map(drop) } else { Ok(()) }
    }
}

impl PageFilm {
    /// The film of a finished run, as the bytes of its file.
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

    /// What the page reads in its address.
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

/// A GIF that repeats without end. Its times are whole hundredths of a second: they add up to those of the frames.
pub struct GifFilm {
    size: (u32, u32),
    fps: f64,
    frames: usize,
    encoder: Option<gif::Encoder<Vec<u8>>>,
}

impl GifFilm {
    /// An empty film of so many pixels and frames a second.
    pub fn new(size: (u32, u32), fps: f64) -> Self {
        GifFilm { size, fps, frames: 0, encoder: None }
    }

    /// Adds a frame, as PNG.
    ///
    /// # Errors
    /// Why the frame is none of the film.
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

    /// The bytes of the file.
    ///
    /// # Errors
    /// Why there is none.
    pub fn end(self) -> Result<Vec<u8>, String> {
        let encoder = self.encoder.ok_or("there are no frames")?;
        encoder.into_inner().map_err(|error| error.to_string())
    }
}

/// The encoder of MP4: the one that `FFMPEG` names, else the first on the path.
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

/// `ffmpeg`, which reads frames as they come.
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
        // Sides of this format are even.
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
