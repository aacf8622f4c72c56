//! The grid at a glance: one square a case.

use std::collections::BTreeMap;

use super::class;
use super::markup::Page;
use crate::recording::{Case, Recorded};

/// What a row and a column of the grid stand for.
type Key = (String, String);

/// The section with the grid.
pub(super) fn section(page: &mut Page, recorded: &Recorded) {
    let axes = Axes::of(&recorded.cases);
    page.element("section", &[("aria-labelledby", "grid-title")], |page| {
        page.leaf("h2", &[("id", "grid-title")], "At a glance");
        let scroll = [
            ("class", "scroll"),
            ("tabindex", "0"),
            ("role", "region"),
            ("aria-labelledby", "grid-title"),
        ];
        page.element("div", &scroll, |page| {
            page.element("table", &[("class", "grid")], |page| axes.table(page, &recorded.cases));
        });
    });
}

/// Rows and columns, each in the order of its first case.
struct Axes {
    rows: Vec<Key>,
    columns: Vec<Key>,
    cells: BTreeMap<(usize, usize), Vec<usize>>,
}

impl Axes {
    /// Environments down and bases across, when that fills at least half of the grid; else each
    /// pair of environment and base has a row, and builders go across.
    fn of(cases: &[Case]) -> Self {
        let wide = Self::by(cases, |case| {
            let about = &case.about;
            let row = (about.environment.clone(), about.folder.clone());
            (row, (about.base.clone(), about.builder.clone()))
        });
        if wide.cells.len() * 2 >= wide.rows.len() * wide.columns.len() && wide.columns.len() <= 12
        {
            return wide;
        }
        Self::by(cases, |case| {
            let about = &case.about;
            let name = match about.folder.as_str() {
                "" => about.environment.clone(),
                folder => folder.to_owned(),
            };
            ((name, about.base.clone()), (about.builder.clone(), String::new()))
        })
    }

    fn by(cases: &[Case], keys: impl Fn(&Case) -> (Key, Key)) -> Self {
        let mut axes = Self { rows: Vec::new(), columns: Vec::new(), cells: BTreeMap::new() };
        for (index, case) in cases.iter().enumerate() {
            let (row, column) = keys(case);
            let cell = (place(&mut axes.rows, row), place(&mut axes.columns, column));
            axes.cells.entry(cell).or_default().push(index);
        }
        axes
    }

    fn table(&self, page: &mut Page, cases: &[Case]) {
        page.element("thead", &[], |page| {
            page.element("tr", &[], |page| {
                page.literal("<td></td>");
                for (name, more) in &self.columns {
                    page.element("th", &[("scope", "col")], |page| {
                        page.leaf("span", &[], name);
                        if !more.is_empty() {
                            page.leaf("span", &[("class", "faint")], more);
                        }
                    });
                }
            });
        });
        page.element("tbody", &[], |page| {
            for (row, (name, more)) in self.rows.iter().enumerate() {
                page.element("tr", &[], |page| {
                    page.element("th", &[("scope", "row")], |page| {
                        page.leaf("span", &[], name);
                        if !more.is_empty() {
                            page.leaf("span", &[("class", "faint")], more);
                        }
                    });
                    for column in 0..self.columns.len() {
                        page.element("td", &[], |page| {
                            let cell = self.cells.get(&(row, column));
                            for index in cell.into_iter().flatten() {
                                square(page, *index, &cases[*index]);
                            }
                        });
                    }
                });
            }
        });
    }
}

fn square(page: &mut Page, index: usize, case: &Case) {
    let standing = case.judgement.standing;
    let target = format!("#case-{index}");
    let label = format!("{}: {}: {}", standing.words(), case.about.name, case.judgement.why);
    let square = format!("square {}", class(standing));
    let attributes =
        [("href", target.as_str()), ("class", &square), ("title", &label), ("aria-label", &label)];
    page.leaf("a", &attributes, standing.sign());
}

/// The index of a key, which is added when it is new.
fn place(keys: &mut Vec<Key>, key: Key) -> usize {
    keys.iter().position(|known| *known == key).unwrap_or_else(|| {
        keys.push(key);
        keys.len() - 1
    })
}
