//! What the circumstances change: the same words can be another's fault in another step.

use crate::{Code, Failure, Owner, Phase, Retry};

/// Corrects owner, retry and phase by the phase, the instruction and the deciding line.
pub(crate) fn adjust(failure: &mut Failure) {
    let instruction = failure.instruction.as_deref().unwrap_or("");
    let line = failure.evidence.first().map_or("", |line| line.text.as_str());
    match failure.code {
        Code::InvalidReference => failure.phase = Phase::ImageRef,
        // The bootstrap is ours; an author who calls apt-get chose a base without it.
        Code::AptMissing | Code::AptMissingAlpine if failure.phase == Phase::Bootstrap => {
            failure.owner = Owner::BaseImage;
        }
        Code::AptMissing => failure.owner = Owner::Author,
        Code::AptUnmetDeps => failure.owner = owner_of_unmet(failure.phase, instruction, line),
        Code::AptGpg if adds_repository(instruction) => failure.owner = Owner::Author,
        // The distribution's own suites cannot all have lost their key: the engine is too old to
        // run the check, or the disk is full.
        Code::AptGpg
            if addresses(failure).all(is_distribution) && addresses(failure).next().is_some() =>
        {
            failure.owner = Owner::Infrastructure;
        }
        // The bootstrap has installed the tools before the platform makes its account: a step in
        // between took them away.
        Code::UserToolingMissing if failure.phase == Phase::UserCreation => {
            failure.owner = Owner::Author;
            failure.hint = Some(
                "The bootstrap had installed `passwd`: find the authored step that removes it, or \
                 that changes PATH, and leave the tools in place."
                    .to_owned(),
            );
        }
        // Resolvers that share one algorithm share its words.
        Code::PipResolution if instruction.contains("pub get") => of_code(failure, Code::Dart),
        Code::PipResolution if instruction.contains("swift ") => of_code(failure, Code::Swift),
        Code::AptEolRelease if adds_repository(instruction) => failure.owner = Owner::Author,
        Code::Unclassified => {
            if let Some(code) = of_silent_curl(instruction, failure.exit_code) {
                of_code(failure, code);
                failure.owner = code.owner();
                failure.retry = code.retry();
            }
        }
        // A list that was fetched a moment ago is not stale: the mirror is between two states.
        Code::AptStaleIndex if updates(instruction) => {
            failure.owner = Owner::Infrastructure;
            failure.retry = Retry::Later;
        }
        _ => {}
    }
    if failure.retry == Retry::Later && failure.retry_after_s.is_none() {
        failure.retry_after_s = wait(failure.evidence.iter().map(|line| line.text.as_str()));
    }
}

/// The same failure under another code of the same owner.
fn of_code(failure: &mut Failure, code: Code) {
    failure.code = code;
    code.summary().clone_into(&mut failure.summary);
    failure.hint = Some(code.hint().to_owned());
}

/// What curl's exit code says where `--silent` keeps its words back.
fn of_silent_curl(instruction: &str, exit: Option<i64>) -> Option<Code> {
    // Bundler's own codes are among them.
    if !instruction.contains("curl ") || instruction.contains("bundle") {
        return None;
    }
    Some(match exit? {
        6 => Code::BuildDns,
        7 | 28 | 35 | 52 | 55 | 56 | 92 => Code::BuildNetwork,
        60 | 77 => Code::ProxyTlsInBuild,
        22 => Code::DownloadNotFound,
        _ => return None,
    })
}

fn owner_of_unmet(phase: Phase, instruction: &str, line: &str) -> Owner {
    let pins = instruction.split_whitespace().any(|word| {
        !word.starts_with('-')
            && word.split_once('=').is_some_and(|(name, _)| name != "DEBIAN_FRONTEND")
    });
    if phase == Phase::Bootstrap {
        Owner::BaseImage
    } else if pins || adds_repository(instruction) || line.contains("not installable") {
        Owner::Author
    } else {
        // Nothing was pinned: the base and the archive have drifted apart.
        Owner::BaseImage
    }
}

fn adds_repository(instruction: &str) -> bool {
    ["sources.list", "add-apt-repository", "apt-key", "/keyrings/"]
        .iter()
        .any(|word| instruction.contains(word))
}

fn updates(instruction: &str) -> bool {
    ["apt-get update", "apt update", "apt-get -y update", "apt-get -qq update"]
        .iter()
        .any(|word| instruction.contains(word))
}

/// The lines of evidence that name a repository.
fn addresses(failure: &Failure) -> impl Iterator<Item = &str> {
    failure.evidence.iter().map(|line| line.text.as_str()).filter(|text| text.contains("://"))
}

/// Whether a repository's address is one of Debian's or Ubuntu's own suites, on any mirror: their
/// path begins with the distribution's name, where vendors have theirs below a folder of their own.
/// A vendor that has not names its suite for the state, not for a release, as no image does.
fn is_distribution(line: &str) -> bool {
    let address = line.split_once("://").map_or("", |(_, rest)| rest);
    let mut words = address.split_whitespace();
    let path = words.next().and_then(|word| word.split_once('/'));
    let suite = words.next().unwrap_or("");
    if ["stable", "any", "./", "/"].contains(&suite) {
        return false;
    }
    let first = path.and_then(|(_, path)| path.split(['/', '\'']).next());
    matches!(
        first,
        Some(
            "debian" | "debian-security" | "debian-ports" | "ubuntu" | "ubuntu-ports" | "raspbian"
        )
    )
}

/// The wait that a line names, in seconds.
fn wait<'a>(lines: impl Iterator<Item = &'a str>) -> Option<u64> {
    lines.into_iter().find_map(|line| {
        let lower = line.to_ascii_lowercase();
        ["retry-after: ", "retry after ", "try again in ", "retry in ", "back off "]
            .iter()
            .find_map(|before| {
                let rest = &lower[lower.find(before)? + before.len()..];
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let number: u64 = rest[..digits].parse().ok()?;
                let unit = rest[digits..]
                    .trim_start_matches(|c: char| c == '.' || c.is_ascii_digit())
                    .trim_start();
                Some(if unit.starts_with("ms") || unit.starts_with("millisecond") {
                    1
                } else if unit.starts_with('m') {
                    number.saturating_mul(60)
                } else if unit.starts_with('h') {
                    number.saturating_mul(3600)
                } else {
                    number
                })
            })
    })
}
