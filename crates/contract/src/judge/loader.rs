//! Links a program as its loader would: every library found, every symbol version there.

use std::collections::BTreeMap;

use crate::files::{Files, Words};
use crate::{Content, Elf, ImageConfig, Machine, Node, Program};

/// The C library that a process runs on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Libc<'a> {
    /// glibc, and what it answers to `GNU_LIBC_VERSION`.
    Glibc(&'a str),
    /// musl.
    Musl,
    /// musl under a program that was made for glibc, which may miss any symbol in it.
    MuslForGlibc,
    /// None that could be seen: a static program.
    None,
}

/// What comes of linking.
pub(super) enum Linked<'a> {
    /// All is there.
    Fine(Libc<'a>),
    /// The loader ends the program.
    Broken(String),
    /// The files do not say.
    Unknown(String),
}

/// A program or library and where it stands.
type Object<'a> = (String, &'a Elf);

/// More libraries than any program of the probe has.
const MAX_OBJECTS: usize = 64;
/// musl's search path where `/etc/ld-musl-x86_64.path` says nothing.
const MUSL_PATH: &str = "/lib:/usr/local/lib:/usr/lib";
/// musl brings these itself, whatever stands behind the name.
const MUSL_OWN: [&str; 7] = ["c", "pthread", "rt", "m", "dl", "util", "xnet"];

/// Links `program` with `loader`; both are named by their paths without links.
pub(super) fn link<'a>(
    files: &Files<'a>,
    config: &ImageConfig,
    program: (&str, &'a Elf),
    loader: (&str, &'a Elf),
) -> Linked<'a> {
    if config.variable("LD_PRELOAD").is_some_and(|list| !list.trim().is_empty()) {
        return Linked::Unknown("the image sets LD_PRELOAD".to_owned());
    }
    let musl = matches!(loader.1.program, Program::Musl);
    let folders = match &loader.1.program {
        Program::Musl => match files.words("/etc/ld-musl-x86_64.path") {
            Words::Text(text) => text.split([':', '\n']).map(str::to_owned).collect(),
            Words::Missing(_) | Words::NotAFile => split(MUSL_PATH),
            Words::Unknown(why) => return Linked::Unknown(why),
        },
        Program::GlibcLoader { folders, .. } => {
            match files.words("/etc/ld.so.preload") {
                Words::Text(text) if !text.trim().is_empty() => {
                    return Linked::Unknown("/etc/ld.so.preload names libraries".to_owned());
                }
                Words::Unknown(why) => return Linked::Unknown(why),
                Words::Text(_) | Words::Missing(_) | Words::NotAFile => {}
            }
            folders.clone()
        }
        _ => return Linked::Unknown(format!("its loader {} is not one that we know", loader.0)),
    };
    let cache = if musl { None } else { library_cache(files) };
    let search = Search { files, config, folders, cache, musl };
    search.link(&(program.0.to_owned(), program.1), &(loader.0.to_owned(), loader.1))
}

struct Search<'f, 'a> {
    files: &'f Files<'a>,
    config: &'f ImageConfig,
    folders: Vec<String>,
    cache: Option<&'a BTreeMap<String, Vec<String>>>,
    musl: bool,
}

impl<'a> Search<'_, 'a> {
    fn link(&self, program: &Object<'a>, loader: &Object<'a>) -> Linked<'a> {
        let mut loaded: BTreeMap<String, Object<'a>> = BTreeMap::new();
        for name in ["ld-linux-x86-64.so.2", base_name(&loader.0)] {
            loaded.insert(name.to_owned(), loader.clone());
        }
        let mut objects = vec![program.clone()];
        let mut next = 0;
        while let Some(object) = objects.get(next).cloned() {
            next += 1;
            for name in &object.1.needed {
                if loaded.contains_key(name) || (self.musl && is_musls_own(name)) {
                    continue;
                }
                match self.library(name, &object, program.1) {
                    Ok(Some(found)) => {
                        loaded.insert(name.clone(), found.clone());
                        objects.push(found);
                    }
                    Ok(None) => return Linked::Broken(format!("needs {name}, which is nowhere")),
                    Err(why) => return why,
                }
                if objects.len() > MAX_OBJECTS {
                    return Linked::Unknown(format!("it needs more than {MAX_OBJECTS} libraries"));
                }
            }
        }
        if self.musl {
            let foreign = objects.iter().any(|(_, elf)| !elf.version_needs.is_empty());
            return Linked::Fine(if foreign { Libc::MuslForGlibc } else { Libc::Musl });
        }
        for (path, elf) in &objects {
            for need in &elf.version_needs {
                let defs = loaded.get(&need.library).map(|(_, library)| &library.version_defs);
                if defs.is_some_and(|defs| !defs.is_empty() && !defs.contains(&need.version)) {
                    return Linked::Broken(format!(
                        "cannot be linked: {} has no version {} (required by {path})",
                        need.library, need.version
                    ));
                }
            }
        }
        let answer = objects.iter().find_map(|(_, elf)| match &elf.program {
            Program::Glibc { answer } => Some(answer.as_str()),
            _ => None,
        });
        let Program::GlibcLoader { version: Some(version), .. } = &loader.1.program else {
            return Linked::Unknown("its loader does not say its version".to_owned());
        };
        match answer {
            Some(answer) if answer == format!("glibc {version}") => {
                Linked::Fine(Libc::Glibc(answer))
            }
            Some(answer) => Linked::Unknown(format!(
                "its loader is of glibc {version}, its library of {answer}"
            )),
            None => Linked::Fine(Libc::None),
        }
    }

    /// The library of this name for `object`; `None` when it is nowhere.
    fn library(
        &self,
        name: &str,
        object: &Object<'a>,
        program: &Elf,
    ) -> Result<Option<Object<'a>>, Linked<'a>> {
        if name.contains('/') {
            return self.candidate(name);
        }
        let mut folders = Vec::new();
        let origin = object.0.rsplit_once('/').map_or("", |(folder, _)| folder);
        let expand =
            |list: &str| split(&list.replace("${ORIGIN}", origin).replace("$ORIGIN", origin));
        let inherited = || object.1.rpath.as_ref().or(program.rpath.as_ref());
        if let (None, Some(rpath)) = (&object.1.runpath, inherited()) {
            folders.extend(expand(rpath));
        }
        if let Some(list) = self.config.variable("LD_LIBRARY_PATH") {
            folders.extend(split(&list.replace(';', ":")));
        }
        if let Some(runpath) = &object.1.runpath {
            folders.extend(expand(runpath));
        }
        let cached = self.cache.and_then(|cache| cache.get(name)).into_iter().flatten().cloned();
        let in_folder = |folder: &String| format!("{}/{name}", folder.trim_end_matches('/'));
        let candidates =
            folders.iter().map(in_folder).chain(cached).chain(self.folders.iter().map(in_folder));
        for path in candidates {
            if let Some(found) = self.candidate(&path)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The library at this path, unless it is none for this machine.
    fn candidate(&self, path: &str) -> Result<Option<Object<'a>>, Linked<'a>> {
        match self.files.find(path) {
            Ok((at, Node::File { content, .. })) => match content {
                Content::Elf(elf) if elf.machine == Machine::X86_64 => Ok(Some((at, elf))),
                Content::Elf(_) => Ok(None),
                Content::Unread { why } => Err(Linked::Unknown(format!("{path}: {why}"))),
                _ => Err(Linked::Broken(format!("cannot be linked: {path} is no library"))),
            },
            Ok(_) => Ok(None),
            Err(trouble) if trouble.is_unknown() => Err(Linked::Unknown(trouble.reason())),
            Err(_) => Ok(None),
        }
    }
}

fn library_cache<'a>(files: &Files<'a>) -> Option<&'a BTreeMap<String, Vec<String>>> {
    match files.find("/etc/ld.so.cache") {
        Ok((_, Node::File { content: Content::LibraryCache { libraries }, .. })) => Some(libraries),
        _ => None,
    }
}

fn is_musls_own(name: &str) -> bool {
    name.strip_prefix("lib")
        .and_then(|rest| rest.split_once('.'))
        .is_some_and(|(stem, _)| MUSL_OWN.contains(&stem))
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn split(list: &str) -> Vec<String> {
    list.split(':').filter(|folder| !folder.is_empty()).map(str::to_owned).collect()
}
