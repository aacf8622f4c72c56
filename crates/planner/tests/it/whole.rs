//! Whatever steps and setup hold: when no finding is an error, the Dockerfile is exactly the plan.

use environment::Severity;
use planner::dockerfile::{Grammar, Instruction, parse};
use planner::{ContextRoot, InstructionKind, Plan, plan, render};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::builder::Builder;

/// Pieces that steps are made of, and what could break out of one.
fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "RUN ",
        "run ",
        "RUN",
        "FROM alpine",
        "USER app",
        "USER root",
        "ENV A=b",
        "COPY --from=a /b /c",
        "SHELL [\"/bin/bash\", \"-c\"]",
        "ARG X=1",
        "ONBUILD RUN ",
        "HEALTHCHECK CMD true",
        "CMD x",
        "echo a",
        "true",
        "&& ",
        "\\\n",
        "\\ \t\n",
        "\\\\\n",
        "\\",
        "\n",
        "\n\n",
        "\r\n",
        "# note",
        "#",
        " ",
        "\t",
        "'",
        "\"",
        "`",
        "$",
        "${x",
        "${x:-<<EOF}",
        "}",
        "$((1 <<2))",
        "<<EOF",
        "<<-EOF",
        "<< EOF",
        "<<'EOF'",
        "<<\"RUN true\"",
        "3<<A",
        "EOF",
        "\nEOF\n",
        "\n\tEOF",
        "\nA\n",
        "RUN true",
        "[\"a\"]",
        "[\"a\"",
        ", \"b\"]",
        "[",
        "--mount=type=cache,target=/x ",
        "--network=none ",
        "ü",
        "\u{a0}",
        "\u{feff}",
        "\u{b}",
        "# syntax=x",
        "# escape=`",
    ]);
    prop_oneof![20 => fixed.prop_map(str::to_owned), 1 => any::<String>(), 1 => "[ -~\n]{0,12}"]
}

fn step() -> impl Strategy<Value = String> {
    let pieces = |range| prop::collection::vec(piece(), range).prop_map(|pieces| pieces.concat());
    let verb = prop::sample::select(vec![
        "RUN ",
        "RUN a \\\n",
        "run --mount=type=cache,target=/x ",
        "ENV A=",
        "USER ",
    ]);
    prop_oneof![
        1 => pieces(0..6),
        4 => (verb, pieces(0..6)).prop_map(|(verb, rest)| format!("{verb}{rest}")),
        2 => pieces(0..4).prop_map(|body| format!("RUN cat <<EOF\n{body}\nEOF")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn the_dockerfile_is_the_plan(
        steps in prop::collection::vec(step(), 0..4),
        commands in prop::collection::vec(step(), 1..3),
    ) {
        let mut builder = Builder::new();
        let mut accepted = Vec::new();
        for step in &steps {
            // Each step alone first, so that one refused step does not waste the others.
            if is_accepted(&Builder::new().step(step)) {
                builder = builder.step(step);
                accepted.push(step.clone());
            }
        }
        let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
        let builder = builder.setup("setup", &commands);
        prop_assume!(is_accepted(&builder));
        let plan = plan(&builder.0, None).plan;
        let steps = plan.instructions.iter().filter(|one| one.kind == InstructionKind::Step);
        prop_assert_eq!(steps.count(), accepted.len());
        for root in [ContextRoot::Checkout, ContextRoot::Nested] {
            let dockerfile = render(&plan, root);
            for grammar in Grammar::ALL {
                check(&plan, &dockerfile, grammar)?;
            }
        }
    }

    #[test]
    fn no_text_takes_the_planner_down(step in any::<String>(), command in any::<String>()) {
        let planned = plan(&Builder::new().step(&step).setup("setup", &[&command]).0, None);
        let dockerfile = render(&planned.plan, ContextRoot::Checkout);
        prop_assert!(dockerfile.contains(&step));
    }
}

/// A property that no input reaches proves nothing.
#[test]
fn the_pieces_make_good_steps_too() {
    let mut runner = TestRunner::deterministic();
    let steps: Vec<String> =
        (0..1_000).map(|_| step().new_tree(&mut runner).expect("a step").current()).collect();
    let good: Vec<_> =
        steps.iter().filter(|step| is_accepted(&Builder::new().step(step))).collect();
    let with = |part: &str| good.iter().filter(|step| step.contains(part)).count();
    let counts = (good.len(), with("<<"), with("\\\n"), with("#"), with("USER"), with("\n"));
    assert!(counts.0 > 200 && counts.1 > 20 && counts.2 > 20 && counts.3 > 20, "{counts:?}");
    assert!(counts.4 > 10 && counts.5 > 50 && counts.0 < 900, "{counts:?}");
}

fn is_accepted(builder: &Builder) -> bool {
    plan(&builder.0, None).findings.iter().all(|finding| finding.severity != Severity::Error)
}

/// Holds the whole file against the plan, as one builder reads it.
fn check(plan: &Plan, dockerfile: &str, grammar: Grammar) -> Result<(), TestCaseError> {
    let parsed = parse(dockerfile, grammar);
    let heredocs =
        parse_steps(plan, Grammar::SpacedHeredocs).iter().any(|step| !step.heredocs.is_empty());
    if heredocs && grammar == Grammar::Docker20 {
        // Such a builder must refuse the file as a whole, which it does at the first unknown verb.
        prop_assert!(parsed.instructions.iter().any(|one| !is_verb(&one.verb)), "{dockerfile}");
        return Ok(());
    }
    prop_assert_eq!(&parsed.fault, &None, "{}", dockerfile);
    prop_assert_eq!(parsed.instructions.len(), plan.instructions.len(), "{}", dockerfile);
    let froms = parsed.instructions.iter().filter(|one| one.verb.eq_ignore_ascii_case("from"));
    prop_assert_eq!(froms.count(), 1);
    let lines: Vec<&str> = dockerfile.split('\n').collect();
    let mut user = String::new();
    let mut steps = parse_steps(plan, grammar).into_iter();
    for (planned, read) in plan.instructions.iter().zip(&parsed.instructions) {
        let first = planned.line as usize - 1;
        let text = lines[first..first + planned.lines as usize].join("\n");
        let line = dockerfile[..read.start].matches('\n').count();
        prop_assert!((first..first + planned.lines as usize).contains(&line));
        prop_assert!(text.contains(&dockerfile[read.start..read.end]));
        match planned.kind {
            InstructionKind::Step => {
                prop_assert_eq!(&text, &planned.text);
                let alone = steps.next().expect("one parsed step for each planned one");
                prop_assert_eq!(
                    (&alone.verb, &alone.flags, &alone.arguments, &alone.heredocs),
                    (&read.verb, &read.flags, &read.arguments, &read.heredocs)
                );
            }
            InstructionKind::UserCreation | InstructionKind::Checkout if read.verb != "USER" => {
                prop_assert_eq!(user.as_str(), "root");
                // No SHELL of a step has a say in JSON form; COPY asks no shell.
                prop_assert!(read.verb == "COPY" || read.arguments.starts_with('['));
            }
            InstructionKind::Setup => {
                prop_assert_eq!(user.as_str(), "user");
                prop_assert!(read.arguments.starts_with("[\"/bin/sh\", \"-lc\", \"set -eu"));
            }
            _ => {}
        }
        if read.verb.eq_ignore_ascii_case("user") {
            user.clone_from(&read.arguments);
        }
    }
    Ok(())
}

fn parse_steps(plan: &Plan, grammar: Grammar) -> Vec<Instruction> {
    let steps = plan.instructions.iter().filter(|one| one.kind == InstructionKind::Step);
    steps.flat_map(|step| parse(&step.text, grammar).instructions).collect()
}

fn is_verb(word: &str) -> bool {
    let verbs = "ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR";
    verbs.split(' ').any(|verb| verb.eq_ignore_ascii_case(word))
}

#[test]
fn a_setup_command_arrives_unchanged_in_json() {
    let long = format!("x='{}'", "\\".repeat(70_000));
    let comments = "#".repeat(40_000);
    for command in [
        "echo 'a' \"b\" $c `d` \\e",
        "cat <<'EOF'\n# no comment\n\n  EOF\nEOF",
        "  # x\n#y\n\n\t#z",
        "a\\",
        "\u{1}\u{7f}\u{2028}é",
        &long,
        &comments,
    ] {
        let planned = plan(&Builder::new().setup("s", &[command, "true"]).0, None).plan;
        let run = planned.instructions.last().expect("the setup entry");
        assert!(run.text.split('\n').all(|line| line.len() < 40_000));
        let parsed = parse(&run.text, Grammar::Docker20);
        assert_eq!(parsed.instructions.len(), 1);
        let arguments: Vec<String> =
            serde_json::from_str(&parsed.instructions[0].arguments).expect("JSON");
        let end = if command.ends_with('\\') { "\n\ntrue" } else { "\ntrue" };
        assert_eq!(arguments, ["/bin/sh", "-lc", &format!("set -eu\n{command}{end}")]);
    }
}
