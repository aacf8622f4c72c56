//! `drydock explain CODE`.

use crate::exit::Status;
use crate::fault::Fault;
use crate::report;

/// Tells what a code means.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  drydock explain contract-glibc-loader
  drydock explain --list")]
pub(crate) struct Args {
    /// The code, as a report names it
    #[arg(required_unless_present = "list")]
    code: Option<String>,
    /// List all codes
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status, Fault> {
    let pages: Vec<Page> = pages().collect();
    let text = match &args.code {
        Some(code) => {
            let page = pages.iter().find(|page| page.name == code).ok_or_else(|| {
                Fault::usage(format!("no such code: {code}")).hint(suggestion(&pages, code))
            })?;
            format!("{}\n  {}\n\n{}\n", page.name, page.about, page.text.trim_end())
        }
        None => pages.iter().map(|page| format!("{:<32} {}\n", page.name, page.about)).collect(),
    };
    report::data(text.as_bytes())?;
    Ok(Status::Passed)
}

/// The codes that may have been meant: those that hold the word, or the nearest.
fn suggestion(pages: &[Page], word: &str) -> String {
    const SHOWN: usize = 4;
    const FARTHEST: usize = 4;
    let word = word.to_ascii_lowercase();
    let mut near: Vec<_> = pages.iter().map(|page| page.name).collect();
    if near.iter().any(|name| name.contains(&word)) {
        near.retain(|name| name.contains(&word));
    } else {
        near.retain(|name| strsim::levenshtein(name, &word) <= FARTHEST);
        near.sort_by_key(|name| strsim::levenshtein(name, &word));
    }
    near.truncate(SHOWN);
    match near.as_slice() {
        [] => "`drydock explain --list` shows all codes".to_owned(),
        near => format!("did you mean `{}`? `drydock explain --list` shows all", near.join("`, `")),
    }
}

/// A code's page, whichever table it stands in.
struct Page {
    name: &'static str,
    about: String,
    text: &'static str,
}

fn pages() -> impl Iterator<Item = Page> {
    let failures = triage::Code::ALL.iter().map(|code| Page {
        name: code.name(),
        about: format!(
            "failure; owner: {}; retry: {}",
            report::name_of(&code.owner()),
            report::name_of(&code.retry())
        ),
        text: code.page(),
    });
    let findings = environment::Code::ALL.iter().map(|code| Page {
        name: code.name(),
        about: format!("finding; severity: {}", report::name_of(&code.severity())),
        text: code.page(),
    });
    let notes = contract::NoteCode::ALL.iter().map(|code| Page {
        name: code.name(),
        about: format!("about an image; weight: {}", report::name_of(&code.severity())),
        text: code.hint(),
    });
    failures.chain(findings).chain(notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_code_is_answered_with_near_ones() {
        let pages: Vec<Page> = pages().collect();
        for (word, near) in [
            ("glibc", "`contract-glibc-loader`"),
            ("contract-glibc-loder", "`contract-glibc-loader`"),
            ("Image-No-Apt-Get", "`image-no-apt-get`"),
        ] {
            let said = suggestion(&pages, word);
            assert!(said.starts_with("did you mean") && said.contains(near), "{word}: {said}");
        }
        assert!(!suggestion(&pages, "xyzzy-xyzzy").contains("did you mean"));
    }

    #[test]
    fn every_code_stands_once_and_has_a_page() {
        let mut names: Vec<_> = pages()
            .map(|page| {
                assert!(!page.text.trim().is_empty(), "{} has no page", page.name);
                page.name
            })
            .collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "a code stands in two tables");
    }
}
