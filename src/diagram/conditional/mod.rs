//! Diagrams that run on a condition: enabled, triggered, reset.
//!
//! Such a diagram is compiled like any other. Each of its blocks that has state, and inputs on which this depends, is
//! replaced by a block that passes calls on to it and has one more input, the condition ([`part`]). Its outputs pass
//! through blocks that hold them ([`held_output`]). All these are discrete states and witness functions as other blocks
//! have them, so that a condition acts at its exact time, and a run can be stored and repeated.
//!
//! **Enabled.** While the signal is not true, states stand still, and neither periodic events nor crossings happen. A
//! crossing that is missed, because a function has another sign when the part is enabled again, happens then. Outputs
//! keep the values they had just before, or are zero. With [`States::Reset`] the states begin anew each time.
//!
//! **Triggered.** The sampled blocks are updated at each edge of the signal, whatever their periods. The outputs change
//! there only, to the values behind the update. Two more blocks, `trigger` and `hold`, count the edges one after the
//! other, so that the outputs are read when all states have been updated.
//!
//! **Reset.** All states begin anew at each edge of the signal.
//!
//! **What runs on.** Blocks without inputs are functions of the time (sources, noise), those without state have nothing
//! to hold, and delays are functions of what has arrived at them, so that none of them stands still.

mod fault;
mod held_output;
mod level;
mod part;
mod trigger;

pub use fault::{ConditionError, Obstacle};

use super::builder::DiagramBuilder;
use super::ends::{PortRef, SubDiagram};
use super::exports;
use super::fault::Side;
use held_output::{HeldOutput, Hold};
use kinegraph_core::port::Crossing;
use part::Part;
use std::sync::Arc;
use trigger::Trigger;

/// Condition on which a nested diagram runs. Its signal is an input of the diagram, with the name given here: a logical
/// signal, true above 0.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// While the input `enabled` is true.
    Enabled(States, HeldAs),
    /// At each edge of the input `triggered`.
    Triggered(Crossing),
    /// Always; its states begin anew at each edge of the input `reset`.
    Reset(Crossing),
}

/// States of an enabled diagram when it is enabled again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum States {
    /// They go on from where they stood still.
    #[default]
    Hold,
    /// They begin anew, from their initial values.
    Reset,
}

/// Outputs of an enabled diagram while it is not enabled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeldAs {
    /// The values they had just before; zero before it was enabled once.
    #[default]
    Last,
    /// Zero.
    Zero,
}

impl When {
    /// Name of the input of the diagram that has the signal.
    pub fn input(self) -> &'static str {
        match self {
            When::Enabled(..) => "enabled",
            When::Triggered(_) => "triggered",
            When::Reset(_) => "reset",
        }
    }
}

impl DiagramBuilder {
    /// [`add_diagram`](Self::add_diagram) of a diagram that runs on a condition. Its signal is one more input of the
    /// nested diagram, [`When::input`].
    ///
    /// ```
    /// use kinegraph::diagram::{DiagramBuilder, When, States, HeldAs};
    /// use kinegraph::systems::operators::Integrator;
    /// use kinegraph::systems::sources::Constant;
    ///
    /// let mut timer = DiagramBuilder::new("timer");
    /// let x = timer.add("x", Integrator::new(vec![0.0])?);
    /// timer.export_input("rate", x.input);
    /// timer.export_output("time", x.output);
    ///
    /// let mut b = DiagramBuilder::new("outer");
    /// let on = b.add("on", Constant::new(vec![1.0])?);
    /// let timer = b.add_diagram_when("timer", timer, When::Enabled(States::Hold, HeldAs::Last))?;
    /// b.connect(on.output, timer.input("enabled"));
    /// b.fix(timer.input("rate"), [1.0]);
    /// b.build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The blocks that cannot run on the condition, with the reasons: plants, and what each kind of condition excludes.
    /// An input of the diagram that has the name of the signal.
    pub fn add_diagram_when(
        &mut self,
        name: impl Into<String>,
        mut other: DiagramBuilder,
        when: When,
    ) -> Result<SubDiagram, ConditionError> {
        let name = name.into();
        other.run_when(when).map_err(|blocks| ConditionError { diagram: name.clone(), blocks })?;
        Ok(self.add_diagram(name, other))
    }

    /// Makes the diagram run on a condition wherever it is nested; see [`add_diagram_when`](Self::add_diagram_when).
    ///
    /// # Errors
    /// Blocks and names that stand in the way. The diagram is then as it was.
    pub fn run_when(&mut self, when: When) -> Result<(), Vec<Obstacle>> {
        let mut obstacles: Vec<Obstacle> =
            self.blocks.iter().filter_map(|(name, block)| fault::obstacle(name, &**block, when)).collect();
        obstacles.extend(fault::taken_name(&self.exports, when));
        if !obstacles.is_empty() {
            return Err(obstacles);
        }
        let mut signals = Vec::new();
        for (name, block) in &mut self.blocks {
            if fault::is_held(&**block, when) {
                let part = Part::new(block.clone(), when);
                signals.push(format!("{name}.{}", part.signal()));
                *block = Arc::new(part);
            }
        }
        let holds = match when {
            When::Enabled(_, as_what) => Some(Hold::WhileDisabled(as_what)),
            When::Triggered(_) => Some(Hold::BetweenTriggers),
            When::Reset(_) => None,
        };
        let held = holds.map_or_else(Vec::new, |hold| self.hold_outputs(hold));
        match when {
            When::Triggered(crossing) => {
                let [first, second] = [self.free_name("trigger"), self.free_name("hold")];
                self.add_erased(&first, Arc::new(Trigger::new(Some(crossing))));
                self.add_erased(&second, Arc::new(Trigger::new(None)));
                let count = format!("{first}.count");
                self.connect_paths(&count, format!("{second}.input"));
                signals.into_iter().for_each(|part| self.connect_paths(&count, part));
                held.into_iter().for_each(|output| self.connect_paths(format!("{second}.count"), output));
                self.export_input_path(when.input(), format!("{first}.input"));
            }
            When::Enabled(..) | When::Reset(_) => {
                signals.into_iter().chain(held).for_each(|part| self.export_input_path(when.input(), part));
            }
        }
        Ok(())
    }

    /// Lets each exported output pass through a block that holds it. Returns the inputs of these blocks that take the
    /// condition.
    fn hold_outputs(&mut self, hold: Hold) -> Vec<String> {
        // Faults of exports are reported by the build.
        let lookup = exports::lookup(self, &mut Vec::new());
        let outputs = lookup.aliases.iter().filter(|alias| alias.diagram.is_empty() && alias.side == Side::Output);
        let found: Vec<(String, (usize, usize))> =
            outputs.filter_map(|alias| Some((alias.name.clone(), *alias.ports.first()?))).collect();
        let mut conditions = Vec::new();
        for (export, (block, port)) in found {
            let (path, system) = &self.blocks[block];
            let output = &system.ports().outputs()[port];
            let (from, held) = (format!("{path}.{}", output.name), HeldOutput::new(output, hold));
            let name = self.free_name(&format!("held_{}", export.replace('.', "_")));
            self.add_erased(&name, Arc::new(held));
            self.connect_paths(from, format!("{name}.input"));
            conditions.push(format!("{name}.condition"));
            for one in self.exports.iter_mut().filter(|one| one.scope.is_empty() && one.name == export) {
                if one.side == Side::Output {
                    one.port = PortRef::Path(format!("{name}.output"));
                }
            }
        }
        conditions
    }

    /// Returns a name that no block has: `name`, or that with a number.
    pub fn free_name(&self, name: &str) -> String {
        let is_free = |name: &String| self.blocks.iter().all(|(other, _)| other != name);
        let numbered = (2_usize..).map(|number| format!("{name}_{number}"));
        std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }
}
