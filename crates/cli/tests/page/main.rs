//! A browser reads the HTML report: filters, opens a failing case, reads its evidence, and nothing that
//! a log holds acts.
//!
//! It needs `chromium`, which `cargo xtask` installs. Without it the tests say so and prove nothing; with
//! `DRYDOCK_LIVE=required` they fail.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail their test")]
#![expect(clippy::print_stderr, reason = "a test without a browser says why it proves nothing")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Drives the page as a reader would, and leaves what it saw in the page's title.
const DRIVER: &str = include_str!("driver.js");

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).map(|folder| folder.join("chromium")).find(|p| p.exists());
    if found.is_none() {
        let required = std::env::var("DRYDOCK_LIVE").is_ok_and(|live| live == "required");
        assert!(!required, "there is no chromium: run `cargo xtask test`");
        eprintln!("skipped: there is no chromium");
    }
    found
}

/// The page of a recording.
fn page(case: &str) -> String {
    let recording = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/replay/cases")
        .join(case)
        .join("recording.jsonl");
    let mut drydock = Command::new(env!("CARGO_BIN_EXE_drydock"));
    let output =
        drydock.arg("replay").arg(recording).args(["--report", "html=-"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Opens a page together with the driver, whose hash its policy is told, and returns what the driver saw.
fn drive(browser: &Path, case: &str, what: &str) -> serde_json::Value {
    use base64::Engine as _;
    use sha2::Digest as _;
    let script = format!("{DRIVER}\ndrive({what:?});\n");
    let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(&script));
    let page = page(case)
        .replacen("script-src ", &format!("script-src &#39;sha256-{hash}&#39; "), 1)
        .replacen("</body>", &format!("<script>{script}</script></body>"), 1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, page).unwrap();
    let mut chromium = Command::new(browser);
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000"]);
    chromium.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
    let output = chromium.arg("--dump-dom").arg(&file).output().unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let seen = dom.split_once("id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let Some((seen, _)) = seen else {
        panic!("the driver left nothing\n{dom}\n{}", String::from_utf8_lossy(&output.stderr))
    };
    let seen = seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&seen).unwrap()
}

#[test]
fn a_reader_filters_opens_a_failing_case_and_reads_its_evidence() {
    let Some(browser) = browser() else { return };
    let seen = drive(&browser, "matrix", "read");
    assert_eq!(seen["all"], 8);
    assert_eq!(seen["first"], "bad", "what needs a look comes first");
    assert_eq!(seen["filtered"], serde_json::json!(["alpine: agent-runtime on musl (buildkit)"]));
    assert_eq!(seen["said"], "1 of 8 cases");
    assert_eq!(seen["only_bad"], 1);
    assert_eq!(seen["none_shown"], true);
    assert_eq!(seen["focused_by_slash"], true);
    assert_eq!(seen["opened_by_enter"], true);
    let evidence = seen["evidence"].as_str().unwrap();
    assert!(evidence.contains("check=glibc-loader reason=requires-glibc-loader"), "{evidence}");
    assert_eq!(seen["code"], "contract-glibc-loader");
    assert_eq!(seen["whose"], "the base image");
    assert!(seen["steps"].as_u64().unwrap() >= 2, "the waterfall has no steps");
    assert_eq!(seen["opened_by_square"], true);
    assert!(
        seen["author_lines"].as_str().unwrap().contains("ref: alpine"),
        "{}",
        seen["author_lines"]
    );
    assert_eq!(seen["unlabelled"], serde_json::json!([]));
    assert_eq!(seen["wider_than_window"], false);
}

#[test]
fn nothing_in_a_log_acts() {
    let Some(browser) = browser() else { return };
    let seen = drive(&browser, "hostile-text", "hostile");
    assert_eq!(seen["images"], 0);
    assert_eq!(seen["scripts"], 2, "ours and the driver's");
    assert_eq!(seen["alerts"], 0);
    assert_eq!(seen["shows_it_as_text"], true);
}
