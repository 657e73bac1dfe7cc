//! The page that shows a run.

mod browser;
mod camera;
mod door;
mod film;
mod http;
mod lines;
mod meshes;
mod packed;
mod page;
mod patterns;
mod picture;
mod quantized;
mod server;
mod small_png;
mod stream;
mod textures;
mod threads;
mod touching;
