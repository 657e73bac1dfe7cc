//! The page that shows a run: its data, the page itself, and the server that hands both to a browser of this machine.

mod beside;
mod browser;
mod camera;
mod chosen;
mod commands;
mod door;
mod feed;
mod film;
mod ghosts;
mod http;
mod lines;
mod meshes;
mod packed;
mod page;
mod past;
mod patterns;
mod picture;
mod quantized;
mod replay;
mod scanners;
mod server;
mod shape_use;
mod small_png;
mod stream;
mod textures;
mod threads;
mod touching;
mod visitors;

pub use beside::Beside;
pub use browser::{Browser, BrowserError};
pub use camera::{CameraFacts, Photo};
pub use chosen::{chosen_channels, is_of};
pub use commands::{
    Again, ChangedNumber, Command, Controls, Do, JointControl, KeyframeControl, NumberControl, OperatorControl, Pace,
};
pub use feed::Feed;
pub use film::{FilmFormat, PageFilm};
use ghosts::Ghosts;
pub use lines::{
    AS_BEFORE, Begin, ChannelFacts, Channels, DeskState, End, EndStatus, Frames, Ghost, Line, Mesh, Refused, Steps,
    VERSION,
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
