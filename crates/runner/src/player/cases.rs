//! The recorded cases.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use futures_util::StreamExt as _;
use planner::{BaseImage, Instruction, InstructionKind, Plan, Session};
use serde::Deserialize;
use triage::EngineError;

use crate::build::dockerfile;
use crate::context::Archive;
use crate::engine::{BuildRequest, BuildUpdate, Builder, EngineInfo, Port};
use crate::{CheckRequest, PullPolicy, Timeouts};

/// What a builder said, in order.
pub(super) type Said = Vec<Result<BuildUpdate, EngineError>>;

/// One case.
pub(super) struct Case {
    pub(super) name: String,
    folder: PathBuf,
    what: What,
}

#[derive(Deserialize)]
struct What {
    builder: Builder,
    /// Whether it is Podman's builder behind Docker's API.
    #[serde(default)]
    podman: bool,
    base: String,
    instructions: Vec<(InstructionKind, String)>,
}

/// All cases. None is a fault: an empty folder proves nothing.
pub(super) fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings");
    let mut all: Vec<Case> = std::fs::read_dir(&root)
        .expect("the folder of recordings")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("case.json").exists())
        .map(|folder| {
            let text = std::fs::read(folder.join("case.json")).expect("a case");
            let what = serde_json::from_slice(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
            let name = folder.file_name().and_then(|n| n.to_str()).expect("a name").to_owned();
            Case { name, folder, what }
        })
        .collect();
    assert!(!all.is_empty(), "no case below {}", root.display());
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

impl Case {
    pub(super) fn is_buildkit(&self) -> bool {
        self.what.builder == Builder::Buildkit
    }

    pub(super) fn is_podman(&self) -> bool {
        self.what.podman
    }

    pub(super) fn builder(&self) -> Builder {
        self.what.builder
    }

    pub(super) fn engine_info(&self) -> EngineInfo {
        EngineInfo {
            name: "Docker Engine".to_owned(),
            version: "20.10.24".to_owned(),
            api: "1.41".to_owned(),
            builder: self.what.builder,
            host: String::new(),
            found_by: String::new(),
            podman: self.what.podman,
            architecture: "amd64".to_owned(),
        }
    }

    pub(super) fn request(&self) -> CheckRequest {
        CheckRequest {
            plan: self.plan(),
            context: None,
            base: None,
            pull: PullPolicy::Missing,
            timeouts: Timeouts::default(),
            smoke: Vec::new(),
            keep: false,
        }
    }

    /// What was said when it was recorded.
    pub(super) fn said(&self) -> Said {
        let path = self.folder.join("said.jsonl");
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        text.lines().map(|line| serde_json::from_str(line).expect("an update")).collect()
    }

    /// Builds it for real.
    pub(super) async fn record(&self, port: &impl Port) -> Said {
        let text = dockerfile(&self.plan(), self.what.builder);
        let (context, _) = Archive::without_files(&text).expect("a context").send();
        let labels = BTreeMap::from([("dev.drydock.test".to_owned(), "recording".to_owned())]);
        let request = BuildRequest { labels, ..BuildRequest::default() };
        port.build(request, context).collect().await
    }

    pub(super) fn write(&self, said: &Said) {
        let line = |update| serde_json::to_string(update).expect("updates are JSON") + "\n";
        let text: String = said.iter().map(line).collect();
        std::fs::write(self.folder.join("said.jsonl"), text).expect("the recording is written");
    }

    fn plan(&self) -> Plan {
        let What { base, instructions, .. } = &self.what;
        let first = [
            (InstructionKind::Base, format!("ARG AUTO_ENVIRONMENT_BASE={base}")),
            (InstructionKind::Base, "FROM ${AUTO_ENVIRONMENT_BASE}".to_owned()),
            (InstructionKind::Base, "USER root".to_owned()),
        ];
        let probe = |kind: InstructionKind, text: &str| match kind {
            InstructionKind::Probe => contract::PROBE.trim_end().to_owned(),
            _ => text.to_owned(),
        };
        let rest = instructions.iter().map(|(kind, text)| (*kind, probe(*kind, text)));
        let mut plan = Plan {
            environment: self.name.clone(),
            base: BaseImage { reference: base.clone(), ..BaseImage::default() },
            instructions: first.into_iter().chain(rest).map(instruction).collect(),
            session: Session { user: "nobody".to_owned(), home: "/tmp".to_owned(), workdir: None },
            digest: "0".repeat(64),
            ..Plan::default()
        };
        number(&mut plan);
        plan
    }
}

fn instruction((kind, text): (InstructionKind, String)) -> Instruction {
    Instruction {
        stage: "stage".parse().expect("a stage's name"),
        kind,
        line: 0,
        lines: u32::try_from(text.lines().count()).expect("few lines"),
        name: (kind == InstructionKind::Setup).then(|| "entry".to_owned()),
        text,
        place: None,
        timeout_s: None,
        packages: Vec::new(),
    }
}

/// The renderer's own line numbers.
fn number(plan: &mut Plan) {
    let text = planner::render(plan, planner::ContextRoot::Nested);
    let mut from = 0;
    for instruction in &mut plan.instructions {
        let first = instruction.text.lines().next().unwrap_or_default();
        let at = text.lines().skip(from).position(|line| line == first).expect("it is rendered");
        instruction.line = u32::try_from(from + at + 1).expect("few lines");
        from += at + instruction.lines as usize;
    }
}
