//! Tests of `systems/models/xml/`.

mod lenient;
