//! Each code has a page that says what must be said; `docs/codes.md` is the table as text.
#![expect(clippy::disallowed_methods, reason = "a test reads its cases from files")]

use std::collections::BTreeSet;

use triage::Code;

#[test]
fn each_code_has_a_name_of_its_own_and_a_whole_page() {
    let names: BTreeSet<_> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(names.len(), Code::ALL.len(), "a name stands twice");
    for code in Code::ALL {
        let page = code.page();
        for heading in
            ["Seen: ", "Meaning: ", "Who must act: ", "What to do: ", "Retry: ", "Example:\n    "]
        {
            let at = page.find(heading).unwrap_or_else(|| panic!("{}: no {heading}", code.name()));
            assert!(
                page[at + heading.len()..].trim_start().len() > 10,
                "{}: {heading}",
                code.name()
            );
        }
        assert!(!code.hint().is_empty(), "{}", code.name());
    }
}

#[test]
fn every_page_on_disk_belongs_to_a_code() {
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/pages");
    for entry in std::fs::read_dir(pages).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let name = name.strip_suffix(".md").expect("pages are .md files");
        assert!(Code::ALL.iter().any(|code| code.name() == name), "no code for page {name}");
    }
}

/// `docs/codes.md` is this table as text. `DRYDOCK_BLESS=1` writes it anew.
#[test]
fn the_published_table_is_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/codes.md");
    let mut text = String::from(
        "# Failure codes\n\nWhat `drydock check` and `drydock triage` can say failed. Generated from the \
         table in `crates/triage`; `drydock explain CODE` shows a page.\n",
    );
    for code in Code::ALL {
        text.push_str(&format!("\n## {}\n\n{}.\n\n{}", code.name(), code.summary(), code.page()));
    }
    if option_env!("DRYDOCK_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap();
    assert!(written == text, "docs/codes.md is old: run this test with DRYDOCK_BLESS=1");
}
