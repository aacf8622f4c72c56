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
                Fault::usage(format!("no such code: {code}"))
                    .hint("`drydock explain --list` shows all codes")
            })?;
            format!("{}\n  {}\n\n{}\n", page.name, page.about, page.text.trim_end())
        }
        None => pages.iter().map(|page| format!("{:<32} {}\n", page.name, page.about)).collect(),
    };
    report::data(text.as_bytes())?;
    Ok(Status::Passed)
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
    failures.chain(findings)
}
