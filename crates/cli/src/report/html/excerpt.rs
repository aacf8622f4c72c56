//! The author's lines behind a place in a YAML file: the line itself, and what is indented below it.

/// How many lines are shown at most.
const MOST: usize = 30;

/// The lines of the node that begins at `line` (from 1), without their common indentation.
pub(super) fn lines(file: &str, line: u32) -> Vec<&str> {
    let all: Vec<&str> = file.lines().collect();
    let Some(first) = (line as usize).checked_sub(1).filter(|index| *index < all.len()) else {
        return Vec::new();
    };
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let depth = indent(all[first]);
    let below =
        all[first + 1..].iter().take_while(|line| line.trim().is_empty() || indent(line) > depth);
    let mut lines: Vec<&str> =
        std::iter::once(&all[first]).chain(below).take(MOST).copied().collect();
    while lines.last().is_some_and(|line| line.trim().is_empty()) {
        lines.pop();
    }
    lines.into_iter().map(|line| line.get(depth..).unwrap_or(line.trim_start())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: u32, shown: &[&str]) {
        let file =
            "image:\n  ref: x\nsteps:\n  - |\n    RUN a \\\n\n      && b\n  - RUN c\nend: 1\n";
        assert_eq!(lines(file, line), shown, "line {line}");
    }

    #[test]
    fn a_node_ends_where_its_indentation_ends() {
        check(2, &["ref: x"]);
        check(4, &["- |", "  RUN a \\", "", "    && b"]);
        check(8, &["- RUN c"]);
        check(9, &["end: 1"]);
        check(0, &[]);
        check(10, &[]);
    }
}
