//! Tests of `systems/core/testing/`.

mod conformance;
