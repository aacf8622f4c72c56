//! Step texts and what is found in them: code and position, the step's first line being line 30.

use environment::{Code, Severity};
use planner::plan;

use crate::builder::Builder;

/// `text`, then `code line:column` of each finding.
const TABLE: &[(&str, &[&str])] = &[
    // Good steps.
    (
        "RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*",
        &[],
    ),
    ("RUN apt-get update \\\n  # the tools\n\n  && apt-get install -y make \\  \n  && true\n", &[]),
    ("# tools\nRUN make\n# done\n\n", &[]),
    ("run npm install -g tsx", &[]),
    ("RUN [\"/bin/bash\", \"-c\", \"set -o pipefail; [[ -f x ]]\"]", &[]),
    ("RUN [ -f /etc/debian_version ] && echo yes", &[]),
    ("ENV A=b C=\"d e\" F='g'", &[]),
    ("ENV A b c", &[]),
    ("RUN echo a\\\\\n", &[]),
    ("RUN a \\\r\n  && b\r\n", &[]),
    ("RUN cat <<< x > y; echo '<<EOF'", &["step-bash 30:15"]),
    ("RUN printf '%s\\n' a b > /etc/x # sudo", &[]),
    ("RUN mkdir -p /home/user/.cache && touch /home/user/.cache/x", &[]),
    ("RUN useradd -m user && chown user: /opt/x", &[]),
    ("RUN apt-get install -y sudo && sudo true", &[]),
    ("RUN sudo -n true || true", &[]),
    // One instruction each.
    ("# nothing", &["step-empty 30:7"]),
    ("\n  \n", &["step-empty 30:7"]),
    ("RUN a\nRUN b", &["step-several 31:7"]),
    ("RUN apt-get update\n  apt-get install -y make", &["step-several 31:9"]),
    ("RUN a\n\n# c\nFROM alpine", &["step-several 33:7"]),
    ("RUN a \\", &["step-unfinished 30:13"]),
    ("RUN a \\  \n# c\n\n", &["step-unfinished 30:13"]),
    ("\\", &["step-unfinished 30:7"]),
    ("apt-get install -y make", &["step-unknown-instruction 30:7"]),
    ("RNU make", &["step-unknown-instruction 30:7"]),
    ("# c\n  RUN\u{a0}make", &["step-unknown-instruction 31:9"]),
    ("\u{feff}RUN make", &["step-unknown-instruction 30:7"]),
    ("RUN printf '\u{1b}[0m'", &["step-control-character 30:19"]),
    ("RUN a\rRUN b", &["step-control-character 30:12"]),
    ("RUN a\0", &["step-control-character 30:12"]),
    ("# syntax=docker/dockerfile:1\nRUN a", &["step-directive 30:7"]),
    ("# escape=`\nRUN a `\nRUN b", &["step-directive 30:7", "step-several 32:7"]),
    // Here-documents.
    ("RUN <<EOF\necho a\nEOF", &["step-heredoc 30:11"]),
    ("RUN <<-'A' cat <<B\na\n\tA\nb\nB\n", &["step-heredoc 30:11"]),
    ("RUN <<EOF\necho a", &["step-heredoc-open 30:11"]),
    ("RUN <<EOF\necho a\n EOF", &["step-heredoc-open 30:11"]),
    ("RUN echo $((1 <<2))", &["step-heredoc-open 30:21"]),
    ("RUN <<\"RUN true\"\nFROM alpine\nRUN true", &["step-heredoc-ambiguous 30:11"]),
    ("RUN <<EOF\nRUN a \\\nEOF", &["step-heredoc-ambiguous 30:11"]),
    ("RUN cat << EOF\na\nEOF", &["step-heredoc-ambiguous 30:15"]),
    ("RUN [\"a\"] <<EOF\nb\nEOF", &["step-heredoc-ambiguous 30:17"]),
    ("COPY <<EOF /x\na\nEOF", &["step-heredoc 30:12"]),
    // What every builder refuses.
    ("RUN", &["step-malformed 30:7"]),
    ("RUN --mont=type=cache,target=/x a", &["step-malformed 30:11"]),
    ("RUN [\"a\", 1]", &["step-malformed 30:7"]),
    ("RUN []", &["step-malformed 30:7"]),
    ("SHELL /bin/bash -c", &["step-malformed 30:7", "step-shell 30:7"]),
    ("ENV A", &["step-malformed 30:11"]),
    ("ENV A=b c", &["step-malformed 30:15"]),
    ("ONBUILD FROM alpine", &["step-malformed 30:7", "step-onbuild 30:7"]),
    ("COPY x", &["step-malformed 30:7"]),
    ("RUN ['a', 'b']", &["step-json-form 30:11"]),
    ("RUN [\"a\"] && b", &["step-json-form 30:11"]),
    // No context, one stage.
    ("FROM alpine", &["step-from 30:7"]),
    ("FROM alpine AS tools", &["step-from 30:7"]),
    ("COPY . /app", &["step-context-copy 30:12"]),
    ("copy --chown=user:user [\"package.json\", \"/app/\"]", &["step-context-copy 30:32"]),
    ("ADD https://example.org/a.tar.gz b.txt /opt/", &["step-context-copy 30:40"]),
    ("ADD https://example.org/a.tar.gz /opt/", &["step-add 30:11"]),
    ("COPY --from=golang:1.22 /usr/local/go /usr/local/go", &["step-copy-from 30:12"]),
    ("RUN --mount=type=bind,target=/src make", &["step-context-mount 30:11"]),
    ("RUN --mount=target=/src make", &["step-context-mount 30:11"]),
    ("RUN --mount=type=cache,target=/root/.npm npm ci", &["step-mount 30:11"]),
    ("RUN --mount=type=bind,from=golang:1.22,target=/go make", &["step-mount 30:11"]),
    ("RUN --network=none make", &["step-run-flag 30:11"]),
    // What the hosted builder does differently.
    ("USER root", &[]),
    ("USER 0:0", &[]),
    ("USER node", &["step-user 30:7"]),
    ("USER user:user", &["step-session-user 30:12"]),
    ("SHELL [\"/bin/bash\", \"-c\"]", &["step-shell 30:7"]),
    ("CMD [\"node\"]", &["step-start-command 30:7"]),
    ("ENTRYPOINT x", &["step-start-command 30:7"]),
    ("WORKDIR /opt", &["step-workdir 30:7"]),
    ("ARG DEBIAN_FRONTEND=noninteractive", &["step-arg 30:7"]),
    ("ENV NOW=$(date)", &["step-env-command 30:15"]),
    ("ENV NOW='$(date)' A=\\`x", &[]),
    ("ENV PATH=/opt/bin:$PATH", &["step-env-path 30:11"]),
    ("ENV MY_PATH=/opt/bin", &[]),
    ("ENV BIN=$HOME/bin", &["step-env-shell-variable 30:16"]),
    ("ENV BIN \"${HOME}/bin\"", &["step-env-shell-variable 30:18"]),
    ("ARG WHO=$USER", &["step-arg 30:7", "step-env-shell-variable 30:16"]),
    ("ENV HOME2=\\$HOME A='$HOME' B=$HOMEBREW C=${HOME:-/root} D=$PATH", &[]),
    ("EXPOSE 8080", &["step-without-effect 30:7"]),
    ("LABEL a=b", &["step-without-effect 30:7"]),
    ("HEALTHCHECK --interval=5s CMD true", &["step-without-effect 30:7"]),
    ("VOLUME /data", &["step-volume 30:7"]),
    ("ONBUILD RUN make", &["step-onbuild 30:7"]),
    ("RUN set -euo pipefail; curl x | tar x", &["step-bash 30:11"]),
    ("RUN if [[ -f x ]]; then make; fi", &["step-bash 30:14"]),
    ("RUN a && source ./env", &["step-bash 30:16"]),
    ("RUN sudo apt-get install -y make", &["sudo 30:11"]),
    ("RUN apt-get update && sudo apt-get install -y make", &["sudo 30:29"]),
    ("RUN chown -R user:user /opt/x", &["step-session-user 30:20"]),
    ("RUN cp a /home/user/a && cp b /home/user/b", &["step-session-user 30:16"]),
    ("RUN echo /home/user/bin >> /etc/paths", &[]),
    ("RUN service postgresql start && createdb x", &["step-service 30:11"]),
];

#[test]
fn every_step_gets_what_fits() {
    for (step, expected) in TABLE {
        let planned = plan(&Builder::new().step(step).0, None);
        let found: Vec<String> = planned
            .findings
            .iter()
            .filter(|finding| finding.code != Code::MutableTag)
            .map(|finding| {
                let place = finding.place.as_ref().expect("a step has a place");
                format!("{} {}:{}", finding.code.name(), place.line, place.column)
            })
            .collect();
        assert_eq!(found, *expected, "{step:?}");
    }
}

#[test]
fn long_steps_are_refused() {
    for (step, refused) in [
        (format!("RUN {}", "a".repeat(65_531)), false),
        (format!("RUN {}", "a".repeat(65_532)), true),
        (format!("RUN {}", "a \\\n".repeat(40_000)), true),
    ] {
        let planned = plan(&Builder::new().step(&step).0, None);
        let found = planned.findings.iter().any(|finding| finding.code == Code::StepTooLong);
        assert_eq!(found, refused, "{} bytes", step.len());
    }
}

#[test]
fn the_table_knows_every_code_of_a_step() {
    let known: Vec<&str> = TABLE
        .iter()
        .flat_map(|(_, found)| *found)
        .map(|found| found.split(' ').next().unwrap_or_default())
        .collect();
    for code in Code::ALL
        .iter()
        .filter(|code| code.name().starts_with("step-") && **code != Code::StepTooLong)
    {
        assert!(known.contains(&code.name()), "{} has no row", code.name());
        assert!(code.page().lines().count() >= 3, "{} needs a page", code.name());
        assert!(matches!(code.severity(), Severity::Error | Severity::Warning | Severity::Note));
    }
}
