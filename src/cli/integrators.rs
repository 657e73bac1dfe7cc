//! `kinegraph integrators`: the integrators that a diagram file or `--integrator` can name.

use super::console::{Console, DONE};
use crate::integrators::{Build, FEATURES, Feature, IntegratorType, METHODS, Takes};
use clap::Args;
use std::io;

/// List the integrators that a diagram file or `--integrator` can name, and the keys that each reads
#[derive(Debug, Args)]
pub(super) struct Integrators {
    /// Print a table for a Markdown document
    #[arg(long)]
    markdown: bool,
    /// Print what each makes of all that a diagram may have
    #[arg(long)]
    features: bool,
}

impl Integrators {
    pub(super) fn execute(&self, console: &mut Console<'_>) -> io::Result<u8> {
        if self.features {
            if self.markdown {
                write!(console.out, "{}", feature_table())?;
            } else {
                list_features(console)?;
            }
            return Ok(DONE);
        }
        if self.markdown {
            write!(console.out, "{}", table())?;
            return Ok(DONE);
        }
        for IntegratorType { name, about, options, build, .. } in METHODS {
            writeln!(console.out, "{name}: {about}")?;
            writeln!(console.out, "  steps {}", steps(*build))?;
            writeln!(console.out, "  reads {}", options.join(", "))?;
        }
        Ok(DONE)
    }
}

/// How long its steps are.
fn steps(build: Build) -> &'static str {
    match build {
        Build::Fixed(_) => "of the length `step`",
        Build::Controlled(_) => "by the accuracy",
        Build::Either(_) => "by the accuracy, or of the length `step` if that is given",
    }
}

/// All integrators in Markdown.
fn table() -> String {
    let mut text = "| integrator | what it is | steps | keys it reads |\n|---|---|---|---|\n".to_owned();
    for IntegratorType { name, about, remarks, options, build, .. } in METHODS {
        let what = if remarks.is_empty() { (*about).to_owned() } else { format!("{about}. {remarks}") };
        let steps = steps(*build);
        let keys = options.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        text += &format!("| `{name}` | {what} | {steps} | {keys} |\n");
    }
    text
}

/// Methods of one table that make the same of every feature, in its order.
fn alike() -> Vec<Vec<&'static IntegratorType>> {
    let takes = |method: &IntegratorType| FEATURES.iter().map(|feature| feature.taken_by(method)).collect::<Vec<_>>();
    let mut groups: Vec<Vec<&'static IntegratorType>> = Vec::new();
    for method in METHODS {
        match groups.iter_mut().find(|group| takes(group[0]) == takes(method)) {
            Some(group) => group.push(method),
            None => groups.push(vec![method]),
        }
    }
    groups
}

/// Features in the order of the table, those together that all methods take alike.
fn by_takes(groups: &[Vec<&'static IntegratorType>]) -> Vec<(Vec<&'static str>, Vec<Takes>)> {
    let mut rows: Vec<(Vec<&'static str>, Vec<Takes>)> = Vec::new();
    for feature in &FEATURES {
        let Feature { name, .. } = feature;
        let takes: Vec<Takes> = groups.iter().map(|group| feature.taken_by(group[0])).collect();
        match rows.iter_mut().find(|(_, others)| *others == takes) {
            Some((names, _)) => names.push(name),
            None => rows.push((vec![name], takes)),
        }
    }
    rows
}

fn names_of(group: &[&'static IntegratorType], quote: &str) -> String {
    group.iter().map(|method| format!("{quote}{}{quote}", method.name)).collect::<Vec<_>>().join(", ")
}

/// What each method makes of every feature, in Markdown.
fn feature_table() -> String {
    let groups = alike();
    let heads: Vec<String> = groups.iter().map(|group| names_of(group, "`")).collect();
    let mut text = format!("| | {} |\n|---|{}\n", heads.join(" | "), "---|".repeat(groups.len()));
    for (names, takes) in by_takes(&groups) {
        let cells: Vec<String> = takes.iter().map(Takes::to_string).collect();
        text += &format!("| {} | {} |\n", names.join("; "), cells.join(" | "));
    }
    text
}

/// The same for people: what all take, then what each group takes in another way.
fn list_features(console: &mut Console<'_>) -> io::Result<()> {
    let groups = alike();
    let (all, others): (Vec<_>, Vec<_>) =
        by_takes(&groups).into_iter().partition(|(_, takes)| takes.iter().all(|takes| *takes == Takes::Fully));
    writeln!(console.out, "every integrator:")?;
    for (names, _) in &all {
        names.iter().try_for_each(|name| writeln!(console.out, "  {name}"))?;
    }
    for (index, group) in groups.iter().enumerate() {
        writeln!(console.out, "{}:", names_of(group, ""))?;
        for (names, takes) in &others {
            writeln!(console.out, "  {}: {}", names.join("; "), takes[index])?;
        }
    }
    Ok(())
}

/// The help of `--integrator`.
pub(super) fn names() -> String {
    let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
    format!("Integration method in place of the file's: {}", names.join(", "))
}
