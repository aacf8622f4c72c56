//! A resolved environment's stages as the instructions of one Dockerfile stage.

use environment::{
    Account, Base, Basis, Body, Place, ResolvedEnvironment, Stage, StageId, StageKind, Text,
    Workdir,
};

use crate::quote::{env_value, fits_env_value};
use crate::{
    BaseImage, CheckoutPath, ContextRoot, Instruction, InstructionKind, NotProven, Package, Plan,
    Session, platform, render, script, session,
};

/// The plan's instructions so far, and what could not become one.
pub(crate) struct Assembled {
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) left_out: Vec<NotProven>,
}

/// Turns each stage into instructions, in the order of the stages.
pub(crate) fn assemble(environment: &ResolvedEnvironment, plan: &Plan) -> Assembled {
    let mut builder = Builder {
        environment,
        plan,
        done: Vec::new(),
        left_out: Vec::new(),
        is_root: true,
        workdir: None,
        exports: session::exported(&plan.variables),
    };
    builder.base();
    for stage in &environment.stages {
        match stage.kind {
            StageKind::Probe => builder.probe(stage),
            StageKind::Bootstrap => builder.bootstrap(stage),
            StageKind::ImageInstruction => builder.step(stage),
            StageKind::PackageInstall => builder.packages(stage),
            StageKind::UserCreation => builder.user(stage),
            StageKind::Checkout => builder.checkout(stage),
            StageKind::Script => builder.script(stage),
        }
    }
    builder.session();
    render::number(&mut builder.done);
    Assembled { instructions: builder.done, left_out: builder.left_out }
}

struct Builder<'a> {
    environment: &'a ResolvedEnvironment,
    plan: &'a Plan,
    done: Vec<Instruction>,
    left_out: Vec<NotProven>,
    /// Whether the next instruction runs as root; never trusted behind an authored step.
    is_root: bool,
    /// Where the next instruction runs, once the session has begun.
    workdir: Option<String>,
    exports: String,
}

impl Builder<'_> {
    fn base(&mut self) {
        let id = own("base");
        for line in render::base(&self.plan.base.reference) {
            self.push(&id, InstructionKind::Base, line);
        }
        self.push(&id, InstructionKind::Base, "USER root".to_owned());
    }

    fn probe(&mut self, stage: &Stage) {
        let probe = contract::PROBE.trim_end_matches('\n');
        self.push(&stage.id, InstructionKind::Probe, probe.to_owned());
    }

    fn bootstrap(&mut self, stage: &Stage) {
        self.root(&stage.id, InstructionKind::Bootstrap);
        match &stage.body {
            // What a stand-in for the platform's own image lacks.
            Body::Instruction { text } => {
                self.push(&stage.id, InstructionKind::Bootstrap, text.value.clone());
            }
            Body::Platform | Body::Commands { .. } | Body::Packages { .. } => {
                for line in [platform::BOOTSTRAP_PACKAGES, platform::BOOTSTRAP_PROOF] {
                    self.push(&stage.id, InstructionKind::Bootstrap, line.to_owned());
                }
            }
        }
    }

    fn step(&mut self, stage: &Stage) {
        let Body::Instruction { text } = &stage.body else { return };
        let bytes = text.value.strip_suffix('\n').unwrap_or(&text.value).to_owned();
        let instruction = self.push(&stage.id, InstructionKind::Step, bytes);
        instruction.place = text.place_at(0);
        instruction.timeout_s = stage.timeout_s.as_ref().map(|limit| limit.value);
        // A step may switch the account. Whatever it did, what follows is the platform's.
        self.is_root = false;
    }

    fn packages(&mut self, stage: &Stage) {
        let Body::Packages { manager, specs } = &stage.body else { return };
        self.root(&stage.id, InstructionKind::Packages);
        let line = script::install(stage, specs);
        let instruction = self.push(&stage.id, InstructionKind::Packages, line);
        let package = |spec: &Text| Package { spec: spec.value.clone(), place: spec.place_at(0) };
        instruction.packages = specs.iter().map(package).collect();
        instruction.place = instruction.packages.first().and_then(|one| one.place.clone());
        instruction.name = Some(format!("packages of {manager}"));
        instruction.timeout_s = stage.timeout_s.as_ref().map(|limit| limit.value);
    }

    fn user(&mut self, stage: &Stage) {
        let plan = self.plan;
        let checkout = plan.checkout.as_ref();
        // A working directory outside the checkout would be made by `WORKDIR`: by root on one builder
        // and by the session's account on another.
        let in_checkout = |dir: &str| checkout.is_some_and(|checkout| inside(dir, &checkout.path));
        let of_scripts = self.environment.stages.iter().filter_map(|stage| match &stage.workdir {
            Workdir::Path { path } => Some(path.as_str()),
            Workdir::Session | Workdir::Inherit => None,
        });
        let mut folders: Vec<&str> =
            plan.session.workdir.as_deref().into_iter().chain(of_scripts).collect();
        folders.retain(|folder| !in_checkout(folder));
        folders.sort_unstable();
        folders.dedup();
        self.push(&stage.id, InstructionKind::UserCreation, "USER root".to_owned());
        self.is_root = true;
        let script = platform::user_creation(&plan.session.user, &plan.session.home, &folders);
        self.push(&stage.id, InstructionKind::UserCreation, script);
    }

    fn checkout(&mut self, stage: &Stage) {
        let plan = self.plan;
        let Some(checkout) = &plan.checkout else { return };
        self.root(&stage.id, InstructionKind::Checkout);
        let mut checkouts = self.environment.checkouts.iter();
        let authored = checkouts.find(|one| one.path.value == checkout.path);
        let place = authored.and_then(|one| place_of(&one.path.basis));
        let Session { user, home, .. } = &plan.session;
        let folder = platform::mount_folder(user, home, &checkout.path);
        let copy = render::copy(checkout, &plan.session, ContextRoot::Checkout);
        for line in [folder, copy] {
            self.push(&stage.id, InstructionKind::Checkout, line).place.clone_from(&place);
        }
    }

    fn script(&mut self, stage: &Stage) {
        let Body::Commands { commands } = &stage.body else { return };
        if self.plan.session.workdir.is_none() && stage.workdir == Workdir::Session {
            self.left_out.push(NotProven {
                what: stage.id.to_string(),
                why: "there is no working directory, so the platform skips this entry".to_owned(),
            });
            return;
        }
        self.session();
        if stage.user == Account::Root {
            self.root(&stage.id, InstructionKind::Session);
        }
        if let Workdir::Path { path } = &stage.workdir {
            self.enter(path.clone());
        }
        let line = script::run(stage, &self.exports, commands);
        let instruction = self.push(&stage.id, InstructionKind::Setup, line);
        instruction.name = stage.name.as_ref().map(|name| name.value.clone());
        let name = stage.name.as_ref().and_then(|name| place_of(&name.basis));
        instruction.place = name.or_else(|| commands.first()?.place_at(0));
        instruction.timeout_s = stage.timeout_s.as_ref().map(|limit| limit.value);
    }

    /// Makes the next instruction run as the session's account, in its folder, with its variables.
    fn session(&mut self) {
        let plan = self.plan;
        let id = own("session");
        let begun = self.done.iter().any(|one| one.kind == InstructionKind::Session);
        let user = &plan.session.user;
        if !begun || (self.is_root && user != "root") {
            self.push(&id, InstructionKind::Session, format!("USER {user}"));
            self.is_root = user == "root";
        }
        let home = &plan.session.home;
        if !begun && user == "root" && home != "/root" {
            // Every base has this account with its own home, which only a variable can change.
            self.push(&id, InstructionKind::Session, format!("ENV HOME={}", env_value(home)));
        }
        if let Some(workdir) = &plan.session.workdir {
            self.enter(workdir.clone());
        }
        if begun {
            return;
        }
        for variable in &plan.variables {
            if let Some(text) = variable.literal.as_deref().filter(|text| fits_env_value(text)) {
                let line = format!("ENV {}={}", variable.name, env_value(text));
                self.push(&id, InstructionKind::Session, line);
            }
        }
    }

    fn enter(&mut self, workdir: String) {
        if self.workdir.as_ref() != Some(&workdir) {
            let line = format!("WORKDIR {}", env_value(&workdir));
            self.push(&own("session"), InstructionKind::Session, line);
            self.workdir = Some(workdir);
        }
    }

    fn root(&mut self, stage: &StageId, kind: InstructionKind) {
        if !self.is_root {
            self.push(stage, kind, "USER root".to_owned());
            self.is_root = true;
        }
    }

    fn push(&mut self, stage: &StageId, kind: InstructionKind, text: String) -> &mut Instruction {
        self.done.push(Instruction {
            stage: stage.clone(),
            kind,
            text,
            line: 0,
            lines: 0,
            place: None,
            name: None,
            timeout_s: None,
            packages: Vec::new(),
        });
        let last = self.done.len() - 1;
        &mut self.done[last]
    }
}

/// What the image starts from.
pub(crate) fn base_image(environment: &ResolvedEnvironment) -> BaseImage {
    let probed = environment.stages.iter().any(|stage| stage.kind == StageKind::Probe);
    let (reference, preset) = match &environment.base {
        Base::Preset { name, reference } => (reference, Some(name.value.clone())),
        Base::Image { reference } => (reference, None),
        Base::Vendor { stand_in, .. } => (stand_in, None),
    };
    BaseImage {
        reference: reference.value.to_string(),
        preset,
        probed,
        basis: Some(reference.basis.clone()),
    }
}

/// The checkout that the build context fills: the one of the repository at hand, else the first.
pub(crate) fn checkout(
    environment: &ResolvedEnvironment,
    repository: Option<&str>,
) -> Option<CheckoutPath> {
    let at_hand = |checkout: &&environment::Checkout| {
        repository.is_some_and(|name| checkout.repository.value.eq_ignore_ascii_case(name))
    };
    let checkouts = &environment.checkouts;
    checkouts.iter().find(at_hand).or_else(|| checkouts.first()).map(|checkout| CheckoutPath {
        repository: checkout.repository.value.clone(),
        path: checkout.path.value.clone(),
    })
}

/// Whether `path` is `folder` or lies below it.
pub(crate) fn inside(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The id of a part that is no stage of the environment.
fn own(name: &'static str) -> StageId {
    name.parse().expect("a literal name is one word")
}

/// Where a value is written, when the author wrote it.
pub(crate) fn place_of(basis: &Basis) -> Option<Place> {
    match basis {
        Basis::Authored { place, .. } => Some(place.clone()),
        Basis::DocumentedDefault { .. } | Basis::Assumed { .. } | Basis::Unknown => None,
    }
}
