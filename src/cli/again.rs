//! `kinegraph view FILE`: shows the run, and further runs of the same diagram with other numbers, each together with
//! the one before.

use super::console::{Console, DONE, FAILED};
use super::page::end;
use super::signals::Signals;
use super::verify::{Verified, VerifyOptions};
use crate::files::{Catalog, FileNumber, Loaded, Override};
use crate::gradient::FileGradient;
use crate::scenario::{GradientAsked, LiveWorkshop, Prepared, Scenario, Simulator, also_recorded};
use crate::simulate::{Observer, Status};
use crate::sweep::{Template, Variation};
use crate::verify::Verification;
use crate::view::{
    Again, ChangedNumber, Command, Differentiate, Feed, GradientControl, Line, NumberControl, Past, Refused,
    Sensitivity, Stream,
};
use std::collections::VecDeque;
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::str::FromStr;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

/// Name of the previous run.
const BEFORE: &str = "before";

/// Runs of a diagram for a page.
pub(super) struct Runs<'a> {
    /// The diagram file, and the block types that it may name.
    pub file: &'a Path,
    pub catalog: &'a Catalog,
    pub feed: &'a Feed,
    /// Commands of the page.
    pub commands: Receiver<Command>,
    /// Overrides of values of the file.
    pub set: Vec<Override>,
    /// Names of the channels that are plotted.
    pub plotted: &'a [String],
    /// Options that verify the runs.
    pub verify: &'a VerifyOptions,
}

/// A built diagram with its file.
type Built = (Loaded, Box<dyn Prepared>);

impl Runs<'_> {
    /// Runs `built`, and then each run that the page asks for, until a signal ends the program.
    pub(super) fn all(
        self,
        mut workshop: LiveWorkshop,
        simulator: &dyn Simulator,
        built: Built,
        console: &mut Console<'_>,
        signals: &Signals,
    ) -> io::Result<u8> {
        let Runs { file, catalog, feed, commands, mut set, plotted, verify } = self;
        let mut plotted = plotted.to_vec();
        let desk = Bell::new(commands);
        let (mut built, mut past) = (built, None);
        loop {
            let (loaded, prepared) = built;
            let numbers = FileNumber::of(&loaded.text, &set);
            let beside = verify.beside(&loaded, None).map_err(io::Error::other)?;
            let control = Scenario::build(&loaded.diagram, &loaded.loader);
            let control = control.map(|scenario| GradientControl::of(&scenario, &numbers));
            let stream = Stream::again(feed.clone(), loaded.diagram.view, offered(&numbers), past)
                .with_pictures(prepared.size().pictures)
                .with_requirements(prepared.size().requirements)
                .with_gradient(control)
                .with_plotted(plotted.clone());
            let mut observers: Vec<Box<dyn Observer>> =
                vec![Box::new(stream), Box::new(signals.clone()), Box::new(desk.clone())];
            let run = prepared.run(&mut observers);
            let interrupt = || signals.wants_end().or_else(|| desk.wants_end());
            let beside = beside.filter(|_| interrupt().is_none());
            let verification = beside.map(|beside| beside.verify(&run.status, &interrupt));
            let verification = verification.as_ref();
            let can_stop = matches!(run.status, Status::Interrupted(_)) || verification.is_some();
            if let Some(code) = signals.exit_code().filter(|_| can_stop) {
                signals.release();
                feed.push(&Line::End(end(&run, verification)))?;
                feed.close();
                write!(console.out, "{}", Verified(&run, verification))?;
                console.out.flush()?;
                return Ok(code);
            }
            // From now on a signal ends the program at once, also in further runs: there is nothing to save.
            signals.release();
            if !desk.rang() {
                feed.push(&Line::End(end(&run, verification)))?;
                write!(console.out, "{}", Verified(&run, verification))?;
                console.out.flush()?;
                writeln!(console.err, "the page stays until Ctrl-C")?;
            }
            built = loop {
                let wanted = match desk.next() {
                    Some(Wish::Run(wanted)) => wanted,
                    Some(Wish::Derivatives(asked)) => {
                        let template = Template::open_over(catalog.clone(), file, set.clone());
                        let found = template
                            .map_err(|error| error.to_string())
                            .and_then(|template| differentiated(&template, &asked, &loaded));
                        match found {
                            Ok(found) => feed.push(&Line::Sensitivity(Box::new(found)))?,
                            Err(reason) => feed.push(&Line::Refused(Refused { reason }))?,
                        }
                        continue;
                    }
                    None => {
                        let verified = verification.is_none_or(Verification::is_verified);
                        return Ok(if run.status == Status::Done && verified { DONE } else { FAILED });
                    }
                };
                let other = chosen(&numbers, &wanted).map(|changed| {
                    let more = recorded(&loaded, &wanted.record);
                    set.iter().cloned().chain(changed).chain(more).collect::<Vec<_>>()
                });
                match other.and_then(|other| Ok((build(&mut workshop, simulator, &other)?, other))) {
                    Ok((ready, other)) => {
                        set = other;
                        // Outputs that were asked for are also plotted.
                        plotted.extend(wanted.record);
                        break ready;
                    }
                    Err(reason) => feed.push(&Line::Refused(Refused { reason }))?,
                }
            };
            past = Past::of(feed).map(|past| (past, BEFORE.to_owned()));
            feed.restart();
        }
    }
}

/// Builds the diagram with `set` as overrides; an error message if it has faults.
fn build(workshop: &mut LiveWorkshop, simulator: &dyn Simulator, set: &[Override]) -> Result<Built, String> {
    workshop.forget(set.to_vec());
    let loaded = workshop.load().map_err(|error| error.to_string())?;
    match simulator.build(&loaded.diagram, &loaded.loader) {
        Ok(prepared) => Ok((loaded, prepared)),
        Err(_) => Err(loaded.failed().to_string()),
    }
}

/// Derivatives of the run of a file; an error message if there are none.
fn differentiated(template: &Template, asked: &Differentiate, loaded: &Loaded) -> Result<Sensitivity, String> {
    fn all<T: FromStr<Err: Display>>(texts: &[String]) -> Result<Vec<T>, String> {
        texts.iter().map(|text| text.parse().map_err(|error: T::Err| error.to_string())).collect()
    }
    let over_time = asked.over_time.clone();
    let asked = GradientAsked { of: all(&asked.of)?, by: all(&asked.by)?, over_time, until: None };
    let file = FileGradient::new(template, &Variation::default(), &asked);
    let found = file.and_then(|file| file.gradient(true)).map_err(|error| error.to_string())?;
    Ok(Sensitivity::of(&found, &loaded.diagram.parameters))
}

fn offered(numbers: &[FileNumber]) -> Vec<NumberControl> {
    let control = |one: &FileNumber| NumberControl {
        path: one.path.clone(),
        about: one.about.clone(),
        values: one.values.clone(),
        names: Vec::new(),
    };
    numbers.iter().map(control).collect()
}

/// `record.channels` with `more` appended, if more is asked for.
fn recorded(loaded: &Loaded, more: &[String]) -> Option<Override> {
    let scenario = Scenario::build(&loaded.diagram, &loaded.loader).filter(|_| !more.is_empty())?;
    also_recorded(&loaded.diagram, &scenario.diagram, more)
}

/// Overrides for the numbers of the request; an error message if a path or its numbers do not fit the file.
fn chosen(numbers: &[FileNumber], wanted: &Again) -> Result<Vec<Override>, String> {
    let replaced = |changed: &ChangedNumber| {
        let number = numbers.iter().find(|one| one.path == changed.path);
        let number = number.ok_or_else(|| format!("the diagram file has no number at `{}`", changed.path))?;
        number.replaced_by(&changed.values).ok_or_else(|| {
            format!("`{}`: expected {} finite numbers, as in the file", changed.path, number.values.len())
        })
    };
    wanted.numbers.iter().map(replaced).collect()
}

/// Observer that ends a run when the page asks for another.
#[derive(Clone)]
struct Bell(Arc<Mutex<Asked>>);

struct Asked {
    commands: Receiver<Command>,
    /// Next run that was requested during the present one.
    next: Option<Again>,
    /// Derivatives that were requested during the present one.
    derivatives: VecDeque<Differentiate>,
}

/// Wish of a page of a run that is over.
enum Wish {
    Run(Again),
    Derivatives(Differentiate),
}

impl Bell {
    fn new(commands: Receiver<Command>) -> Self {
        Bell(Arc::new(Mutex::new(Asked { commands, next: None, derivatives: VecDeque::new() })))
    }

    /// True if another run was requested.
    fn rang(&self) -> bool {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while asked.next.is_none() {
            match asked.commands.try_recv() {
                Ok(Command::Again(again)) => asked.next = Some(again),
                Ok(Command::Differentiate(wish)) => asked.derivatives.push_back(wish),
                // A page of a run without interaction sends no other commands.
                Ok(_) => {}
                Err(_) => break,
            }
        }
        asked.next.is_some()
    }

    /// Waits for the next wish; `None` when there are no more pages.
    fn next(&self) -> Option<Wish> {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(again) = asked.next.take() {
            asked.derivatives.clear();
            return Some(Wish::Run(again));
        }
        if let Some(wish) = asked.derivatives.pop_front() {
            return Some(Wish::Derivatives(wish));
        }
        loop {
            match asked.commands.recv().ok()? {
                Command::Again(again) => return Some(Wish::Run(again)),
                Command::Differentiate(wish) => return Some(Wish::Derivatives(wish)),
                _ => {}
            }
        }
    }
}

impl Observer for Bell {
    fn wants_samples(&self) -> bool {
        false
    }

    fn wants_end(&self) -> Option<String> {
        self.rang().then(|| "the page: another run is wanted".to_owned())
    }
}
