//! A plan as a Dockerfile.

use crate::platform::BASE_ARGUMENT;
use crate::quote::{copy_word, is_plain, json_form};
use crate::{CheckoutPath, ContextRoot, Instruction, InstructionKind, Plan, Session};

/// Writes the Dockerfile. Total: any plan has one.
pub(crate) fn render(plan: &Plan, root: ContextRoot) -> String {
    let mut dockerfile = String::new();
    let mut above = None;
    for instruction in &plan.instructions {
        if above != Some(instruction.kind) {
            dockerfile.push_str(heading(instruction.kind, above.is_none()));
        }
        above = Some(instruction.kind);
        match (&plan.checkout, instruction.kind) {
            (Some(checkout), InstructionKind::Checkout) if is_copy(instruction) => {
                dockerfile.push_str(&copy(checkout, &plan.session, root));
            }
            _ => dockerfile.push_str(&instruction.text),
        }
        dockerfile.push('\n');
    }
    dockerfile
}

/// Gives every instruction its place in the Dockerfile.
pub(crate) fn number(instructions: &mut [Instruction]) {
    let mut next: u32 = 1;
    let mut above = None;
    for instruction in instructions {
        if above != Some(instruction.kind) {
            next += lines_of(heading(instruction.kind, above.is_none()));
        }
        above = Some(instruction.kind);
        instruction.line = next;
        instruction.lines = lines_of(&instruction.text) + 1;
        next += instruction.lines;
    }
}

/// Puts the repository at hand in place. `COPY` makes the folder's contents the contents of `path`.
/// As published where the path means itself, in JSON form where it needs quotes.
pub(crate) fn copy(checkout: &CheckoutPath, session: &Session, root: ContextRoot) -> String {
    let source = match root {
        ContextRoot::Checkout => ".",
        ContextRoot::Nested => "checkout/",
    };
    let (user, path) = (&session.user, &checkout.path);
    if is_plain(path) {
        return format!("COPY --chown={user}:{user} {source} {path}");
    }
    format!("COPY --chown={user}:{user} {}", json_form(&[source, &copy_word(path)]))
}

/// Whether it is the line that [`copy`] makes; the folder is made by another of the same kind.
fn is_copy(instruction: &Instruction) -> bool {
    instruction.text.starts_with("COPY ")
}

/// `ARG` and `FROM`.
pub(crate) fn base(reference: &str) -> [String; 2] {
    [format!("ARG {BASE_ARGUMENT}={reference}"), format!("FROM ${{{BASE_ARGUMENT}}}")]
}

/// What stands above the first instruction of a kind. Constant: no authored text may reach a comment.
fn heading(kind: InstructionKind, first: bool) -> &'static str {
    match kind {
        // The first line of a Dockerfile must not be a comment: it could be taken for a directive.
        InstructionKind::Base if first => "",
        InstructionKind::Base => "\n# Back to the build account.\n",
        InstructionKind::Probe => "\n# The contract probe, unchanged.\n",
        InstructionKind::Bootstrap => "\n# Compatibility bootstrap.\n",
        InstructionKind::Step => "\n# Authored steps, unchanged and in order.\n",
        InstructionKind::Packages => "\n# Packages.\n",
        InstructionKind::UserCreation => "\n# The workspace user.\n",
        InstructionKind::Checkout => "\n# The mounted checkout.\n",
        InstructionKind::Session => "\n# The session.\n",
        InstructionKind::Setup => "\n# Authored setup: one RUN for each entry.\n",
    }
}

fn lines_of(text: &str) -> u32 {
    u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX)
}
