//! Rows of the matrix file to cases: environments × bases × builders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use environment::ImageRef;
use runner::{BuilderChoice, SmokeCommand, Timeouts};
use toml::Spanned;

use super::case::builder_name;
use super::subject::{Read, Subject};
use super::{Case, Reading};
use crate::config::File;
use crate::config::matrix::{Limits, Row};
use crate::fault::Fault;
use crate::report::findings;

/// More cases than any team waits for; a slip that multiplies out is refused before it costs anything.
const MOST: usize = 10_000;

/// What the flags say about every case.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Which definitions are read.
    pub(crate) reading: Reading,
    /// Bases by name; they stand above the file's.
    pub(crate) bases: BTreeMap<String, String>,
    /// The builder of rows that name none.
    pub(crate) builder: BuilderChoice,
}

/// All cases, in the order of the file.
pub(crate) async fn expand(
    file: &File,
    home: &Path,
    options: &Options,
) -> Result<Vec<Case>, Fault> {
    let rows = &file.config.matrix.case;
    if rows.is_empty() {
        return Err(Fault::usage("there is no case to try".to_owned())
            .hint("write `[[matrix.case]]` into `drydock.toml`; see `drydock matrix --help`"));
    }
    let subjects = subjects(file, home, options).await?;
    let mut cases = Vec::new();
    for row in rows {
        let folder = folder_of(row.get_ref());
        let subject = &subjects[folder];
        Expansion { file, options, row, subject }.into(&mut cases)?;
        if cases.len() > MOST {
            return Err(file.fault(&row.span(), &format!("more than {MOST} cases")));
        }
    }
    let mut names = BTreeSet::new();
    match cases.iter().find(|case| !names.insert(case.name.as_str())) {
        None => Ok(cases),
        Some(twice) => Err(Fault::usage(format!("two cases are called {:?}", twice.name))
            .hint("give rows with the same environment, base and builder a `name` each")),
    }
}

/// Every repository that a row names, opened once for all of its rows.
async fn subjects(
    file: &File,
    home: &Path,
    options: &Options,
) -> Result<BTreeMap<String, Rc<Subject>>, Fault> {
    let mut targets: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
    for row in &file.config.matrix.case {
        let of_folder = targets.entry(folder_of(row.get_ref()).to_owned()).or_default();
        for target in targets_of(row.get_ref()) {
            if !of_folder.contains(&target) {
                of_folder.push(target);
            }
        }
    }
    let mut subjects = BTreeMap::new();
    for (folder, targets) in targets {
        let subject = Subject::open(home, &folder, &targets, &options.reading).await?;
        subjects.insert(folder, Rc::new(subject));
    }
    Ok(subjects)
}

fn folder_of(row: &Row) -> &str {
    let folder = row.repository.as_ref().map_or("", |folder| folder.get_ref().as_str());
    folder.trim_end_matches('/').trim_start_matches("./")
}

fn targets_of(row: &Row) -> Vec<Option<String>> {
    match &row.environment {
        None => vec![None],
        Some(words) => words.0.iter().map(|word| Some(word.get_ref().clone())).collect(),
    }
}

/// The name that a base is called by, and its reference; neither where the definition's own is taken.
type NamedBase = (Option<String>, Option<String>);

/// One row on its way to cases.
struct Expansion<'a> {
    file: &'a File,
    options: &'a Options,
    row: &'a Spanned<Row>,
    subject: &'a Rc<Subject>,
}

impl Expansion<'_> {
    fn into(self, cases: &mut Vec<Case>) -> Result<(), Fault> {
        let row = self.row.get_ref();
        let (bases, builders) = (self.bases()?, self.builders()?);
        let readings: Vec<usize> = targets_of(row)
            .iter()
            .filter_map(|target| self.subject.readings.iter().position(|r| r.target == *target))
            .collect();
        let mut made = Vec::new();
        for reading in readings {
            let read = &self.subject.readings[reading];
            for plan in plans(read) {
                for (base_name, base) in &bases {
                    for builder in &builders {
                        made.push((reading, plan, base_name, base.clone(), *builder));
                    }
                }
            }
        }
        let alone = made.len() == 1;
        for (reading, plan, base_name, base, builder) in made {
            let name = self.name(reading, plan, base_name.as_deref(), builder, alone);
            cases.push(Case {
                name,
                subject: Rc::clone(self.subject),
                reading,
                plan,
                base,
                builder,
                expect: row.expect.clone(),
                smoke: self.smoke(),
                timeouts: timeouts(&row.limits),
                time_limit: row.time_limit.map(|time| time.0),
            });
        }
        Ok(())
    }

    /// Each base with the name that it is called by.
    fn bases(&self) -> Result<Vec<NamedBase>, Fault> {
        let Some(words) = &self.row.get_ref().base else { return Ok(vec![(None, None)]) };
        let of_word = |word: &Spanned<String>| {
            let name = word.get_ref();
            let named = self
                .options
                .bases
                .get(name)
                .or_else(|| self.file.config.matrix.bases.get(name).map(Spanned::get_ref));
            let reference = named.unwrap_or(name).trim();
            let checked = reference.parse::<ImageRef>().map_err(|error| {
                self.file
                    .fault(&word.span(), &format!("base `{reference}`: {error}"))
                    .hint("write a name of `[matrix.bases]`, or an image reference")
            })?;
            Ok((Some(name.clone()), Some(checked.to_string())))
        };
        words.0.iter().map(of_word).collect()
    }

    fn builders(&self) -> Result<Vec<BuilderChoice>, Fault> {
        let Some(words) = &self.row.get_ref().builder else {
            return Ok(vec![self.options.builder]);
        };
        let of_word = |word: &Spanned<String>| match word.get_ref().as_str() {
            "auto" => Ok(BuilderChoice::Auto),
            "classic" => Ok(BuilderChoice::Classic),
            "buildkit" => Ok(BuilderChoice::Buildkit),
            other => Err(self
                .file
                .fault(&word.span(), &format!("no builder `{other}`"))
                .hint("write `auto`, `classic` or `buildkit`")),
        };
        words.0.iter().map(of_word).collect()
    }

    fn smoke(&self) -> Vec<SmokeCommand> {
        let all = self.subject.smoke.iter().chain(&self.row.get_ref().smoke);
        all.map(|command| SmokeCommand { name: command.clone(), command: command.clone() })
            .collect()
    }

    /// The row's own name where it makes one case; else the parts that tell its cases apart.
    fn name(
        &self,
        reading: usize,
        plan: Option<usize>,
        base: Option<&str>,
        builder: BuilderChoice,
        alone: bool,
    ) -> String {
        let row = self.row.get_ref();
        let read = &self.subject.readings[reading];
        let environment = plan.and_then(|plan| read.definitions.plans.get(plan)).map_or_else(
            || read.target.clone().unwrap_or_else(|| "definitions".to_owned()),
            |shared| shared.plan.environment.clone(),
        );
        let many = |words: &Option<crate::config::matrix::Words>| {
            words.as_ref().is_some_and(|words| words.0.len() > 1)
        };
        let mut name = match (&row.name, self.subject.folder.as_str()) {
            (Some(name), _) if alone => return name.clone(),
            (Some(name), _) if read.definitions.plans.len() <= 1 && !many(&row.environment) => {
                name.clone()
            }
            (Some(name), _) => format!("{name}: {environment}"),
            (None, "") => environment,
            (None, folder) => format!("{folder}: {environment}"),
        };
        if let Some(base) = base.filter(|_| row.name.is_none() || many(&row.base)) {
            name.push_str(&format!(" on {base}"));
        }
        if many(&row.builder) || (row.name.is_none() && row.builder.is_some()) {
            name.push_str(&format!(" ({})", builder_name(builder)));
        }
        name
    }
}

/// The plans of a reading; none of them when a definition has an error, which is a case of its own.
fn plans(read: &Read) -> Vec<Option<usize>> {
    let definitions = &read.definitions;
    if findings::has_error(&definitions.findings) || definitions.plans.is_empty() {
        return vec![None];
    }
    (0..definitions.plans.len()).map(Some).collect()
}

fn timeouts(limits: &Limits) -> Timeouts {
    let usual = Timeouts::default();
    let Limits { setup, step, smoke, silence } = limits;
    Timeouts {
        setup: setup.map_or(usual.setup, |time| time.0),
        step: step.map_or(usual.step, |time| time.0),
        smoke: smoke.map_or(usual.smoke, |time| time.0),
        silence: silence.map_or(usual.silence, |time| time.0),
    }
}
