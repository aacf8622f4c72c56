//! `--report KIND=FILE`: which reports are wanted, and how they reach their files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;

use super::{github, html, junit, markdown, sarif, summary};
use crate::fault::Fault;
use crate::recording::{Recorded, Recorder, Start};

/// Flags that several commands share: which reports, and whether to record.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Reports {
    /// Write a report: html, junit, sarif, github, markdown or json; may be given again
    #[arg(long = "report", value_name = "KIND=FILE", help_heading = "Reports")]
    wanted: Vec<Wanted>,
    /// Write everything that happens to a file, for `drydock replay`
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    record: Option<PathBuf>,
}

impl Reports {
    /// Begins the recording that the reports are made from. A report that could not be placed is
    /// refused now, not after an hour of building.
    pub(crate) fn recorder(&self, start: Start) -> Result<Recorder, Fault> {
        placeable(&self.wanted)?;
        Recorder::begin(self.record.as_deref(), start)
    }

    /// Writes every wanted report.
    pub(crate) fn write(&self, recorded: &Recorded) -> Result<(), Fault> {
        write(&self.wanted, recorded)
    }
}

/// A report that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// Its kind.
    kind: Kind,
    /// Its file; `-` is standard output.
    file: PathBuf,
}

/// The kinds of report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// One self-contained page.
    Html,
    /// JUnit XML.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands that GitHub turns into annotations.
    Github,
    /// Markdown; also GitHub's job summary.
    Markdown,
    /// Every case with its outcome.
    Json,
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kinds = || {
            let names = Kind::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            names.map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(", ")
        };
        let (kind, file) =
            text.split_once('=').ok_or_else(|| format!("write KIND=FILE; kinds: {}", kinds()))?;
        let kind = Kind::from_str(kind, false)
            .map_err(|_| format!("no report kind `{kind}`; kinds: {}", kinds()))?;
        if file.is_empty() {
            return Err("no file after `=`; `-` is standard output".to_owned());
        }
        Ok(Self { kind, file: PathBuf::from(file) })
    }
}

impl Kind {
    /// The report, whole.
    fn render(self, recorded: &Recorded) -> Result<String, Fault> {
        Ok(match self {
            Self::Html => html::page(recorded),
            Self::Junit => junit::document(recorded),
            Self::Github => github::commands(recorded),
            Self::Markdown => markdown::document(recorded),
            Self::Sarif => pretty(&sarif::log(recorded))?,
            Self::Json => pretty(&summary::Summary::of(recorded))?,
        })
    }
}

/// Refuses reports that cannot be placed: two in one place, or one where no folder is.
pub(crate) fn placeable(wanted: &[Wanted]) -> Result<(), Fault> {
    for (before, Wanted { file, .. }) in wanted.iter().enumerate() {
        if wanted[..before].iter().any(|other| other.file == *file) {
            let place = if file == Path::new("-") {
                "standard output".to_owned()
            } else {
                file.display().to_string()
            };
            return Err(Fault::usage(format!("two reports go to {place}"))
                .hint("give each `--report` a file of its own"));
        }
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(refused(file, &format!("there is no folder {}", folder.display())));
        }
    }
    Ok(())
}

/// Writes every wanted report. All are tried; the first fault is told.
pub(crate) fn write(wanted: &[Wanted], recorded: &Recorded) -> Result<(), Fault> {
    let mut first = Ok(());
    for Wanted { kind, file } in wanted {
        let written = kind.render(recorded).and_then(|text| place(file, &text));
        first = first.and(written);
    }
    first
}

fn pretty(value: &impl serde::Serialize) -> Result<String, Fault> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Fault::ours(error.to_string()));
    text.map(|text| text + "\n")
}

/// Puts a text under its name whole or not at all. What is no plain file (a pipe, a terminal, the
/// job summary that a runner made) is written into, since it cannot be replaced.
fn place(file: &Path, text: &str) -> Result<(), Fault> {
    if file == Path::new("-") {
        return super::written(std::io::stdout().lock().write_all(text.as_bytes()));
    }
    let refused = |error: std::io::Error| refused(file, &error.to_string());
    if file.exists() {
        return std::fs::write(file, text).map_err(refused);
    }
    let mut partial = file.as_os_str().to_owned();
    partial.push(".partial");
    std::fs::write(&partial, text).map_err(refused)?;
    std::fs::rename(&partial, file).map_err(refused)
}

fn refused(file: &Path, reason: &str) -> Fault {
    Fault::usage(format!("report {}: {reason}", file.display()))
        .hint("give `--report` a file in a folder that exists and can be written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wanted_report_names_its_kind_and_its_file() {
        let wanted: Wanted = "junit=out/a=b.xml".parse().unwrap();
        assert_eq!(wanted, Wanted { kind: Kind::Junit, file: "out/a=b.xml".into() });
        for (text, words) in [
            ("junit", "write KIND=FILE; kinds: html, junit, sarif, github, markdown, json"),
            ("pdf=x", "no report kind `pdf`"),
            ("html=", "no file after `=`"),
        ] {
            let message = text.parse::<Wanted>().unwrap_err();
            assert!(message.contains(words), "{message}");
        }
    }
}
