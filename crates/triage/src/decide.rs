//! From what was heard to what failed: the first cause wins over its consequences.

use crate::Code;
use crate::heard::Hit;
use crate::rule::{Speaker, Weight};

/// The deciding line among `hits`, in the order of the lines; `exit` is the step's exit code.
pub(crate) fn decide(hits: &[Hit], speaker: Speaker, exit: Option<i64>) -> Option<&Hit> {
    let believed = || hits.iter().filter(|hit| hit.from(speaker));
    let winner = heaviest(believed().filter(|hit| hit.rule().weight != Weight::Hint));
    let hints = || believed().filter(|hit| hit.rule().weight == Weight::Hint);
    let Some(winner) = winner else {
        return hints().next();
    };
    if let Some(hint) = hints().find(|hint| explains(hint.rule().code, winner.rule().code)) {
        return Some(hint);
    }
    // A signal says more than a tool that merely noticed that its child failed.
    let by_signal = exit.and_then(code_of_exit).is_some_and(|code| code != Code::CommandNotFound);
    if by_signal && winner.rule().weight <= Weight::Trail { None } else { Some(winner) }
}

/// The first of the heaviest.
fn heaviest<'a>(hits: impl Iterator<Item = &'a Hit>) -> Option<&'a Hit> {
    hits.fold(None, |best: Option<&Hit>, hit| match best {
        Some(best) if best.rule().weight >= hit.rule().weight => Some(best),
        _ => Some(hit),
    })
}

/// What an exit code says on its own.
pub(crate) const fn code_of_exit(exit: i64) -> Option<Code> {
    match exit {
        // timeout(1) says so.
        124 => Some(Code::TimedOut),
        126 => Some(Code::Exit126),
        127 => Some(Code::CommandNotFound),
        132 => Some(Code::CpuFeature),
        137 => Some(Code::Oom),
        139 => Some(Code::Exit139),
        _ => None,
    }
}

/// Whether a warning that a tool survived is the reason for what decided later.
const fn explains(hint: Code, winner: Code) -> bool {
    match hint {
        Code::BuildDns | Code::AptNetwork | Code::PackageNetwork | Code::ProxyTlsInBuild => {
            matches!(
                winner,
                Code::AptUnableToLocate
                    | Code::AptEolRelease
                    | Code::AptStaleIndex
                    | Code::AptUnmetDeps
                    | Code::AptNetwork
                    | Code::PackageNotFound
                    | Code::PackageConflict
                    | Code::PackageNetwork
                    | Code::CommandNotFound
                    | Code::UserToolingMissing
                    | Code::Locale
            )
        }
        Code::PipNetwork => matches!(
            winner,
            Code::PipNoMatch | Code::PipBuildFailed | Code::PipResolution | Code::ModuleMissing
        ),
        Code::NpmNetwork => matches!(
            winner,
            Code::NpmNotFound | Code::NpmLifecycle | Code::BuildNetwork | Code::BuildDns
        ),
        _ => false,
    }
}
