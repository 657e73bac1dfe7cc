//! `kinegraph integrators`: the integrators that a diagram file or `--integrator` can name.

use super::console::{Console, DONE, WRONG_INPUT};
use super::rules;
use crate::files::Catalog;
use crate::integrators::{Build, FEATURES, Feature, IntegratorType, METHODS, Support};
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
    /// Print the rules of the step, with the numbers that they use
    #[arg(long)]
    rules: bool,
    /// One integrator
    name: Option<String>,
}

impl Integrators {
    pub(super) fn execute(&self, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
        if self.features {
            if self.markdown {
                write!(console.out, "{}", feature_table())?;
            } else {
                list_features(console)?;
            }
            return Ok(DONE);
        }
        let of_name = |method: &&&IntegratorType| self.name.as_ref().is_none_or(|name| *name == method.name);
        let named: Vec<&IntegratorType> = catalog.integrators().iter().filter(of_name).copied().collect();
        if let (true, Some(name)) = (named.is_empty(), &self.name) {
            writeln!(console.err, "unknown integrator `{name}`; valid ones: {}", names_of(catalog.integrators(), ""))?;
            return Ok(WRONG_INPUT);
        }
        if self.rules {
            let text = if self.markdown { rules::table() } else { rules::list() };
            write!(console.out, "{text}")?;
            return Ok(DONE);
        }
        if self.markdown {
            write!(console.out, "{}", table(&named))?;
            return Ok(DONE);
        }
        for IntegratorType { name, about, options, build, .. } in named {
            writeln!(console.out, "{name}: {about}")?;
            writeln!(console.out, "  steps {}", steps(*build))?;
            writeln!(console.out, "  reads {}", options.join(", "))?;
        }
        Ok(DONE)
    }
}

/// Kind of its step lengths.
fn steps(build: Build) -> &'static str {
    match build {
        Build::Fixed(_) => "of the length `step`",
        Build::Controlled(_) => "by the accuracy",
        Build::Either(_) => "by the accuracy, or of the length `step` if that is given",
    }
}

/// All integrators in Markdown.
fn table(methods: &[&IntegratorType]) -> String {
    let mut text = "| integrator | what it is | steps | keys it reads |\n|---|---|---|---|\n".to_owned();
    for IntegratorType { name, about, remarks, options, build, .. } in methods {
        let what = if remarks.is_empty() { (*about).to_owned() } else { format!("{about}. {remarks}") };
        let steps = steps(*build);
        let keys = options.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        text += &format!("| `{name}` | {what} | {steps} | {keys} |\n");
    }
    text
}

/// Groups of methods with the same support of every feature, in the order of the table.
fn alike() -> Vec<Vec<&'static IntegratorType>> {
    let support =
        |method: &IntegratorType| FEATURES.iter().map(|feature| feature.support_by(method)).collect::<Vec<_>>();
    let mut groups: Vec<Vec<&'static IntegratorType>> = Vec::new();
    for method in METHODS {
        match groups.iter_mut().find(|group| support(group[0]) == support(method)) {
            Some(group) => group.push(method),
            None => groups.push(vec![method]),
        }
    }
    groups
}

/// Features in the order of the table, grouped by equal support.
fn by_support(groups: &[Vec<&'static IntegratorType>]) -> Vec<(Vec<&'static str>, Vec<Support>)> {
    let mut rows: Vec<(Vec<&'static str>, Vec<Support>)> = Vec::new();
    for feature in &FEATURES {
        let Feature { name, .. } = feature;
        let support: Vec<Support> = groups.iter().map(|group| feature.support_by(group[0])).collect();
        match rows.iter_mut().find(|(_, others)| *others == support) {
            Some((names, _)) => names.push(name),
            None => rows.push((vec![name], support)),
        }
    }
    rows
}

fn names_of(group: &[&'static IntegratorType], quote: &str) -> String {
    group.iter().map(|method| format!("{quote}{}{quote}", method.name)).collect::<Vec<_>>().join(", ")
}

/// Table of the support of every feature by each method, in Markdown.
fn feature_table() -> String {
    let groups = alike();
    let heads: Vec<String> = groups.iter().map(|group| names_of(group, "`")).collect();
    let mut text = format!("| | {} |\n|---|{}\n", heads.join(" | "), "---|".repeat(groups.len()));
    for (names, support) in by_support(&groups) {
        let cells: Vec<String> = support.iter().map(Support::to_string).collect();
        text += &format!("| {} | {} |\n", names.join("; "), cells.join(" | "));
    }
    text
}

/// Lists for the console the features that all methods support, then the differences.
fn list_features(console: &mut Console<'_>) -> io::Result<()> {
    let groups = alike();
    let (all, others): (Vec<_>, Vec<_>) = by_support(&groups)
        .into_iter()
        .partition(|(_, support)| support.iter().all(|support| *support == Support::Fully));
    writeln!(console.out, "every integrator:")?;
    for (names, _) in &all {
        names.iter().try_for_each(|name| writeln!(console.out, "  {name}"))?;
    }
    for (index, group) in groups.iter().enumerate() {
        writeln!(console.out, "{}:", names_of(group, ""))?;
        for (names, support) in &others {
            writeln!(console.out, "  {}: {}", names.join("; "), support[index])?;
        }
    }
    Ok(())
}

/// Help text of `--integrator`.
pub(super) fn names() -> String {
    let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
    format!("Integration method in place of the file's: {}", names.join(", "))
}
