//! The HTML report: one file, no network, nothing needed but a browser; script only for the filter.

mod case;
mod dockerfile;
mod excerpt;
mod failure;
mod grid;
mod markup;
mod waterfall;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use markup::Page;

use super::{headline, text};
use crate::judge::Standing;
use crate::recording::Recorded;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// The whole page.
pub(crate) fn page(recorded: &Recorded) -> String {
    let headline = headline::headline(recorded);
    let mut page = Page::new();
    page.literal("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    // Only our own style and script may act, by their hashes: markup that slipped in could not.
    let policy = format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    );
    let attributes = [("http-equiv", "Content-Security-Policy"), ("content", &policy)];
    page.void("meta", &attributes);
    page.literal("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.literal("<meta name=\"color-scheme\" content=\"light dark\">\n");
    page.leaf("title", &[], &format!("Drydock: {headline}"));
    page.literal("<style>");
    page.literal(STYLE);
    page.literal("</style>\n</head>\n<body>\n");
    page.literal("<a class=\"skip\" href=\"#cases\">Skip to the cases</a>\n");
    page.element("header", &[], |page| header(page, recorded, &headline));
    page.element("main", &[], |page| {
        if recorded.cases.len() > 1 {
            grid::section(page, recorded);
        }
        cases(page, recorded);
    });
    page.element("footer", &[], |page| {
        let version = match recorded.start.version.as_str() {
            "" => String::new(),
            version => format!(" {version}"),
        };
        page.leaf("p", &[], &format!("Made by Drydock{version} from a recording. Nothing on this page comes from a network."));
    });
    page.literal("<script>");
    page.literal(SCRIPT);
    page.literal("</script>\n</body>\n</html>\n");
    page.finish()
}

/// A source expression of the content security policy.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

fn header(page: &mut Page, recorded: &Recorded, headline: &str) {
    let start = &recorded.start;
    let command = format!("drydock {}", start.command);
    page.leaf("p", &[("class", "eyebrow")], command.trim());
    page.leaf("h1", &[], headline);
    page.element("ul", &[("class", "tally")], |page| {
        for standing in Standing::ALL {
            let count = recorded.count(standing);
            if count > 0 {
                page.element("li", &[("class", class(standing))], |page| {
                    page.leaf(
                        "span",
                        &[("class", "mark"), ("aria-hidden", "true")],
                        standing.sign(),
                    );
                    page.leaf("strong", &[], &count.to_string());
                    page.text(" ");
                    page.text(standing.words());
                });
            }
        }
    });
    let commit = start.commit.as_deref().map(|commit| {
        let short: String = commit.chars().take(12).collect();
        let dirty = if start.dirty { ", definitions of the working tree" } else { "" };
        format!("{short}{dirty}")
    });
    let facts = [
        ("repository", Some(start.repository.clone())),
        ("commit", commit),
        ("engine", recorded.engine()),
        ("started", Some(start.started.replace('T', " ").replace('Z', " UTC"))),
        ("took", Some(text::time(recorded.took_ms))),
    ];
    page.element("dl", &[("class", "facts")], |page| {
        for (name, value) in facts {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                page.element("div", &[], |page| {
                    page.leaf("dt", &[], name);
                    page.leaf("dd", &[], &value);
                });
            }
        }
    });
}

fn cases(page: &mut Page, recorded: &Recorded) {
    page.element("section", &[("id", "cases"), ("aria-labelledby", "cases-title")], |page| {
        page.leaf("h2", &[("id", "cases-title")], "Cases");
        if recorded.cases.len() > 1 {
            filter(page, recorded);
        }
        // What needs a look comes first; the grid keeps the order of the file.
        for standing in Standing::ALL {
            for (index, case) in recorded.cases.iter().enumerate() {
                if case.judgement.standing == standing {
                    case::details(page, recorded, index, case);
                }
            }
        }
        page.leaf("p", &[("id", "none"), ("class", "faint"), ("hidden", "")], "No case matches.");
    });
}

/// Without script nothing could be filtered, so that the script shows it.
fn filter(page: &mut Page, recorded: &Recorded) {
    page.element("form", &[("id", "filter"), ("role", "search"), ("hidden", "")], |page| {
        page.element("label", &[("class", "find")], |page| {
            page.leaf("span", &[], "Filter");
            page.void(
                "input",
                &[
                    ("type", "search"),
                    ("id", "find"),
                    ("autocomplete", "off"),
                    ("spellcheck", "false"),
                    ("placeholder", "words of a name, base, code, owner …"),
                    ("aria-keyshortcuts", "/"),
                ],
            );
        });
        page.element("fieldset", &[], |page| {
            page.leaf("legend", &[], "Show");
            for standing in Standing::ALL {
                if recorded.count(standing) > 0 {
                    page.element("label", &[("class", class(standing))], |page| {
                        let class = class(standing);
                        let kind = ("type", "checkbox");
                        page.void(
                            "input",
                            &[kind, ("name", "show"), ("value", class), ("checked", "")],
                        );
                        page.leaf("span", &[], standing.words());
                    });
                }
            }
        });
        page.leaf("output", &[("id", "shown"), ("for", "find"), ("aria-live", "polite")], "");
    });
}

const fn class(standing: Standing) -> &'static str {
    match standing {
        Standing::AsExpected => "good",
        Standing::NotAsExpected => "bad",
        Standing::Infrastructure => "unlucky",
        Standing::NotRun => "idle",
    }
}
