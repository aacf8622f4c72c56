//! Resolved environments for tests, as the `auto` dialect resolves them.

#![expect(clippy::unwrap_used, reason = "a test builder given a bad literal should stop there")]

use std::collections::BTreeMap;

use environment::{
    Account, Accounts, Base, Basis, Body, Checkout, Compute, Dialect, Network, OnFailure, Origin,
    Persists, Place, Repeat, RepoPath, ResolvedEnvironment, Reuse, Scope, Sourced, Stage,
    StageKind, Text, TextShape, Trigger, Variable, VariableLayer, VariableValue, Workdir,
};

/// An environment on `debian:bookworm` with a mount and nothing else.
pub(crate) struct Builder(pub(crate) ResolvedEnvironment);

pub(crate) fn authored<T>(value: T, line: u32) -> Sourced<T> {
    Sourced { value, basis: basis(line) }
}

fn basis(line: u32) -> Basis {
    let file = RepoPath::new(".auto/agents/a.yaml").unwrap();
    Basis::Authored { place: Place { file, line, column: 7 }, via: [].into() }
}

/// A text in a literal block that starts at `line`.
pub(crate) fn text(value: &str, line: u32) -> Text {
    let shape = TextShape::Literal { first_line: line, column: 7 };
    Text { value: value.to_owned(), basis: basis(line), shape }
}

fn platform(value: &str) -> Sourced<String> {
    let source = "environments".to_owned();
    Sourced { value: value.to_owned(), basis: Basis::DocumentedDefault { source } }
}

impl Builder {
    pub(crate) fn new() -> Self {
        let stage = |id: &str, kind, user| Stage {
            id: id.parse().unwrap(),
            kind,
            name: None,
            trigger: Trigger::ImageBuild,
            also_at: Vec::new(),
            user,
            shell: None,
            prelude: None,
            body: Body::Platform,
            workdir: Workdir::Inherit,
            timeout_s: None,
            repeat: Repeat::OncePerImage,
            persists: Persists::Image,
            cache: None,
            on_failure: OnFailure { code: "image_build".to_owned(), scope: Scope::Image },
        };
        Self(ResolvedEnvironment {
            schema: "resolved-environment/1".to_owned(),
            origin: Origin {
                dialect: Dialect::Auto,
                profile: "a2".to_owned(),
                name: Some(authored("runtime".to_owned(), 4)),
                agent: Some(authored("agent".to_owned(), 1)),
                description: None,
                labels: BTreeMap::new(),
                annotations: BTreeMap::new(),
                sources: Vec::new(),
            },
            base: Base::Image { reference: authored("debian:bookworm".parse().unwrap(), 7) },
            contract: Some(platform("debian-contract-v0")),
            accounts: Accounts {
                build: platform("root"),
                session: platform("user"),
                home: platform("/home/user"),
                login_shell: platform("/bin/bash"),
            },
            workdir: Some(authored("/workspace/widgets".to_owned(), 20)),
            checkouts: vec![Checkout {
                repository: authored("acme/widgets".to_owned(), 18),
                path: authored("/workspace/widgets".to_owned(), 19),
                reference: None,
            }],
            variables: Vec::new(),
            stages: vec![
                stage("probe", StageKind::Probe, Account::Root),
                stage("bootstrap", StageKind::Bootstrap, Account::Root),
                stage("user", StageKind::UserCreation, Account::Root),
                stage("checkout[0]", StageKind::Checkout, Account::Session),
            ],
            network: Network::Unspecified,
            compute: Compute::default(),
            reuse: Reuse::default(),
            extensions: BTreeMap::new(),
            assumptions: Vec::new(),
        })
    }

    pub(crate) fn step(mut self, value: &str) -> Self {
        let count = |stage: &&Stage| stage.kind == StageKind::ImageInstruction;
        let index = self.0.stages.iter().filter(count).count();
        let mut stage = self.0.stages[1].clone();
        stage.id = format!("steps[{index}]").parse().unwrap();
        stage.kind = StageKind::ImageInstruction;
        stage.body = Body::Instruction { text: text(value, 30 + u32::try_from(index).unwrap()) };
        self.0.stages.insert(2 + index, stage);
        self
    }

    pub(crate) fn setup(mut self, name: &str, commands: &[&str]) -> Self {
        let mut stage = self.0.stages[1].clone();
        stage.id = format!("setup[{name}]").parse().unwrap();
        stage.kind = StageKind::Script;
        stage.name = Some(authored(name.to_owned(), 50));
        stage.user = Account::Session;
        stage.shell = Some(vec!["/bin/sh".to_owned(), "-lc".to_owned()]);
        stage.prelude = Some("set -eu".to_owned());
        stage.workdir = Workdir::Session;
        stage.timeout_s = Some(Sourced {
            value: 600,
            basis: Basis::DocumentedDefault { source: "environments".to_owned() },
        });
        let texts = commands.iter().map(|command| text(command, 52)).collect();
        stage.body = Body::Commands { commands: texts };
        self.0.stages.push(stage);
        self
    }

    pub(crate) fn variable(mut self, name: &str, value: &str, layer: VariableLayer) -> Self {
        self.0.variables.push(Variable {
            name: authored(name.parse().unwrap(), 60),
            value: VariableValue::Literal { text: authored(value.to_owned(), 60) },
            layer,
        });
        self
    }

    pub(crate) fn mount(mut self, path: &str) -> Self {
        self.0.checkouts[0].path.value = path.to_owned();
        self.0.workdir = Some(authored(path.to_owned(), 20));
        self
    }
}
