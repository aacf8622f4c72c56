//! Which cases of the matrix are tried: by words, by name, by shard.

use std::str::FromStr;

use super::Case;
use super::case::builder_name;
use super::units::Units;
use crate::fault::Fault;

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// Cases that hold all words of one of these.
    pub(crate) filters: Vec<String>,
    /// Cases of these very names.
    pub(crate) names: Vec<String>,
    /// One part of what is left.
    pub(crate) shard: Option<Shard>,
}

/// One part of several: `2/3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    index: usize,
    count: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no part such as `1/3`");
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let index: usize = index.parse().map_err(|_| wrong())?;
        let count: usize = count.parse().map_err(|_| wrong())?;
        if index == 0 || index > count {
            return Err(wrong());
        }
        Ok(Self { index: index - 1, count })
    }
}

impl Selection {
    /// Takes what was asked for.
    pub(crate) fn take(&self, mut cases: Vec<Case>) -> Result<Vec<Case>, Fault> {
        let Self { filters, names, shard } = self;
        for name in names {
            if !cases.iter().any(|case| case.name == *name) {
                return Err(Fault::usage(format!("no case is called {name:?}"))
                    .hint("`drydock matrix --list` shows all names"));
            }
        }
        if !names.is_empty() {
            cases.retain(|case| names.contains(&case.name));
        }
        if !filters.is_empty() {
            cases.retain(|case| filters.iter().any(|filter| matches(case, filter)));
            if cases.is_empty() {
                return Err(Fault::usage(format!("no case matches {}", filters.join(" or ")))
                    .hint("`drydock matrix --list` shows all cases"));
            }
        }
        if let Some(shard) = shard {
            let mine = shard.cases(&cases);
            let mut index = 0..;
            cases.retain(|_| index.next().is_some_and(|index| mine.contains(&index)));
        }
        Ok(cases)
    }
}

impl Shard {
    /// The cases of this part. What is built alike stays together, so that no part builds it again.
    fn cases(self, cases: &[Case]) -> Vec<usize> {
        let groups = Units::of(cases).groups;
        let of_shard = groups.into_iter().skip(self.index).step_by(self.count);
        of_shard.flat_map(|group| group.into_iter().flat_map(|unit| unit.cases)).collect()
    }
}

fn matches(case: &Case, filter: &str) -> bool {
    let about = format!(
        "{} {} {} {} {}",
        case.name,
        case.shared().map_or("", |shared| shared.plan.environment.as_str()),
        case.tried_base(),
        builder_name(case.builder),
        case.expect
    )
    .to_lowercase();
    filter.to_lowercase().split_whitespace().all(|word| about.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_one_of_several() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 1, count: 3 }));
        for text in ["0/3", "4/3", "1", "1/0", "-1/3", "a/b"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
