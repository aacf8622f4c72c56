//! The Dockerfile on a real engine: what was authored is what runs, on both builders.
//!
//! `DRYDOCK_TEST_ENGINE` names the engine's socket and `DRYDOCK_TEST_BASE` a Debian base that it can
//! pull. Without them the test says that it was skipped, and fails if `DRYDOCK_LIVE=required`.
#![expect(
    clippy::unwrap_used,
    reason = "a live test that cannot start its tools should stop there"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "only here a test of this crate needs an engine and files"
)]
#![expect(clippy::print_stdout, reason = "a live test that is skipped says so")]
#![expect(clippy::disallowed_types, reason = "only here a test of this crate starts a program")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use environment::{Base, Severity, VariableLayer};
use planner::{ContextRoot, plan, render};

use crate::builder::{Builder, authored};

/// Removed with everything else that the test makes.
const LABEL: &str = "dev.drydock.test=planner";

struct Engine {
    docker: PathBuf,
    host: String,
    base: String,
}

impl Engine {
    fn find() -> Option<Self> {
        let found =
            std::env::var("DRYDOCK_TEST_ENGINE").ok().zip(std::env::var("DRYDOCK_TEST_BASE").ok());
        let Some((host, base)) = found else {
            let required = std::env::var("DRYDOCK_LIVE").is_ok_and(|live| live == "required");
            assert!(
                !required,
                "DRYDOCK_LIVE=required, but DRYDOCK_TEST_ENGINE or DRYDOCK_TEST_BASE is not set"
            );
            println!("skipped: DRYDOCK_TEST_ENGINE and DRYDOCK_TEST_BASE are not set");
            return None;
        };
        let docker =
            docker_with_buildkit().expect("a docker CLI that can build with BuildKit on PATH");
        Some(Self { docker, host, base })
    }

    fn docker(&self, buildkit: bool) -> Command {
        let mut command = Command::new(&self.docker);
        command
            .args(["--host", &self.host])
            .env("DOCKER_BUILDKIT", if buildkit { "1" } else { "0" });
        command
    }

    /// Builds; gives the log and whether it went well.
    fn build(&self, buildkit: bool, tag: &str, dockerfile: &str, context: &Path) -> (bool, String) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), dockerfile).unwrap();
        let mut command = self.docker(buildkit);
        if buildkit {
            command.env("BUILDKIT_PROGRESS", "plain");
        }
        let arguments = [
            "build",
            "--force-rm",
            "--platform",
            "linux/amd64",
            "--label",
            LABEL,
            "--tag",
            tag,
            "--file",
        ];
        let output = command.args(arguments).arg(file.path()).arg(context).output().unwrap();
        let log = log(&output);
        // The classic builder keeps the image of the last step that went well.
        let last =
            log.lines().rev().find_map(|line| line.strip_prefix(" ---> ")).map(str::to_owned);
        self.remove(last.as_deref().filter(|_| !output.status.success()).unwrap_or(tag));
        (output.status.success(), log)
    }

    fn remove(&self, image: &str) {
        let _ = self.docker(false).args(["image", "rm", "--force", image]).output();
    }
}

/// A CLI of Docker 20.10 talks to BuildKit itself, a newer one only through its buildx plug-in.
fn docker_with_buildkit() -> Option<PathBuf> {
    let path = std::env::var("PATH").ok()?;
    let said = |program: &Path, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    path.split(':').map(|folder| Path::new(folder).join("docker")).find(|docker| {
        // `docker version` would ask an engine at the default socket, which a test machine need not have.
        let version = said(docker, &["--version"]).unwrap_or_default();
        let number = version.trim_start_matches("Docker version ").split('.').next();
        let major: u32 = number.and_then(|major| major.parse().ok()).unwrap_or(0);
        major > 0 && (major < 23 || said(docker, &["buildx", "version"]).is_some())
    })
}

fn log(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Commands of one entry, each after what came before it. They test themselves.
const AWKWARD: &[&str] = &[
    // One shell for all of them.
    "count=1; cd /tmp",
    "test \"$(pwd)\" = /tmp; count=$((count + 1)) # a comment at the end",
    "test $count = 2",
    // Quotes, dollars, backslashes.
    "test 'it'\\''s' = \"it's\"; test \"a\\\\b\" = 'a\\b'; x='$HOME \"q\" `id`'; test ${#x} = 14",
    // Here-documents, with lines that look like comments and blank lines.
    "cat > /tmp/here <<'EOF'\n# not a comment\n\n  $HOME \\\n\ttab\nEOF",
    "test \"$(wc -l < /tmp/here)\" = 4; test \"$(head -n1 /tmp/here)\" = '# not a comment'",
    "test \"$(sed -n 3p /tmp/here)\" = \"$(printf '  $HOME \\\\')\"; test \"$(tail -n1 /tmp/here)\" = \"$(printf '\\ttab')\"",
    "# only a comment",
    "  # and one more, indented\ntest $count = 2",
    "if true; then\n  lines='first\nsecond'\nfi\ntest \"$(printf '%s\\n' \"$lines\" | wc -l)\" = 2",
    // A backslash at the end joins nothing of the next command.
    "echo one > /tmp/one \\",
    "test \"$(cat /tmp/one)\" = one",
    // Unicode and invisible characters.
    "test \"$(printf 'é☂' | wc -c)\" = 5; y='a\u{1}b\u{7f}c\u{2028}'; test \"$(printf %s \"$y\" | wc -c)\" = 8",
    "test '\\n\\t\\u0023' = \"$(printf '%s' '\\n\\t\\u0023')\"",
    // What set -eu means.
    "case $- in *e*u*|*u*e*) ;; *) exit 9 ;; esac; test \"$(id -un)\" = user; test \"$HOME\" = /home/user",
    "test \"$GREETING\" = \"it's \\\"\\$5\\\" \\\\o/ # x\"; test \"$(printf '%s' \"$KEY\" | wc -l)\" = 2; test \"$EMPTY\" = ''",
    "test \"$(stat -c %U /workspace/w\\ s/\\$x/readme)\" = user; printf done > \"/workspace/w s/\\$x/proof\"",
];

#[test]
fn awkward_text_arrives_unchanged() {
    let Some(engine) = Engine::find() else { return };
    let context = tempfile::tempdir().unwrap();
    std::fs::write(context.path().join("readme"), "text").unwrap();
    let builder = Builder::new()
        .mount("/workspace/w s/$x")
        .step("RUN printf '%s\\n' \"a # b\" \\\n  # between\n\n  '\\c' > /step\n")
        .step("SHELL [\"/bin/sh\", \"-c\", \"echo hijacked; exit 3\"]")
        .step("USER nobody")
        .setup("awkward", AWKWARD)
        .setup(
            "next",
            &[
                "test \"$(pwd)\" = '/workspace/w s/$x'",
                "test \"$(cat proof)\" = done",
                "test \"$(cat /step)\" = \"$(printf 'a # b\\n\\\\c')\"",
            ],
        )
        .variable("GREETING", "it's \"$5\" \\o/ # x", VariableLayer::Environment)
        .variable("KEY", "-----\n'a' $b\n-----", VariableLayer::Agent)
        .variable("EMPTY", "", VariableLayer::Agent);
    let planned = planned(&engine, builder);
    for buildkit in [false, true] {
        let tag = format!("drydock-test-planner:{}-{buildkit}", std::process::id());
        let (passed, log) = engine.build(buildkit, &tag, &planned, context.path());
        assert!(passed, "BuildKit: {buildkit}\n{planned}\n{log}");
    }
}

#[test]
fn a_failing_command_ends_its_entry() {
    let Some(engine) = Engine::find() else { return };
    let context = tempfile::tempdir().unwrap();
    let planned = planned(
        &engine,
        Builder::new().setup("fails", &["echo before", "false # no", "echo after"]),
    );
    for buildkit in [false, true] {
        let (passed, log) =
            engine.build(buildkit, "drydock-test-planner:fails", &planned, context.path());
        let own: Vec<&str> =
            log.lines().map(|line| line.rsplit(' ').next().unwrap_or_default()).collect();
        assert!(!passed && own.contains(&"before") && !own.contains(&"after"), "{log}");
    }
}

#[test]
fn a_base_that_gave_the_names_and_numbers_away_will_do() {
    let Some(engine) = Engine::find() else { return };
    let context = tempfile::tempdir().unwrap();
    for taken in [
        "RUN useradd -u 1000 -m node",
        "RUN groupadd user && useradd -u 1000 -d /srv/home -m -g users user",
        "RUN mkdir -p /home/user/.npm && touch /home/user/.npm/x",
    ] {
        let command = "test \"$(id -un)\" = user; touch /home/user/proof; test -w .; test ! -e /home/user/.npm/x -o -w /home/user/.npm/x";
        let planned = planned(&engine, Builder::new().step(taken).setup("user", &[command]));
        let tag = format!("drydock-test-planner:{}-taken", std::process::id());
        let (passed, log) = engine.build(true, &tag, &planned, context.path());
        assert!(passed, "{taken}\n{log}");
    }
}

/// The Dockerfile on the test's base, without the bootstrap's downloads.
fn planned(engine: &Engine, mut builder: Builder) -> String {
    builder.0.base = Base::Image { reference: authored(engine.base.parse().unwrap(), 7) };
    builder.0.stages.retain(|stage| stage.id.as_str() != "bootstrap");
    let planned = plan(&builder.0, None);
    let errors: Vec<_> =
        planned.findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    render(&planned.plan, ContextRoot::Checkout)
}
