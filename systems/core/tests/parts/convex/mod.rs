//! Tests of `systems/core/convex/`.

mod patch_report;
