//! `kinegraph view FILE`: simulates a diagram file and shows it in a browser.

use super::again::Runs;
use super::console::{Console, FAILED, WRONG_INPUT};
use super::live::Live;
use super::model_scene;
use super::outputs::{OutputFormat, Outputs};
use super::page::{end, open_page};
use super::plot::unknown_channel;
use super::run_options::RunOptions;
use super::scenario;
use super::screenshot::Screenshot;
use super::signals::{SignalHandling, Signals};
use super::verify::{Verified, VerifyOptions};
use crate::files::{Catalog, Override};
use crate::io_reason::plain_reason;
use crate::record::mcap::{self, Recording};
use crate::scenario::{LiveWorkshop, RequirementFacts, Scenario, Simulator, Size, also_recorded};
use crate::simulate::{Observer, Status};
use crate::verify::Verification;
use crate::view::{Beside, Feed, Line, Page, Server, Stream, meshes_of, replay_beside};
use crate::whole_file;
use clap::Args;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Simulate a diagram file and watch it in a browser, or look at a recording (.mcap): motion, plots, diagram, steps
#[derive(Debug, Args)]
#[command(allow_negative_numbers = true)]
pub(super) struct View {
    /// The diagram file (YAML or JSON), a recording (.mcap), or a model (.urdf, .sdf, .xml), which is shown live
    file: PathBuf,
    /// A second recording beside the first (.mcap): its bodies as ghosts, its channels and the differences in plots
    #[arg(value_name = "OTHER")]
    other: Option<PathBuf>,
    #[command(flatten)]
    run: RunOptions,
    /// Have hands on the run: pause, pace, pull at bodies, move joints, parameters and inputs. It waits for a start on
    /// the page
    #[arg(long, conflicts_with_all = ["html", "screenshot", "video", "verify"])]
    live: bool,
    /// Record the live run to this file, with a journal of what was done (.mcap); every reset begins another file
    #[arg(long, value_name = "FILE")]
    record: Vec<PathBuf>,
    /// Base of a model: `fixed` or `floating`
    #[arg(long, value_name = "BASE")]
    base: Option<String>,
    /// Write the finished run to this file, one page that needs neither this program nor a network, and show nothing
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    screenshot: Screenshot,
    /// Plot these channels, or what stands for several (plant.arm, controller.effort), separated by commas; outputs of
    /// a diagram that it does not record are recorded, too
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    channels: Vec<String>,
    #[command(flatten)]
    verify: VerifyOptions,
    /// Do not open a browser, only print the address
    #[arg(long)]
    no_browser: bool,
}

impl View {
    pub(super) fn execute(
        &self,
        catalog: &Catalog,
        simulator: &dyn Simulator,
        console: &mut Console<'_>,
        signals: SignalHandling,
    ) -> io::Result<u8> {
        let is_recording = self.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mcap"));
        if let Some(other) = self.other.as_ref().filter(|_| !is_recording) {
            let (file, other) = (self.file.display(), other.display());
            writeln!(console.err, "{file}, {other}: two files are shown together if both are recordings (.mcap)")?;
            return Ok(WRONG_INPUT);
        }
        if let Some(message) = model_scene::missing(&self.file).filter(|_| !is_recording) {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        let page = match crate::built_page() {
            Ok(page) => page,
            Err(error) => {
                writeln!(console.err, "{error}")?;
                return Ok(FAILED);
            }
        };
        let feed = Feed::default();
        if let Some(code) = self.screenshot.cannot(console)? {
            return Ok(code);
        }
        if is_recording && self.verify.wanted() {
            writeln!(
                console.err,
                "{}: a recording is shown as it is; `kinegraph run --verify` verifies a run",
                self.file.display()
            )?;
            return Ok(WRONG_INPUT);
        }
        if is_recording {
            return self.show_recording(&page, &feed, catalog.allows_outside(), console);
        }
        let text = model_scene::text(&self.file);
        let is_model = text.is_some();
        if self.base.is_some() && !is_model {
            writeln!(console.err, "--base is for models: {} is none", self.file.display())?;
            return Ok(WRONG_INPUT);
        }
        let is_live = self.live || is_model && self.html.is_none() && !self.screenshot.wanted();
        if is_live && self.verify.wanted() {
            writeln!(console.err, "--verify is for diagrams: {} is shown live", self.file.display())?;
            return Ok(WRONG_INPUT);
        }
        let set = self.overrides();
        let mut workshop = LiveWorkshop::new(catalog, &self.file, text, set.clone());
        let Some(set) = self.with_channels(set, &mut workshop, simulator, console)? else { return Ok(WRONG_INPUT) };
        if is_live {
            let live = Live {
                page: &page,
                feed: &feed,
                file: &self.file,
                set,
                plotted: &self.channels,
                record: &self.record,
                no_browser: self.no_browser,
                is_model,
            };
            return live.run(workshop, simulator, console, signals == SignalHandling::Signals);
        }
        if !self.record.is_empty() {
            writeln!(console.err, "--record goes with --live; `kinegraph run` records other runs")?;
            return Ok(WRONG_INPUT);
        }
        let Some((loaded, built)) = scenario::built_by(&workshop, simulator, console)? else {
            return Ok(WRONG_INPUT);
        };
        if !self.claim_outputs(loaded.loader.files_read(), console)? {
            return Ok(WRONG_INPUT);
        }
        let signals = Signals::of(signals)?;
        if self.html.is_none() && !self.screenshot.wanted() {
            let (server, commands) = match Server::live(page, feed.clone()) {
                Ok(served) => served,
                Err(error) => {
                    writeln!(console.err, "{error}")?;
                    return Ok(FAILED);
                }
            };
            open_page(&server, self.no_browser, console)?;
            let runs = Runs {
                file: &self.file,
                catalog,
                feed: &feed,
                commands,
                set,
                plotted: &self.channels,
                verify: &self.verify,
            };
            return runs.all(workshop, simulator, (loaded, built), console, &signals);
        }
        let stream = Stream::new(feed.clone(), loaded.diagram.view)
            .with_pictures(built.size().pictures)
            .with_requirements(built.size().requirements)
            .with_plotted(self.channels.clone());
        let mut observers: Vec<Box<dyn Observer>> = vec![Box::new(stream), Box::new(signals.clone())];
        let beside = self.verify.beside(&loaded, None).map_err(io::Error::other)?;
        let run = built.run(&mut observers);
        let verification = beside.map(|beside| beside.verify(&run.status, &|| signals.wants_end()));
        let verification = verification.as_ref();
        signals.release();
        feed.push(&Line::End(end(&run, verification)))?;
        feed.close();
        // Before anything is printed, since the reader of the output may be gone.
        if !self.write_page(&page, &feed, console)? {
            return Ok(FAILED);
        }
        let drawn = self.screenshot.write(&page, &feed, console)?;
        write!(console.out, "{}", Verified(&run, verification))?;
        console.out.flush()?;
        Ok(match run.status {
            Status::Done if verification.is_none_or(Verification::is_verified) => drawn,
            Status::Done => signals.exit_code().unwrap_or(FAILED),
            Status::Interrupted(_) => signals.exit_code().unwrap_or(FAILED),
            Status::Failed(_) => FAILED,
        })
    }

    /// Overrides of values of the file.
    fn overrides(&self) -> Vec<Override> {
        let base = self.base.iter().map(|base| Override::flag("--base", "systems.plant.models.0.base", base));
        base.chain(self.run.overrides()).collect()
    }

    /// Overrides of values of the file, extended so that the channels of `--channels` are recorded, and those of which
    /// the file asks something; `None` after a message about channels that do not exist.
    fn with_channels(
        &self,
        set: Vec<Override>,
        workshop: &mut LiveWorkshop,
        simulator: &dyn Simulator,
        console: &mut Console<'_>,
    ) -> io::Result<Option<Vec<Override>>> {
        let is_asked =
            |workshop: &LiveWorkshop| workshop.load().is_ok_and(|loaded| !loaded.diagram.requirements.is_empty());
        if self.channels.is_empty() && !is_asked(workshop) {
            return Ok(Some(set));
        }
        let Some((loaded, built)) = scenario::built_by(workshop, simulator, console)? else { return Ok(None) };
        let Size { channels: recorded, requirements, .. } = built.size();
        let names = || recorded.iter().map(String::as_str);
        let missing = |name: &&String| unknown_channel(names(), std::slice::from_ref(*name)).is_some();
        let asked = requirements.iter().flat_map(RequirementFacts::channels).map(str::to_owned);
        let wanted: Vec<String> = self.channels.iter().cloned().chain(asked).collect();
        let mut more: Vec<String> = wanted.iter().filter(missing).cloned().collect();
        more.dedup();
        let Some(scenario) = Scenario::build(&loaded.diagram, &loaded.loader).filter(|_| !more.is_empty()) else {
            return Ok(Some(set));
        };
        let all = scenario.diagram.channels();
        let unknown = more.iter().find(|name| scenario.diagram.find_channels(name).is_err());
        if let Some(message) = unknown
            .and_then(|name| unknown_channel(all.iter().map(|channel| &*channel.name), std::slice::from_ref(name)))
        {
            writeln!(console.err, "{message}")?;
            return Ok(None);
        }
        let more = also_recorded(&loaded.diagram, &scenario.diagram, &more);
        let set: Vec<Override> = set.into_iter().chain(more).collect();
        workshop.forget(set.clone());
        Ok(Some(set))
    }

    /// Shows a recording instead of a run.
    fn show_recording(
        &self,
        page: &Page,
        feed: &Feed,
        allow_outside: bool,
        console: &mut Console<'_>,
    ) -> io::Result<u8> {
        let file = &self.file;
        if !self.run.overrides().is_empty() {
            writeln!(console.err, "{}: a recording is shown as it is; nothing of it can be replaced", file.display())?;
            return Ok(WRONG_INPUT);
        }
        let Some(mut recording) = read(file, console)? else { return Ok(WRONG_INPUT) };
        recording.access = recording.access.anywhere(allow_outside);
        say_files(&recording, console)?;
        let other = match &self.other {
            Some(other) => match read(other, console)? {
                None => return Ok(WRONG_INPUT),
                found => found,
            },
            None => None,
        };
        let names = recording.run.channels.iter().map(|channel| &*channel.name);
        if let Some(message) = unknown_channel(names, &self.channels) {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        let beside = self.other.as_ref().zip(other);
        let beside = beside.map(|(path, other)| Beside::of(&recording, other, &name_beside(file, path)));
        let meshes = meshes_of(&recording.run.scene).map(PathBuf::from);
        if !self.claim_outputs(meshes.chain([file.clone()]).chain(self.other.clone()).collect(), console)? {
            return Ok(WRONG_INPUT);
        }
        replay_beside(&recording, beside.as_ref(), &self.channels, feed)?;
        let server = match self.open(page, feed, console)? {
            Ok(server) => server,
            Err(code) => return Ok(code),
        };
        if server.is_some() {
            stay(console)?;
        }
        if !self.write_page(page, feed, console)? {
            return Ok(FAILED);
        }
        self.screenshot.write(page, feed, console)
    }

    /// Checks before the run that the outputs can be written and what they replace; `false` after a message.
    fn claim_outputs(&self, inputs: Vec<PathBuf>, console: &mut Console<'_>) -> io::Result<bool> {
        let mut outputs = Outputs::new(inputs);
        let claimed = outputs.claim_given("--html", self.html.as_ref(), &OutputFormat::PAGE);
        if let Err(message) = claimed.and_then(|()| self.screenshot.claim(&mut outputs)) {
            writeln!(console.err, "{message}")?;
            return Ok(false);
        }
        Ok(true)
    }

    /// Starts the server of the page and a browser; `None` if a file is written instead. The inner error is the exit
    /// code if the server cannot be started.
    fn open(&self, page: &Page, feed: &Feed, console: &mut Console<'_>) -> io::Result<Result<Option<Server>, u8>> {
        let server = match &self.html {
            Some(_) => None,
            None if self.screenshot.wanted() => None,
            None => match Server::start(page.clone(), feed.clone()) {
                Ok(server) => Some(server),
                Err(error) => {
                    writeln!(console.err, "{error}")?;
                    return Ok(Err(FAILED));
                }
            },
        };
        if let Some(server) = &server {
            open_page(server, self.no_browser, console)?;
        }
        Ok(Ok(server))
    }

    /// Writes the page with everything reported so far, if asked for; returns true unless that failed.
    fn write_page(&self, page: &Page, feed: &Feed, console: &mut Console<'_>) -> io::Result<bool> {
        if let Some(file) = &self.html {
            let html = page.with_recording(feed).map_err(io::Error::other);
            let written = html.and_then(|html| whole_file::write(file, html.as_bytes()));
            if let Err(error) = written {
                writeln!(console.err, "--html {}: cannot be written: {}", file.display(), plain_reason(&error))?;
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Lists the files of meshes and images that are read because the recording names them, before any is read.
fn say_files(recording: &Recording, console: &mut Console<'_>) -> io::Result<()> {
    let (held, outside): (Vec<&str>, Vec<&str>) =
        meshes_of(&recording.run.scene).partition(|file| recording.access.holds(Path::new(file)));
    if !held.is_empty() {
        writeln!(console.err, "note: the recording names these files, which are read: {}", listed(&held))?;
    }
    if !outside.is_empty() {
        writeln!(
            console.err,
            "note: not read, since they lie neither in the folder of the recording nor where you are (--allow-outside \
             reads them): {}",
            listed(&outside)
        )?;
    }
    Ok(())
}

/// The first of the files, and their number.
fn listed(files: &[&str]) -> String {
    const MAX_LISTED: usize = 8;
    let shown = files.iter().take(MAX_LISTED).copied().collect::<Vec<_>>().join(", ");
    if files.len() > MAX_LISTED { format!("{shown}, … ({} in all)", files.len()) } else { shown }
}

/// Reads a recording; `None` after a message.
fn read(file: &Path, console: &mut Console<'_>) -> io::Result<Option<Recording>> {
    match mcap::read_with_pictures(file) {
        Ok(recording) => {
            if recording.end.is_none() {
                writeln!(console.err, "{}: the file is torn; what is whole of it is shown", file.display())?;
            }
            Ok(Some(recording))
        }
        Err(error) => {
            writeln!(console.err, "{}: {error}", file.display())?;
            Ok(None)
        }
    }
}

/// Name of a second recording: its file name, or `other` if the first has the same.
fn name_beside(first: &Path, second: &Path) -> String {
    let stem = second.file_stem().filter(|stem| Some(*stem) != first.file_stem());
    stem.map_or_else(|| "other".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// Waits until the program is ended.
fn stay(console: &mut Console<'_>) -> io::Result<()> {
    writeln!(console.err, "the page stays until Ctrl-C")?;
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
