//! A resolved environment as the ordered instructions of one stage.

use environment::{
    Account, Base, Basis, Body, Place, ResolvedEnvironment, Stage, StageId, StageKind,
};

use crate::quote::{env_value, fits_env_value};
use crate::session::exported;
use crate::{
    BaseImage, CheckoutPath, ContextRoot, Instruction, InstructionKind, NotProven, Plan, Session,
    platform, render, script,
};

/// The plan's instructions so far, and what could not become one.
pub(crate) struct Assembled {
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) left_out: Vec<NotProven>,
}

/// Puts the instructions in the published order.
pub(crate) fn assemble(environment: &ResolvedEnvironment, plan: &Plan) -> Assembled {
    let mut builder = Builder { environment, plan, done: Vec::new(), left_out: Vec::new() };
    builder.base();
    builder.image();
    builder.user_and_checkout();
    builder.session();
    builder.scripts();
    render::number(&mut builder.done);
    Assembled { instructions: builder.done, left_out: builder.left_out }
}

struct Builder<'a> {
    environment: &'a ResolvedEnvironment,
    plan: &'a Plan,
    done: Vec<Instruction>,
    left_out: Vec<NotProven>,
}

impl Builder<'_> {
    fn base(&mut self) {
        let [arg, from] = render::base(&self.plan.base.reference);
        let id = own("base");
        self.push(&id, InstructionKind::Base, arg);
        self.push(&id, InstructionKind::Base, from);
        self.push(&id, InstructionKind::Base, "USER root".to_owned());
    }

    fn image(&mut self) {
        for stage in self.of_kind(StageKind::Probe) {
            let probe = contract::PROBE.trim_end_matches('\n');
            self.push(&stage.id, InstructionKind::Probe, probe.to_owned());
        }
        for stage in self.of_kind(StageKind::Bootstrap) {
            for line in [platform::BOOTSTRAP_PACKAGES, platform::BOOTSTRAP_PROOF] {
                self.push(&stage.id, InstructionKind::Bootstrap, line.to_owned());
            }
        }
        for stage in self.of_kind(StageKind::ImageInstruction) {
            if let Body::Instruction { text } = &stage.body {
                let bytes = text.value.strip_suffix('\n').unwrap_or(&text.value).to_owned();
                let instruction = self.push(&stage.id, InstructionKind::Step, bytes);
                instruction.place = text.place_at(0);
                instruction.timeout_s = stage.timeout_s.as_ref().map(|limit| limit.value);
            }
        }
        for stage in self.of_kind(StageKind::PackageInstall) {
            self.leave_out(stage, "packages of this dialect are not installed by the plan yet");
        }
    }

    fn user_and_checkout(&mut self) {
        let plan = self.plan;
        let Session { user, home, workdir } = &plan.session;
        let checkout = plan.checkout.as_ref();
        let id = self.id_of(StageKind::UserCreation, "user");
        // A working directory outside the checkout would be made by `WORKDIR`: by root on one builder
        // and by the session's account on another.
        let in_checkout = |dir: &&str| checkout.is_some_and(|checkout| inside(dir, &checkout.path));
        let folder = workdir.as_deref().filter(|dir| !in_checkout(dir));
        // A step may have switched the account; whatever it did, what follows is the platform's.
        self.push(&id, InstructionKind::UserCreation, "USER root".to_owned());
        let script = platform::user_creation(user, home, folder);
        self.push(&id, InstructionKind::UserCreation, script);
        if let Some(checkout) = checkout {
            let id = self.id_of(StageKind::Checkout, "checkout");
            let place = self.place_of_checkout(checkout);
            let folder = platform::mount_folder(user, home, &checkout.path);
            let copy = render::copy(checkout, &self.plan.session, ContextRoot::Checkout);
            for line in [folder, copy] {
                self.push(&id, InstructionKind::Checkout, line).place.clone_from(&place);
            }
        }
    }

    fn place_of_checkout(&self, at_hand: &CheckoutPath) -> Option<Place> {
        let mut checkouts = self.environment.checkouts.iter();
        let checkout = checkouts.find(|checkout| checkout.path.value == at_hand.path)?;
        place_of(&checkout.path.basis)
    }

    fn session(&mut self) {
        let id = own("session");
        let Session { user, workdir, .. } = &self.plan.session;
        self.push(&id, InstructionKind::Session, format!("USER {user}"));
        if let Some(workdir) = workdir {
            self.push(&id, InstructionKind::Session, format!("WORKDIR {}", env_value(workdir)));
        }
        for variable in &self.plan.variables {
            if let Some(text) = variable.literal.as_deref().filter(|text| fits_env_value(text)) {
                let line = format!("ENV {}={}", variable.name, env_value(text));
                self.push(&id, InstructionKind::Session, line);
            }
        }
    }

    fn scripts(&mut self) {
        let exports = exported(&self.plan.variables);
        let user = self.plan.session.user.clone();
        let mut account = Account::Session;
        for stage in self.of_kind(StageKind::Script) {
            let Body::Commands { commands } = &stage.body else { continue };
            if self.plan.session.workdir.is_none() && stage.workdir == environment::Workdir::Session
            {
                self.leave_out(
                    stage,
                    "there is no working directory, so the platform skips this entry",
                );
                continue;
            }
            if stage.user == Account::Root && account != Account::Root {
                self.push(&stage.id, InstructionKind::Session, "USER root".to_owned());
            } else if stage.user != Account::Root && account == Account::Root {
                self.push(&stage.id, InstructionKind::Session, format!("USER {user}"));
            }
            account = stage.user;
            let line = script::run(stage, &exports, commands);
            let instruction = self.push(&stage.id, InstructionKind::Setup, line);
            instruction.name = stage.name.as_ref().map(|name| name.value.clone());
            instruction.place = stage
                .name
                .as_ref()
                .and_then(|name| place_of(&name.basis))
                .or_else(|| commands.first()?.place_at(0));
            instruction.timeout_s = stage.timeout_s.as_ref().map(|limit| limit.value);
        }
        if account == Account::Root {
            let id = own("session");
            self.push(&id, InstructionKind::Session, format!("USER {user}"));
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
        });
        let last = self.done.len() - 1;
        &mut self.done[last]
    }

    fn leave_out(&mut self, stage: &Stage, why: &str) {
        self.left_out.push(NotProven { what: stage.id.to_string(), why: why.to_owned() });
    }

    fn id_of(&self, kind: StageKind, otherwise: &'static str) -> StageId {
        let found = self.environment.stages.iter().find(|stage| stage.kind == kind);
        found.map_or_else(|| own(otherwise), |stage| stage.id.clone())
    }
}

impl<'a> Builder<'a> {
    fn of_kind(&self, kind: StageKind) -> impl Iterator<Item = &'a Stage> + use<'a> {
        self.environment.stages.iter().filter(move |stage| stage.kind == kind)
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
