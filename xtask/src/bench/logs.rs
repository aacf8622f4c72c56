//! `drydock triage` beside ripgrep: one long log, and the words that both look for.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::bench::report::Report;
use crate::bench::timer::{Contestant, race};
use crate::bench::{drydock, folder};
use crate::command::{capture, command, find_program};
use crate::paths;

/// Bytes of the log, at least.
const SIZE: u64 = 500 * 1024 * 1024;
/// Bytes in a millisecond that are enough, however fast ripgrep is.
const ENOUGH: f64 = 300.0 * 1_000_000.0 / 1_000.0;
/// MiB of memory at most.
const MEMORY: f64 = 32.0;

/// Reads the log with both. Ours may take twice ripgrep's time, or what 300 MB/s take.
pub(crate) fn logs(report: &mut Report) -> Result<()> {
    let folder = folder("logs")?;
    let log = folder.join("build.log");
    if !log.exists() {
        let half = folder.join("build.log.half");
        write(&half).with_context(|| format!("cannot write {}", half.display()))?;
        fs::rename(half, &log)?;
    }
    let path = log.display().to_string();
    let mut contestants =
        vec![Contestant::new("drydock triage, 500 MB", command(&drydock(), ["triage", &path]))];
    if find_program("rg").is_some() {
        let words = folder.join("words");
        let example = ["run", "--quiet", "--release", "--package", "drydock-triage"];
        let mut print = command("cargo", example);
        print.args(["--example", "words"]).current_dir(paths::workspace());
        fs::write(&words, capture(&mut print)?)?;
        let words = words.display().to_string();
        let search = command("rg", ["--fixed-strings", "--count", "--file", &words, &path]);
        contestants.push(Contestant::new("rg -F -c -f WORDS, the same", search));
    } else {
        println!("ripgrep is not installed (`apt-get install ripgrep`): not compared");
    }
    let times = race(5, &mut contestants)?;
    let size = fs::metadata(&log)?.len() as f64;
    let half_of_peer = times.get(1).map_or(0.0, |peer| 2.0 * peer.median);
    report.absolute(&times[0], f64::max(half_of_peer, size / ENOUGH).round());
    report.memory(&times[0], MEMORY);
    for times in &times {
        println!("{:<48} {:>8.0} MB/s", times.name, size / times.median / 1_000.0);
    }
    Ok(())
}

/// A build that passes, as BuildKit's plain progress shows it: two stages that take turns, packages,
/// compilers, progress bars, colours, and words that alarm and mean nothing. The same bytes each time.
fn write(path: &Path) -> std::io::Result<()> {
    let mut log = Counted { inner: BufWriter::new(File::create(path)?), written: 0 };
    writeln!(log, "#0 building with \"default\" instance using docker driver\n")?;
    writeln!(log, "#1 [internal] load build definition from Dockerfile\n#1 DONE 0.0s\n")?;
    let mut step = 0;
    while log.written < SIZE {
        step += 1;
        // Never the same number twice: a number that comes again begins another build.
        let (one, other) = (2 * step, 2 * step + 1);
        writeln!(
            log,
            "#{one} [build {step}/9999] RUN apt-get update && apt-get install -y libfoo{step}-dev"
        )?;
        writeln!(
            log,
            "#{other} [assets {step}/9999] RUN npm ci && npm run build -- --part {step}"
        )?;
        for line in 0..4_000_u64 {
            let (number, seconds) = if line % 3 == 0 { (other, line / 7) } else { (one, line / 9) };
            write!(log, "#{number} {seconds}.{:03} ", line % 1000)?;
            chatter(&mut log, step, line)?;
        }
        writeln!(log, "#{one} DONE 444.4s\n\n#{other} DONE 571.3s\n")?;
    }
    let last = 2 * step + 2;
    writeln!(log, "#{last} exporting to image\n#{last} exporting layers 9.1s done")?;
    writeln!(log, "#{last} naming to docker.io/library/app:latest done\n#{last} DONE 9.4s")?;
    log.inner.flush()
}

/// One line of a step's output.
fn chatter(log: &mut impl std::io::Write, step: u64, line: u64) -> std::io::Result<()> {
    let id = step * 4_000 + line;
    match line % 16 {
        0 => writeln!(
            log,
            "Get:{line} http://mirror.example.org/debian bookworm/main amd64 libfoo{id} amd64 1.2.{line}-1 [{id} B]"
        ),
        1 => writeln!(log, "Unpacking libfoo{id}:amd64 (1.2.{line}-1) over (1.1.{line}-3) ..."),
        2 => writeln!(log, "Setting up libfoo{id}:amd64 (1.2.{line}-1) ..."),
        3 => writeln!(
            log,
            "\u{1b}[32m[{line:4}/4000]\u{1b}[0m Building CXX object src/CMakeFiles/app.dir/module_{id}.cc.o"
        ),
        4 => writeln!(
            log,
            "src/module_{id}.cc:{line}:17: \u{1b}[35mwarning:\u{1b}[0m unused variable 'error' [-Wunused-variable]"
        ),
        5 => writeln!(log, "  {line} |     int error = report(\"not found\", failed);"),
        6 => writeln!(
            log,
            "npm warn deprecated module-{id}@1.{line}.0: this version is no longer supported"
        ),
        7 => writeln!(
            log,
            "  Downloading module_{id}-1.{line}.0-py3-none-any.whl (1.2 MB)\r     ━━━━━━━━━━ 1.2/1.2 MB 9.9 MB/s eta 0:00:00"
        ),
        8 => writeln!(
            log,
            "Requirement already satisfied: module-{id}>=1.{line} in /usr/local/lib/python3.12/site-packages"
        ),
        9 => writeln!(
            log,
            "ok  \texample.org/app/internal/part{id}\t0.{line:03}s  coverage: 81.3% of statements"
        ),
        10 => writeln!(log, "    Compiling module-{id} v0.{line}.1"),
        11 => writeln!(log, "dist/assets/chunk-{id:08x}.js   {line}.42 kB │ gzip: {line}.07 kB"),
        12 => writeln!(log, "PASS src/part{id}.test.ts ({line} ms), 0 errors, 0 failures"),
        13 => writeln!(log, "test part{id}::handles_permission_denied_and_no_such_file ... ok"),
        14 => writeln!(log, "Selecting previously unselected package liberror-perl{id}."),
        _ => writeln!(log, "fetching https://mirror.example.org/objects/{id:016x}{line:016x}"),
    }
}

/// Counts what is written.
struct Counted<W> {
    inner: W,
    written: u64,
}

impl<W: std::io::Write> std::io::Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}
