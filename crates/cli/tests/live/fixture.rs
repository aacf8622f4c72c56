//! A fixture: a small repository, and what `drydock check` must say about it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use tempfile::TempDir;

use crate::drydock::{Check, Said};
use crate::engine::Engine;

/// The file beside a fixture's own files that says what must come out; it is not committed.
const EXPECT: &str = "expect.toml";

/// A folder of `fixtures/`.
#[derive(Clone, Debug)]
pub(crate) struct Fixture {
    /// The folder's name.
    pub(crate) name: String,
    folder: PathBuf,
    expect: Expect,
}

/// `expect.toml`. An unknown key is an error: it would be an expectation that nobody checks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    /// Which base is tried.
    base: String,
    /// Whether the definition itself names that base, instead of `--base`: then the failure has a place there.
    #[serde(default)]
    authored: bool,
    /// Whether the base's files do not decide the contract, so that only a build can.
    #[serde(default)]
    unreadable: bool,
    /// Further arguments of `check`.
    #[serde(default)]
    args: Vec<String>,
    /// What comes out.
    outcome: Expected,
    /// What differs on the classic builder: failure fields by name.
    #[serde(default)]
    classic: BTreeMap<String, String>,
    /// What is left unproven by the classic builder, and by it alone.
    #[serde(default)]
    classic_not_proven: Vec<String>,
}

/// What comes out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    verdict: String,
    exit: i32,
    /// Findings that must be among those reported.
    #[serde(default)]
    findings: Vec<String>,
    /// Fields of `failure`; without any, there must be no failure.
    code: Option<String>,
    phase: Option<String>,
    owner: Option<String>,
    retry: Option<String>,
    /// `file:line`; without it, the failure must name no place.
    source: Option<String>,
    /// The marker line; without it, the failure must carry none.
    marker: Option<String>,
}

/// Every fixture, sorted. One without `expect.toml` is an error, and so is none at all.
pub(crate) fn all() -> Result<Vec<Fixture>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let entries = fs::read_dir(&root).map_err(|error| format!("{}: {error}", root.display()))?;
    let mut fixtures = Vec::new();
    for entry in entries {
        let folder = entry.map_err(|error| error.to_string())?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Other tests keep their cases beside these: bases, logs.
        if !folder.join(".auto").exists() && !folder.join(EXPECT).exists() {
            continue;
        }
        let text = fs::read_to_string(folder.join(EXPECT))
            .map_err(|error| format!("{name}/{EXPECT}: {error}"))?;
        let expect: Expect =
            toml::from_str(&text).map_err(|error| format!("{name}/{EXPECT}: {error}"))?;
        fixtures.push(Fixture { name, folder, expect });
    }
    if fixtures.is_empty() {
        return Err("fixtures/ is empty".to_owned());
    }
    fixtures.sort_by(|a, b| a.name.cmp(&b.name));
    every_base_is_tried(&root, &fixtures)?;
    Ok(fixtures)
}

/// A base that no fixture names would prove nothing.
fn every_base_is_tried(root: &Path, fixtures: &[Fixture]) -> Result<(), String> {
    let bases = fs::read_dir(root.join("bases")).map_err(|error| error.to_string())?;
    for base in bases.flatten() {
        let base = base.file_name().to_string_lossy().into_owned();
        if !fixtures.iter().any(|fixture| fixture.expect.base == base) {
            return Err(format!("no fixture tries the base {base}"));
        }
    }
    Ok(())
}

/// How the base's verdict is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// By building on it, whatever its files say.
    Built,
    /// From its files first, as a user's `check` does; the build follows when they promise well.
    ReadFirst,
}

impl Fixture {
    /// Whether the base alone decides what comes out, so that reading it must say the same.
    pub(crate) fn base_decides(&self) -> bool {
        let Expected { verdict, code, phase, .. } = &self.expect.outcome;
        verdict == "passed"
            || phase.as_deref() == Some("probe")
            || code.as_deref() == Some("wrong-platform")
    }

    /// The fixture called `name`.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        all()?
            .into_iter()
            .find(|fixture| fixture.name == name)
            .ok_or_else(|| format!("no fixture {name}"))
    }

    /// Its files as a commit in a folder of their own.
    pub(crate) fn commit(&self, engine: &Engine) -> Result<TempDir, String> {
        let folder = TempDir::new().map_err(|error| error.to_string())?;
        copy(&self.folder, folder.path()).map_err(|error| format!("{}: {error}", self.name))?;
        if self.expect.authored {
            self.name_base(engine, folder.path())
                .map_err(|error| format!("{}: {error}", self.name))?;
        }
        crate::commit::commit(folder.path());
        Ok(folder)
    }

    /// Writes the base's name on the test machine, whose port is another each time, into the definition.
    fn name_base(&self, engine: &Engine, folder: &Path) -> std::io::Result<()> {
        let agent = folder.join(".auto/agents/agent.yaml");
        let text = fs::read_to_string(&agent)?;
        // The first `ref` is the image's, a later one the mount's.
        let (before, rest) = text.split_once("    ref: ").unwrap_or((&text, ""));
        let after = rest.split_once('\n').map_or("", |(_, after)| after);
        let base = engine.base(&self.expect.base);
        fs::write(agent, format!("{before}    ref: {base}\n{after}"))
    }

    /// A check of it on `builder`, not started yet.
    pub(crate) fn prepare(
        &self,
        engine: &Engine,
        repository: &Path,
        builder: &str,
    ) -> Result<Check, String> {
        let mut check = Check::new(engine, repository, builder)?;
        if !self.expect.authored {
            check.args(["--base", &engine.base(&self.expect.base)]);
        }
        check.args(self.expect.args.iter().map(String::as_str));
        Ok(check)
    }

    /// Runs it on `builder` and compares.
    pub(crate) fn check(&self, engine: &Engine, builder: &str, base: Base) -> Result<(), String> {
        let repository = self.commit(engine)?;
        let mut check = self.prepare(engine, repository.path(), builder)?;
        if base == Base::Built {
            check.args(["--no-static"]);
        }
        let mut said = check.run()?;
        if self.met_trouble(&said) {
            eprintln!("{}: again, after {}", self.name, said.report()["failure"]["summary"]);
            said = check.run()?;
        }
        let mut wrong = self.differences(&said, builder);
        wrong.extend(self.wrong_level(&said, base));
        for run in said.runs() {
            wrong.extend(
                engine.left_of(run)?.into_iter().map(|left| format!("left on the engine: {left}")),
            );
        }
        let builds = base == Base::Built || self.expect.outcome.verdict == "passed";
        if said.runs().next().is_none() && builds && self.expect.outcome.exit != 2 {
            wrong.push("no run began".to_owned());
        }
        wrong.extend(
            check.temporary_files().into_iter().map(|file| format!("left: {}", file.display())),
        );
        if wrong.is_empty() {
            return Ok(());
        }
        let report = serde_json::to_string_pretty(said.report()).unwrap_or_default();
        Err(format!("{}\n\n{report}\n{}", wrong.join("\n"), said.stderr))
    }

    /// Whether a mirror or a name server failed it, by its own word: then, by its own word, another try may help.
    fn met_trouble(&self, said: &Said) -> bool {
        let report = said.report();
        let wanted = &self.expect.outcome.verdict;
        report["verdict"] == "inconclusive"
            && report["verdict"] != wanted.as_str()
            && report["failure"]["owner"] == "infrastructure"
            && report["failure"]["retry"] != "never"
    }

    /// A refusal that was read must have built nothing, and the two ways must not disagree.
    fn wrong_level(&self, said: &Said, base: Base) -> Vec<String> {
        let report = said.report();
        let read = base == Base::ReadFirst && !self.expect.unreadable;
        let refused = read && self.expect.outcome.verdict != "passed";
        let executed = report["level"] == "executed";
        let mut wrong = Vec::new();
        // Before the base is there, nothing can have been executed.
        let early = matches!(self.expect.outcome.phase.as_deref(), Some("pre-build" | "pull"));
        if self.expect.outcome.exit != 2 && !early && executed == refused {
            wrong.push(format!("level: {}", report["level"]));
        }
        let tried = report["environments"].as_array().into_iter().flatten();
        wrong.extend(tried.filter_map(|one| one["disagreement"].as_str().map(str::to_owned)));
        wrong
    }

    fn differences(&self, said: &Said, builder: &str) -> Vec<String> {
        let Expected { verdict, exit, findings, code, phase, owner, retry, source, marker } =
            &self.expect.outcome;
        let report = said.report();
        let failure = &report["failure"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let place = failure["source"]["file"]
            .as_str()
            .map(|file| format!("{file}:{}", failure["source"]["line"]));
        let rows = [
            ("verdict", Some(verdict), text(&report["verdict"])),
            ("code", code.as_ref(), text(&failure["code"])),
            ("phase", phase.as_ref(), text(&failure["phase"])),
            ("owner", owner.as_ref(), text(&failure["owner"])),
            ("retry", retry.as_ref(), text(&failure["retry"])),
            ("source", source.as_ref(), place),
            ("marker", marker.as_ref(), text(&failure["marker"])),
        ];
        let mut wrong: Vec<String> = rows
            .into_iter()
            .map(|(name, wanted, got)| {
                let other = (builder == "classic").then(|| self.expect.classic.get(name)).flatten();
                (name, other.or(wanted).cloned(), got)
            })
            .filter(|(_, wanted, got)| wanted != got)
            .map(|(name, wanted, got)| format!("{name}: wanted {wanted:?}, got {got:?}"))
            .collect();
        if said.status != Some(*exit) {
            wrong.push(format!("exit: wanted {exit}, got {:?}", said.status));
        }
        let found = |code: &String| {
            report["findings"]
                .as_array()
                .is_some_and(|all| all.iter().any(|one| one["code"] == code.as_str()))
        };
        wrong.extend(
            findings
                .iter()
                .filter(|code| !found(code))
                .map(|code| format!("finding {code} is missing")),
        );
        let left = |what: &String| {
            let environments = report["environments"].as_array().into_iter().flatten();
            let all = environments.flat_map(|one| one["outcome"]["not_proven"].as_array());
            all.flatten().any(|one| one["what"] == what.as_str())
        };
        wrong.extend(
            self.expect
                .classic_not_proven
                .iter()
                .filter(|what| left(what) != (builder == "classic"))
                .map(|what| format!("not proven on {builder}: {what} is {}", left(what))),
        );
        wrong
    }
}

/// Copies a fixture as it is: links stay links, modes stay modes.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            symlink(fs::read_link(source)?, target)?;
        } else if kind.is_dir() {
            fs::create_dir(&target)?;
            copy(&source, &target)?;
        } else if entry.file_name() != EXPECT {
            fs::copy(source, target)?;
        }
    }
    Ok(())
}
