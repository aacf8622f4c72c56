//! Hostile input ends in a finding, within a second and 64 MiB.
//!
//! Inputs are generated: most are one megabyte of what parsers like least.

#![expect(
    clippy::disallowed_methods,
    reason = "a test measures time and memory; the crate itself has no clock"
)]
#![expect(clippy::unwrap_used, reason = "a test that cannot measure has failed")]

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use environment::{Code, MapSource, RepoPath, Resolution, Severity, Target, resolve};

const MIB: usize = 1 << 20;
const AGENT: &str = ".auto/agents/a.yaml";
const HEAD: &str =
    "name: a\nharness: codex\nenvironment:\n  name: r\n  image: {kind: base, ref: debian}\n";

/// A second as released; the debug build is many times slower.
const TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });
const MEMORY_KIB: u64 = 64 << 10;

/// Memory is the whole process's: one measurement at a time.
static MEASURING: Mutex<()> = Mutex::new(());

#[test]
fn one_hostile_file_ends_in_a_finding() {
    for (name, text) in files() {
        let mut source = MapSource::default();
        put(&mut source, AGENT, &text[..text.floor_char_boundary(MIB)]);
        let found = measured(name, &source);
        assert!(has_error(&found), "{name}: nothing found");
        assert!(found.environments.is_empty(), "{name}: resolved");
    }
}

#[test]
fn hostile_repositories_end_in_a_finding() {
    for (name, source) in repositories() {
        let found = measured(name, &source);
        assert!(has_error(&found), "{name}: nothing found");
    }
}

#[test]
fn a_file_beyond_the_limit_is_not_read() {
    let mut source = MapSource::default();
    put(&mut source, AGENT, &"#\n".repeat(MIB));
    let found = measured("too large", &source);
    assert_eq!(found.findings[0].code, Code::FileTooLarge);
}

#[test]
fn many_agents_that_share_fragments_resolve() {
    let mut source = MapSource::default();
    for fragment in 0..20 {
        let text = format!("environment:\n  env:\n    KEY_{fragment}: value\n");
        put(&mut source, &format!(".auto/fragments/f{fragment}.yaml"), &text);
    }
    put(&mut source, ".auto/fragments/base.yaml", &HEAD[8..]);
    for agent in 0..1000 {
        let mut text = format!("name: agent-{agent}\nimports:\n- ../fragments/base.yaml\n");
        for fragment in 0..20 {
            let _ = writeln!(text, "- ../fragments/f{fragment}.yaml");
        }
        put(&mut source, &format!(".auto/agents/{agent}.yaml"), &text);
    }
    let (found, time) = timed(&source);
    assert!(time < TIME, "{time:?}");
    assert_eq!(found.findings, []);
    assert_eq!(found.environments.len(), 1000);
    assert_eq!(found.environments[7].variables.len(), 20);
}

/// Resolves, and fails when that takes too long or too much memory.
fn measured(name: &str, source: &MapSource) -> Resolution {
    let _alone = MEASURING.lock().unwrap_or_else(PoisonError::into_inner);
    // Sets the peak back to what is held now.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = peak_kib();
    let (found, time) = timed(source);
    let memory = peak_kib().saturating_sub(before);
    assert!(time < TIME, "{name}: {time:?}");
    assert!(memory < MEMORY_KIB, "{name}: {memory} KiB");
    found
}

/// Resolves, and says how long this thread worked on it: not how long it waited for a busy machine.
fn timed(source: &MapSource) -> (Resolution, Duration) {
    let worked = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    };
    let (start, before) = (Instant::now(), worked());
    let found = resolve(source, &Target::All);
    let time = match (before, worked()) {
        (Some(before), Some(after)) => after - before,
        _ => start.elapsed(),
    };
    (found, time)
}

/// The most memory that this process has held; 0 where the system does not tell.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}

fn has_error(found: &Resolution) -> bool {
    found.findings.iter().any(|finding| finding.severity == Severity::Error)
}

fn put(source: &mut MapSource, path: &str, text: &str) {
    source.0.insert(RepoPath::new(path).unwrap(), Arc::from(text.as_bytes()));
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn files() -> Vec<(&'static str, String)> {
    let bomb = lines(20, |n| {
        let below = if n == 0 { "x".into() } else { format!("*a{}", n - 1) };
        format!("a{n}: &a{n} [{}]\n", vec![below; 10].join(", "))
    });
    vec![
        ("open lists", "[".repeat(MIB)),
        ("open mappings", "{a: ".repeat(MIB / 4)),
        ("open lists on lines", "[\n".repeat(MIB / 2)),
        ("nested dashes", "- ".repeat(MIB / 2)),
        ("nested questions", "? ".repeat(MIB / 2)),
        ("stairs", lines(1400, |n| format!("{}a:\n", " ".repeat(n)))),
        ("one long list", format!("[{}]", "a,".repeat(MIB / 2 - 2))),
        ("one long mapping", format!("{{{}}}", "a:,".repeat(MIB / 3 - 2))),
        ("anchors on one line", format!("[{}]", "&a ".repeat(MIB / 3 - 2))),
        ("quotes on one line", format!("[{}]", "'',".repeat(MIB / 3 - 2))),
        ("tags on one line", format!("[{}]", "!a ".repeat(MIB / 3 - 2))),
        ("plain words on one line", format!("[{}]", "a b ".repeat(MIB / 4 - 2))),
        ("keys on one line", "? a ".repeat(MIB / 4)),
        ("items", format!("{HEAD}  steps:\n{}", "    - a\n".repeat(MIB / 8))),
        ("keys", lines(80_000, |n| format!("k{n}: v\n"))),
        ("one key many times", "k: v\n".repeat(MIB / 5)),
        ("aliases of aliases", bomb),
        (
            "a long text aliased",
            format!("a: &a {}\nb: [{}]\n", "x".repeat(900_000), vec!["*a"; 10_000].join(",")),
        ),
        ("anchors", lines(80_000, |n| format!("- &a{n} x\n"))),
        ("one anchor many times", "- &a x\n- *a\n".repeat(MIB / 12)),
        ("tag directives", format!("{}--- a\n", lines(50_000, |n| format!("%TAG !a{n}! tag:x\n")))),
        ("documents", "---\n".repeat(MIB / 4)),
        ("a long line", format!("a: {}", "x".repeat(MIB - 4))),
        ("a long text over lines", format!("a: {}", "x\n ".repeat(MIB / 3 - 2))),
        ("an unclosed quote", format!("a: \"{}", "x ".repeat(MIB / 2 - 4))),
        ("escapes", format!("a: \"{}\"", "\\n".repeat(MIB / 2 - 4))),
        ("a literal block", format!("a: |\n{}", "  x\n".repeat(MIB / 4 - 2))),
        ("a folded block of nothing", format!("a: >\n{}", "\n".repeat(MIB - 8))),
        ("comments", "#\n".repeat(MIB / 2)),
        ("spaces", " ".repeat(MIB)),
        ("tabs", "\t".repeat(MIB)),
        ("carriage returns", "\r".repeat(MIB)),
        ("colons", ":".repeat(MIB)),
        ("dashes", "-".repeat(MIB)),
        ("pipes", "- |\n".repeat(MIB / 4)),
        ("four-byte characters", format!("a: {}", "\u{1f600}".repeat(MIB / 4 - 2))),
        ("nul bytes", "\0".repeat(MIB)),
        ("wrong steps", format!("{HEAD}  steps:\n{}", "    - 1\n".repeat(18_000))),
        (
            "wrong variables",
            format!("{HEAD}  env:\n{}", lines(9_000, |n| format!("    k-{n}: 1\n"))),
        ),
        ("unknown keys", format!("{HEAD}{}", lines(9_000, |n| format!("  kk{n}: 1\n")))),
        (
            "many imports",
            format!("{HEAD}imports:\n{}", lines(9_000, |n| format!("- ../f/{n}.yaml\n"))),
        ),
        ("a long name", format!("name: {}\nharness: codex\n", "a".repeat(900_000))),
        ("a long reference", HEAD.replace("debian", &"d/".repeat(400_000))),
        (
            "unknown tokens",
            format!("{HEAD}  steps: [1]\n  env:\n    A: \"{}\"\n", "{{ $a }}".repeat(100_000)),
        ),
    ]
}

fn repositories() -> Vec<(&'static str, MapSource)> {
    let mut all = Vec::new();

    let mut chain = MapSource::default();
    put(&mut chain, AGENT, &format!("imports: [../f/0.yaml]\n{HEAD}"));
    for n in 0..2_000 {
        put(&mut chain, &format!(".auto/f/{n}.yaml"), &format!("imports: [{}.yaml]\n", n + 1));
    }
    all.push(("a chain of imports", chain));

    // Each level imports the next one twice: 2^40 ways to the last, which is broken.
    let mut diamonds = MapSource::default();
    put(&mut diamonds, AGENT, &format!("imports: [../f/0a.yaml, ../f/0b.yaml]\n{HEAD}"));
    for n in 0..40 {
        for side in ["a", "b"] {
            let text = format!("imports: [{0}a.yaml, {0}b.yaml]\nenv: {{K{n}: {side}}}\n", n + 1);
            put(&mut diamonds, &format!(".auto/f/{n}{side}.yaml"), &text);
        }
    }
    all.push(("diamonds", diamonds));

    let mut everyone = MapSource::default();
    let imports = lines(100, |n| format!("- {n}.yaml\n"));
    for n in 0..100 {
        let text =
            format!("imports:\n{imports}{}", HEAD.replace("name: a", &format!("name: a{n}")));
        put(&mut everyone, &format!(".auto/agents/{n}.yaml"), &text);
    }
    all.push(("everyone imports everyone", everyone));

    // A fragment of nearly a megabyte in each of a thousand agents.
    let mut heavy = MapSource::default();
    let steps = lines(900, |n| format!("  - RUN echo {n} {}\n", "x".repeat(1_000)));
    put(&mut heavy, ".auto/f/heavy.yaml", &format!("{HEAD}  steps:\n{steps}"));
    for n in 0..1_000 {
        let text = format!("name: a{n}\nimports: [../f/heavy.yaml]\n");
        put(&mut heavy, &format!(".auto/agents/{n}.yaml"), &text);
    }
    all.push(("a heavy fragment", heavy));

    let mut conflicts = MapSource::default();
    for n in 0..2_000 {
        let text = format!("{HEAD}  steps: [RUN {n}]\n").replace("name: a", &format!("name: a{n}"));
        put(&mut conflicts, &format!(".auto/agents/{n}.yaml"), &text);
    }
    all.push(("conflicts", conflicts));

    // Forty files of one megabyte.
    let mut bulk = MapSource::default();
    for n in 0..40 {
        let text = format!("{HEAD}x: |\n{}", "  xxxxxxxxxxxxxxx\n".repeat(57_000));
        put(&mut bulk, &format!(".auto/agents/{n}.yaml"), &text);
    }
    all.push(("bulk", bulk));

    let mut names = MapSource::default();
    for n in 0..3_000 {
        let text = format!("name: a{n}\nharness: codex\nenvironment: nobody{n}\n");
        put(&mut names, &format!(".auto/agents/{n}.yaml"), &text);
    }
    all.push(("names that nobody defines", names));
    all
}
