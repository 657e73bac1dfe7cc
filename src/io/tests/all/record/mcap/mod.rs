//! Recordings in MCAP, a container that Foxglove, Rerun and libraries of many languages open.

mod ports;
