//! The page that shows a run: its data, the page itself, and the server that delivers both to a browser on this
//! machine.

mod beside;
mod browser;
#[doc(hidden)]
pub mod camera;
mod chosen;
mod commands;
#[doc(hidden)]
pub mod door;
mod feed;
#[doc(hidden)]
pub mod film;
mod ghosts;
#[doc(hidden)]
pub mod http;
mod lines;
#[doc(hidden)]
pub mod meshes;
mod packed;
#[doc(hidden)]
pub mod page;
mod past;
#[doc(hidden)]
pub mod patterns;
mod picture;
#[doc(hidden)]
pub mod quantized;
mod replay;
mod scanners;
mod sensitivity;
#[doc(hidden)]
pub mod server;
mod shape_use;
#[doc(hidden)]
pub mod small_png;
mod stream;
#[doc(hidden)]
pub mod textures;
#[doc(hidden)]
pub mod threads;
mod touching;
mod visitors;

pub use beside::Beside;
pub use browser::{Browser, BrowserError};
pub use camera::{CameraFacts, Photo};
pub use chosen::{chosen_channels, is_of};
pub use commands::{
    Again, ChangedNumber, Command, Controls, Differentiate, Do, GradientControl, JointControl, KeyframeControl,
    NumberControl, OperatorControl, Pace, ParameterControl,
};
pub use feed::Feed;
pub use film::{FilmFormat, PageFilm};
use ghosts::Ghosts;
pub use lines::{
    AS_BEFORE, Begin, ByNumber, ChannelFacts, Channels, DeskState, End, EndStatus, Frames, Ghost, Judged, Line,
    MeasuredNumber, Mesh, Refused, Sensitivity, Slope, SlopeOverTime, Steps, VERSION,
};
pub use meshes::files as meshes_of;
pub use packed::{Array, Bytes, Packed};
pub use page::{Page, PageError};
pub use past::Past;
pub use picture::{PagePicture, PageView, PictureError};
pub use quantized::Quantized;
pub use replay::{replay, replay_beside};
pub use scanners::{Scanned, Scanner};
pub use server::{Server, ServerError};
pub use shape_use::{MeshUse, ShapeList};
pub use stream::Stream;
pub use textures::TextureImages;
pub use touching::{Touching, TouchingPair};
