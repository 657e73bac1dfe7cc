//! `kinegraph view --live`: runs with interaction, one take after another.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::live_desk::LiveDesk;
use super::mass_table;
use super::notes;
use super::outputs::{OutputFormat, Outputs};
use super::page::{end, open_page};
use super::recordings::recordings;
use super::scenario;
use super::signals::Signals;
use super::summary::Summary;
use crate::diagram::Diagram;
use crate::files::Override;
use crate::scenario::{LiveWorkshop, Scenario, Simulator};
use crate::simulate::{Hands, Observer, Status};
use crate::view::{Controls, Feed, Line, Page, Server, Stream, Touching, TouchingPair};
use std::io;
use std::path::{Path, PathBuf};

/// A live run.
pub(super) struct Live<'a> {
    pub page: &'a Page,
    pub feed: &'a Feed,
    pub file: &'a Path,
    pub set: Vec<Override>,
    /// Names of the channels that are plotted.
    pub plotted: &'a [String],
    pub record: &'a [PathBuf],
    pub no_browser: bool,
    /// True if the file is a model, for which no task is known, only its links.
    pub is_model: bool,
}

impl Live<'_> {
    /// Serves the page until the program is ended, by a signal if the run `listens` to them. Each take has its own
    /// recordings.
    pub(super) fn run(
        &self,
        mut workshop: LiveWorkshop,
        simulator: &dyn Simulator,
        console: &mut Console<'_>,
        listens: bool,
    ) -> io::Result<u8> {
        let (server, commands) = match Server::live(self.page.clone(), self.feed.clone()) {
            Ok(live) => live,
            Err(error) => {
                writeln!(console.err, "{error}")?;
                return Ok(FAILED);
            }
        };
        let set = self.set.iter().map(Override::assignment).collect();
        let file = self.file.display().to_string();
        let fresh = workshop.clone();
        let ready = |of_file: &[Override]| {
            let mut fresh = fresh.clone();
            fresh.forget([self.set.clone(), of_file.to_vec()].concat());
            let loaded = fresh.load().map_err(|error| error.to_string())?;
            simulator.build(&loaded.diagram, &loaded.loader).map(drop).map_err(|faults| faults.to_string())
        };
        let mut desk = LiveDesk::new(commands, self.feed.clone(), file, set, ready);
        let mut number = 0;
        let mut heard: Option<Signals> = None;
        for take in 1.. {
            // Parameters of blocks in earlier takes are replayed as acts of this one, so that its journal contains
            // them; those of the file are in its first act.
            workshop.forget([self.set.clone(), desk.of_file()].concat());
            let Some((loaded, built)) = scenario::built_by(&workshop, simulator, console)? else {
                return Ok(WRONG_INPUT);
            };
            number = free_number(self.record, number + 1);
            let files: Vec<PathBuf> = self.record.iter().map(|file| of_take(file, number)).collect();
            if let Err(message) = claim(&files, loaded.loader.files_read()) {
                writeln!(console.err, "{message}")?;
                return Ok(WRONG_INPUT);
            }
            let sinks = match recordings(&files, loaded.diagram.view, &built.size().pictures) {
                Ok(sinks) => sinks,
                Err(message) => {
                    writeln!(console.err, "{message}")?;
                    return Ok(WRONG_INPUT);
                }
            };
            if take == 1 {
                notes::table(&built.size().notes, console.out)?;
                open_page(&server, self.no_browser, console)?;
            }
            let scenario = Scenario::build(&loaded.diagram, &loaded.loader);
            if let Some(scenario) = scenario.as_ref().filter(|_| take == 1 && self.is_model) {
                mass_table::write(&scenario.diagram, console.out)?;
                touching(&scenario.diagram, console.out)?;
            }
            let controls = scenario.map(|scenario| Controls::of(&scenario.diagram, &loaded));
            let signals = match &heard {
                Some(signals) => signals.clone(),
                None if listens => Signals::listen()?,
                None => Signals::default(),
            };
            heard = Some(signals.clone());
            let stream = Stream::live(self.feed.clone(), loaded.diagram.view, controls.unwrap_or_default())
                .with_pictures(built.size().pictures)
                .with_requirements(built.size().requirements)
                .with_plotted(self.plotted.to_vec());
            let stream = if self.is_model { stream.with_touching() } else { stream };
            let mut observers: Vec<Box<dyn Observer>> = vec![Box::new(stream), Box::new(signals.clone())];
            observers.extend(sinks);
            let run = built.run_live(&mut observers, &mut Hands { desk: &mut desk, workshop: &mut workshop });
            drop(observers);
            if desk.begins_anew() {
                self.feed.restart();
                continue;
            }
            self.feed.push(&Line::End(end(&run, None)))?;
            write!(console.out, "{}", Summary(&run))?;
            console.out.flush()?;
            if let Status::Failed(_) = run.status {
                // The end of a failed run can be examined, and a reset starts again.
                writeln!(console.err, "the page stays: reset it, or end with Ctrl-C")?;
                if desk.waits_for_reset(&signals) {
                    self.feed.restart();
                    continue;
                }
                return Ok(FAILED);
            }
            signals.release();
            self.feed.close();
            return Ok(signals.exit_code().unwrap_or(DONE));
        }
        Ok(DONE)
    }
}

/// Prints the bodies of a model that overlap at the start.
fn touching(diagram: &Diagram, out: &mut dyn io::Write) -> io::Result<()> {
    let Touching { pairs } = Touching::at(diagram, &diagram.initial_state());
    if !pairs.is_empty() {
        writeln!(out, "touching at the start, by depth [mm]:")?;
    }
    for TouchingPair { a, b, depth } in pairs {
        writeln!(out, "  {a} and {b}: {:.2}", depth * 1e3)?;
    }
    Ok(())
}

/// File name with a number, since every reset begins another file.
fn of_take(file: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return file.to_owned();
    }
    let stem = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let extension = file.extension().map_or_else(String::new, |name| format!(".{}", name.to_string_lossy()));
    file.with_file_name(format!("{stem}-{number}{extension}"))
}

/// First number from `least` on for which no file exists. The first take is an exception: its file name was given, and
/// an existing file is replaced.
fn free_number(files: &[PathBuf], least: usize) -> usize {
    let is_taken = |number: &usize| *number > 1 && files.iter().any(|file| of_take(file, *number).exists());
    let mut numbers = least..;
    numbers.find(|number| !is_taken(number)).unwrap_or(least)
}

fn claim(files: &[PathBuf], inputs: Vec<PathBuf>) -> Result<(), String> {
    let mut outputs = Outputs::new(inputs);
    files.iter().try_for_each(|file| outputs.claim("--record", file, &OutputFormat::TABLES))
}
