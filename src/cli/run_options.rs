//! Options of commands that simulate a diagram file: overrides of its values.

use crate::files::Override;
use crate::integrators::IntegratorType;
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct RunOptions {
    #[arg(long, value_name = "NAME", help = super::integrators::names())]
    integrator: Option<String>,
    /// Accuracy in place of the file's
    #[arg(long, value_name = "A")]
    accuracy: Option<String>,
    /// Step length [s] of methods with fixed steps
    #[arg(long, value_name = "DT")]
    step: Option<String>,
    /// Largest step [s] of methods with error control
    #[arg(long, value_name = "DT")]
    max_step: Option<String>,
    /// Simulate until this time [s], e.g. 2 or "500 ms"
    #[arg(long, alias = "duration", value_name = "T")]
    until: Option<String>,
    /// Replace a value of the file, e.g. systems.controller.kp=100 or systems.controller.kp="3 kN/m"
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    set: Vec<Override>,
    /// Time between recorded samples [s]
    #[arg(long, value_name = "DT")]
    every: Option<String>,
}

impl RunOptions {
    /// Options with their own names that `method` does not read, each with advice.
    pub fn unread_by(&self, method: &IntegratorType) -> Vec<String> {
        let name = method.name;
        let chooses = format!(
            "{name} chooses its steps by the accuracy; `--max-step` bounds them, and `icf` and others \
                               (`kinegraph integrators`) take steps of one length"
        );
        let has_length = format!("{name} takes steps of the length `step` and controls no errors");
        let given = [
            ("--step", "step", &self.step, &chooses),
            ("--accuracy", "accuracy", &self.accuracy, &has_length),
            ("--max-step", "max_step", &self.max_step, &has_length),
        ];
        let unread = given.iter().filter(|(_, key, ..)| !method.options.contains(key));
        unread
            .filter_map(|(flag, _, value, why)| Some(format!("{flag} {} does nothing: {why}", (*value).as_ref()?)))
            .collect()
    }

    /// Options with their own names come after `--set`, so that they take precedence.
    pub fn overrides(&self) -> Vec<Override> {
        let named = [
            ("--integrator", "simulation.integrator", &self.integrator),
            ("--accuracy", "simulation.accuracy", &self.accuracy),
            ("--step", "simulation.step", &self.step),
            ("--max-step", "simulation.max_step", &self.max_step),
            ("--until", "simulation.duration", &self.until),
            ("--every", "record.every", &self.every),
        ];
        let named = named
            .into_iter()
            .filter_map(|(flag, path, value)| value.as_ref().map(|value| Override::flag(flag, path, value)));
        self.set.iter().cloned().chain(named).collect()
    }
}
