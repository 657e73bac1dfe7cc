//! Recordings in MCAP, a container that Foxglove, Rerun and libraries of many languages open.
//!
//! All messages are JSON with a schema (`jsonschema`), times are nanoseconds of simulated time. Topics:
//!
//! | topic | schema | what |
//! |---|---|---|
//! | `/kinegraph/run` | `kinegraph.Run` | once: diagram, integrator, recorded channels with units, scene |
//! | `/scene` | `foxglove.SceneUpdate` | once: the shapes of all bodies |
//! | `/tf` | `foxglove.FrameTransforms` | where the bodies are; those that cannot move, once |
//! | `/BLOCK/PORT` | `kinegraph.BLOCK.PORT` | what is recorded of an output: an object by the names of its numbers |
//! | `/BLOCK/PORT`, `/BLOCK/scan`, `/BLOCK/points` | those of Foxglove | pictures and scans of sensors |
//! | `/BLOCK/PORT/labels` | `kinegraph.Labels` | once: what the numbers of a picture of labels stand for |
//! | `/contacts` | `kinegraph.Contacts` | contact points with forces: of samples with some, and the first without |
//! | `/kinegraph/steps` | `kinegraph.Step` | every attempt at a step |
//! | `/kinegraph/journal` | `kinegraph.Acted` | what somebody did to a live run: `run --replay` does it again |
//! | `/kinegraph/end` | `kinegraph.End` | once: where and why the run ended |
//!
//! Chunks are written at least twice a second, so that a program that is killed leaves a file that opens up to there.

mod film;
mod foxglove;
mod images;
mod messages;
#[doc(hidden)]
pub mod ports;
mod reader;
mod run;
mod scans;
mod sink;

pub use film::RecordedFilm;
pub(crate) use images::RecordedPicture;
pub use kinegraph_data::samples::{RecordedChannel, topics};
pub use messages::{ContactPoint, Contacts, EndMessage, RecordedAttempt, attempts};
pub use reader::{ReadError, Recording, read, read_with_pictures};
pub use run::{RecordedRun, RunFacts};
pub use scans::{RecordedScan, RecordedScans};
pub use sink::McapSink;
