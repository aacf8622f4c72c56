//! SARIF 2.1.0: one result for each case that is not as expected and each finding, at the author's line.

use std::collections::BTreeMap;

use environment::Severity;
use serde_json::{Value, json};

use super::annotations::{Annotation, annotations};
use crate::recording::Recorded;

/// Where a reader finds the pages behind the codes.
const HOME: &str = "https://github.com/drydock/drydock";

/// The whole log.
pub(crate) fn log(recorded: &Recorded) -> Value {
    let all = annotations(recorded);
    let mut rules: BTreeMap<&str, usize> =
        all.iter().map(|annotation| (annotation.code.as_str(), 0)).collect();
    for (index, number) in rules.values_mut().enumerate() {
        *number = index;
    }
    let results: Vec<Value> =
        all.iter().map(|annotation| result(annotation, rules[annotation.code.as_str()])).collect();
    let mut run = json!({
        "tool": { "driver": {
            "name": "drydock",
            "semanticVersion": version(recorded),
            "informationUri": HOME,
            "rules": rules.keys().map(|code| rule(code)).collect::<Vec<_>>(),
        }},
        "invocations": [{
            "executionSuccessful": recorded.exit.is_some_and(|exit| exit < 2),
        }],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": { "SRCROOT": { "description": { "text": "The repository's root." } } },
        "results": results,
    });
    if let Some(exit) = recorded.exit {
        run["invocations"][0]["exitCode"] = exit.into();
    }
    if !recorded.start.started.is_empty() {
        run["invocations"][0]["startTimeUtc"] = recorded.start.started.as_str().into();
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    })
}

fn version(recorded: &Recorded) -> &str {
    match recorded.start.version.as_str() {
        "" => env!("CARGO_PKG_VERSION"),
        version => version,
    }
}

fn rule(code: &str) -> Value {
    let page = triage::Code::ALL.iter().find(|known| known.name() == code).map(|code| code.page());
    let page = page.or_else(|| {
        environment::Code::ALL.iter().find(|known| known.name() == code).map(|code| code.page())
    });
    let page = page.unwrap_or("A case passed that was expected to fail.");
    json!({
        "id": code,
        "shortDescription": { "text": page.lines().next().unwrap_or(code).trim() },
        "fullDescription": { "text": page },
        "help": { "text": format!("drydock explain {code}") },
    })
}

fn result(annotation: &Annotation, rule: usize) -> Value {
    let Annotation { level, code, title, message, place } = annotation;
    let text = if title == code { message.clone() } else { format!("{title}: {message}") };
    let mut result = json!({
        "ruleId": code,
        "ruleIndex": rule,
        "level": match level {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        "message": { "text": text },
        // Stable across lines that move: the same case with the same code is the same alert.
        "partialFingerprints": { "drydock/v1": format!("{code}:{title}") },
    });
    if let Some((file, line, column)) = place {
        result["locations"] = json!([{ "physicalLocation": {
            "artifactLocation": { "uri": uri(file), "uriBaseId": "SRCROOT" },
            "region": { "startLine": line, "startColumn": column },
        }}]);
    }
    result
}

/// A relative path as a URI reference.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
