//! Acts that wait for the end of a step.

use crate::simulate::Act;
use std::collections::VecDeque;

/// Maximum number of waiting acts; further ones are refused. An act of a hand on a page replaces the one before.
const MAX_WAITING: usize = 256;

/// Acts in the order of their requests. If several set the same thing, the last one counts.
#[derive(Debug, Default)]
pub struct WaitingActs {
    acts: VecDeque<Act>,
}

impl WaitingActs {
    /// Adds an act, or replaces one that it makes obsolete. Returns true if there was room.
    pub fn push(&mut self, act: Act) -> bool {
        // Values may be set in any order, up to an act that may depend on them.
        let values = self.acts.iter().rev().take_while(|waiting| is_value(waiting)).count();
        let first = self.acts.len() - values;
        if is_value(&act)
            && let Some(at) = (first..self.acts.len()).find(|&at| is_of_the_same(&self.acts[at], &act))
        {
            self.acts[at] = act;
            return true;
        }
        if self.acts.len() >= MAX_WAITING {
            return false;
        }
        self.acts.push_back(act);
        true
    }

    /// Removes and returns the next act.
    pub fn pop(&mut self) -> Option<Act> {
        self.acts.pop_front()
    }

    /// Removes and returns all acts, in order.
    pub fn take(&mut self) -> impl Iterator<Item = Act> {
        std::mem::take(&mut self.acts).into_iter()
    }
}

impl FromIterator<Act> for WaitingActs {
    fn from_iter<I: IntoIterator<Item = Act>>(acts: I) -> Self {
        WaitingActs { acts: acts.into_iter().collect() }
    }
}

/// True if the result of an act does not depend on the state before: it sets a value.
fn is_value(act: &Act) -> bool {
    matches!(act, Act::Drag { .. } | Act::Place { .. } | Act::Tune { .. } | Act::Feed { .. } | Act::Operate { .. })
}

/// True if two acts set the same thing.
fn is_of_the_same(a: &Act, b: &Act) -> bool {
    match (a, b) {
        (Act::Drag { .. }, Act::Drag { .. }) => true,
        (Act::Place { channel: a, .. }, Act::Place { channel: b, .. }) => a == b,
        (Act::Tune { path: a, .. }, Act::Tune { path: b, .. }) => a == b,
        (Act::Feed { input: a, .. }, Act::Feed { input: b, .. }) => a == b,
        (Act::Operate { block: a, .. }, Act::Operate { block: b, .. }) => a == b,
        _ => false,
    }
}
