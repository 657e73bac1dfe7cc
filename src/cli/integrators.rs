//! `kinegraph integrators`: the integrators that a diagram file or `--integrator` can name.

use super::console::{Console, DONE};
use crate::integrators::{Build, IntegratorType, METHODS};
use clap::Args;
use std::io;

/// List the integrators that a diagram file or `--integrator` can name, and the keys that each reads
#[derive(Debug, Args)]
pub(super) struct Integrators {
    /// Print a table for a Markdown document
    #[arg(long)]
    markdown: bool,
}

impl Integrators {
    pub(super) fn execute(&self, console: &mut Console<'_>) -> io::Result<u8> {
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
    for IntegratorType { name, about, remarks, options, build } in METHODS {
        let what = if remarks.is_empty() { (*about).to_owned() } else { format!("{about}. {remarks}") };
        let steps = steps(*build);
        let keys = options.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        text += &format!("| `{name}` | {what} | {steps} | {keys} |\n");
    }
    text
}

/// The help of `--integrator`.
pub(super) fn names() -> String {
    let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
    format!("Integration method in place of the file's: {}", names.join(", "))
}
