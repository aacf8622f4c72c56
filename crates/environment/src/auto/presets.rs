//! The published table of runtime presets.

use crate::Preset;

/// From the field reference of environments, generation a2.
pub(super) const PRESETS: &[Preset] = &[
    Preset { name: "node24", reference: "node:24-bookworm-slim" },
    Preset { name: "node22", reference: "node:22-bookworm-slim" },
    Preset { name: "linux-node22", reference: "node:22-bookworm-slim" },
    Preset { name: "default", reference: "node:24-bookworm-slim" },
];
