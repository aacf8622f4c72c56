//! What bounds the work on hostile input. Beyond each limit stands a finding, never a silent cut.

/// The largest definition file, in bytes: beyond it, `file-too-large`.
pub(crate) const FILE_BYTES: u64 = 1 << 20;
/// All files of one run together, in bytes: beyond it, `definition-limit`.
pub(crate) const TOTAL_BYTES: u64 = 12 << 20;
/// The deepest nesting of lists and mappings: beyond it, `definition-limit`.
pub(crate) const DEPTH: u32 = 64;
/// The most values in one file, aliases counted each time they are used: beyond it, `definition-limit`.
pub(crate) const NODES: u32 = 20_000;
/// The most values that all files of one run hold together.
pub(crate) const TOTAL_NODES: u32 = 150_000;
/// All text of one file, in bytes, aliases counted each time they are used.
pub(crate) const TEXT_BYTES: u32 = 2 << 20;
/// The most punctuation marks that could be YAML's on one line: the parser keeps every token of a line that may
/// yet turn out to be a key. Beyond it, `definition-limit`.
pub(crate) const MARKS_IN_LINE: usize = 20_000;
/// The most `imports` entries in one file: beyond it, `definition-limit`.
pub(crate) const IMPORTS: usize = 200;
/// The longest chain of imports: beyond it, `definition-limit`.
pub(crate) const IMPORT_CHAIN: usize = 50;
/// What an agent may resolve to, in bytes of text and values, without counting towards [`LARGE_AGENTS`].
/// It counts a fragment once for each agent that merges it.
pub(crate) const SMALL_AGENT: u64 = 64 << 10;
/// What all larger agents of one run may resolve to: those beyond it are left out, with `definition-limit`.
pub(crate) const LARGE_AGENTS: u64 = 12 << 20;
/// What one value costs beside its text, in bytes.
pub(crate) const NODE_COST: u64 = 300;
/// The most unknown `{{ $tokens }}` that are reported for one agent.
pub(crate) const UNKNOWN_TOKENS: usize = 100;
/// The most findings of one run: beyond it, one more says so.
pub(crate) const FINDINGS: usize = 1_000;
