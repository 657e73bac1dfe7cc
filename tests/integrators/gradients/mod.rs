//! Derivatives of runs: closed forms, differences of tight runs.

mod branches;
mod chatter;
mod compositions;
mod events;
mod family;
mod impacts;
mod misses;
mod scenes;
