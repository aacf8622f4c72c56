//! The Dockerfile's order, and what every line stands for.

use environment::VariableLayer;
use planner::{ContextRoot, InstructionKind, plan, render};

use crate::builder::Builder;

#[test]
fn the_published_order() {
    let environment = Builder::new()
        .step("RUN apt-get update \\\n  && apt-get install -y make\n")
        .setup("install", &["make environment-setup", "# done\ntrue"])
        .variable("GREETING", "it's \"$5\" \\o/", VariableLayer::Environment)
        .variable("KEY", "two\nlines", VariableLayer::Agent)
        .0;
    let planned = plan(&environment, None);
    insta::assert_snapshot!(
        render(&planned.plan, ContextRoot::Checkout).replace(contract::PROBE, "<the probe>\n")
    );
}

#[test]
fn every_instruction_stands_where_the_plan_says() {
    let environment = Builder::new()
        .step("RUN a \\\n  # why\n  b")
        .step("RUN c\n\n")
        .setup("one", &["x\ny", "z"])
        .0;
    let planned = plan(&environment, None);
    for root in [ContextRoot::Checkout, ContextRoot::Nested] {
        let dockerfile = render(&planned.plan, root);
        let lines: Vec<&str> = dockerfile.lines().collect();
        for instruction in &planned.plan.instructions {
            let first = instruction.line as usize - 1;
            let text = lines[first..first + instruction.lines as usize].join("\n");
            if instruction.text.starts_with("COPY") && root == ContextRoot::Nested {
                assert_eq!(text, "COPY --chown=user:user checkout/ /workspace/widgets");
            } else {
                assert_eq!(text, instruction.text);
            }
        }
    }
}

#[test]
fn an_awkward_path_is_quoted_for_each_reader() {
    let environment = Builder::new().mount("/work space/$x \"it's\"\\ü").0;
    let planned = plan(&environment, None);
    let dockerfile = render(&planned.plan, ContextRoot::Nested);
    let copy = r#"["checkout/", "/work space/\\$x \\\"it\\'s\\\"\\\\ü"]"#;
    assert!(dockerfile.contains(copy), "{dockerfile}");
    assert!(dockerfile.contains(r#"WORKDIR "/work space/\$x \"it's\"\\ü""#), "{dockerfile}");
    assert!(dockerfile.contains(r"mkdir -p -- '/work space/$x \"), "{dockerfile}");
}

#[test]
fn equal_plans_of_other_agents_have_equal_digests() {
    let one = plan(&Builder::new().step("RUN a").setup("s", &["b"]).0, None).plan;
    let mut other = Builder::new().step("RUN a").setup("s", &["b"]).0;
    other.origin.agent = None;
    other.origin.name = None;
    let other = plan(&other, Some("acme/widgets")).plan;
    assert_eq!(one.digest, other.digest);
    assert_eq!(one.snapshot_key, other.snapshot_key);
    let changed = plan(&Builder::new().step("RUN a ").setup("s", &["b"]).0, None).plan;
    assert_ne!(one.digest, changed.digest);
    let parts = |plan: &planner::Plan| -> Vec<String> {
        plan.snapshot_key.parts.iter().map(|part| part.digest.clone()).collect()
    };
    assert_ne!(parts(&one)[0], parts(&changed)[0]);
    assert_eq!(parts(&one)[1..], parts(&changed)[1..]);
}

#[test]
fn without_a_working_directory_setup_is_skipped_and_listed() {
    let mut environment = Builder::new().setup("install", &["make"]).0;
    environment.checkouts.clear();
    environment.workdir = None;
    let plan = plan(&environment, None).plan;
    assert!(plan.instructions.iter().all(|instruction| instruction.kind != InstructionKind::Setup));
    assert_eq!(plan.not_proven[0].what, "setup[install]");
    assert!(!render(&plan, ContextRoot::Checkout).contains("WORKDIR"));
}
