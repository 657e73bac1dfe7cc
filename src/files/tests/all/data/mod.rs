//! Recorded signals.

mod stored;
