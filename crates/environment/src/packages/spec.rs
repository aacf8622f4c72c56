//! The grammar of one package for each manager, as far as it can be told without the manager.

/// Why a text is not one package.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// Behind the text: "is an option".
    pub(super) message: &'static str,
    pub(super) hint: Option<String>,
    /// The text holds a password and must not be shown.
    pub(super) secret: bool,
}

type Checked = Result<(), Wrong>;

fn wrong(message: &'static str, hint: impl Into<Option<String>>) -> Checked {
    Err(Wrong { message, hint: hint.into(), secret: false })
}

/// What no manager reads as one package.
pub(super) fn common(text: &str) -> Checked {
    if has_credentials(text) {
        let hint = String::from(
            "take user and password out of it; everybody who reads the file sees them",
        );
        let message = "holds a user name or a password";
        return Err(Wrong { message, hint: Some(hint), secret: true });
    }
    if text.starts_with('-') {
        return wrong("is an option, not a package", hint_for_option(text));
    }
    if text.chars().any(char::is_whitespace) {
        let joined: String = text.split_whitespace().collect();
        let several = text.split_whitespace().count() > 1
            && !text.contains(['<', '>', '=', '~', '!', ';', '@']);
        let hint = if several {
            String::from("write each package as an item of its own")
        } else {
            format!("write `{joined}`")
        };
        return wrong("holds white space", hint);
    }
    if text
        .chars()
        .any(|c| c.is_control() || matches!(c, '`' | '$' | '"' | '\'' | '\\' | '|' | '&'))
    {
        return wrong("holds a character of the shell", None);
    }
    if text.starts_with(['.', '/', '~']) || text.starts_with("file:") {
        return wrong(
            "is a path, and no file is there when packages are installed",
            String::from("install it in a script, once the repository is there"),
        );
    }
    Ok(())
}

fn hint_for_option(text: &str) -> Option<String> {
    let requirements = text.starts_with("-r") || text.starts_with("--requirement");
    requirements.then(|| String::from("list the packages, or run `pip install -r …` in a script"))
}

/// Whether an address names a user: `https://user:password@host/…`, `git+ssh://token@host/…`.
/// `git@` alone is the one user that every such server has, and no secret.
fn has_credentials(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit_once('@').is_some_and(|(user, _)| user != "git")
}

fn is_address(text: &str) -> bool {
    text.contains("://")
}

/// `name`, `name:arch`, `name=version`, `name/release`.
pub(super) fn apt(text: &str) -> Checked {
    let end = text.find(['=', '/', ':']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if is_address(text) {
        return wrong("is an address; apt installs from its lists", None);
    }
    if let Some((name, version)) = text.split_once("==") {
        return wrong("is pip's way to name a version", format!("write `{name}={version}`"));
    }
    if let Some((name, version)) = text.split_once('@') {
        return wrong("is npm's way to name a version", format!("write `{name}={version}`"));
    }
    if text.ends_with('-') {
        return wrong("ends in `-`: apt-get would remove the package", None);
    }
    if name.chars().any(|c| c.is_ascii_uppercase()) {
        return wrong(
            "has capitals; Debian's names have none",
            format!("write `{}{rest}`", name.to_ascii_lowercase()),
        );
    }
    let inner =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '+' | '.' | '-');
    let first = name.chars().next().is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    if !first || !name.chars().all(inner) {
        return wrong("is not the name of a Debian package", None);
    }
    let version = |c: char| c.is_ascii_alphanumeric() || ".+:~-=/*".contains(c);
    if rest.len() == 1 || !rest.chars().all(version) {
        return wrong("has a version that apt cannot read", format!("write `{name}=VERSION`"));
    }
    Ok(())
}

/// `name`, `@scope/name`, either with `@range`; an alias, a repository, or an address.
pub(super) fn npm(text: &str) -> Checked {
    if is_address(text) || text.starts_with("github:") || text.contains("@npm:") {
        return Ok(());
    }
    if let Some((name, version)) = text.split_once("==") {
        return wrong("is pip's way to name a version", format!("write `{name}@{version}`"));
    }
    let scoped = text.starts_with('@');
    let at = text.char_indices().skip(1).find(|(_, c)| *c == '@').map_or(text.len(), |(at, _)| at);
    let (name, range) = text.split_at(at);
    if range == "@" {
        return wrong("has an empty version behind `@`", format!("write `{name}`"));
    }
    if name.contains('=') {
        let name = name.split('=').next().unwrap_or_default();
        return wrong("names a version with `=`", format!("write `{name}@VERSION`"));
    }
    let parts: Vec<&str> = name.trim_start_matches('@').split('/').collect();
    if scoped && parts.len() != 2 {
        return wrong("has a scope without a name", String::from("write `@scope/name`"));
    }
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~');
    let good = |part: &&str| !part.is_empty() && part.chars().all(inner);
    if parts.len() > 2 || !parts.iter().all(good) || name.len() > 214 {
        return wrong("is not the name of an npm package", None);
    }
    // `owner/name` is a repository and may have capitals; a package may not.
    if (scoped || parts.len() == 1) && name.chars().any(|c| c.is_ascii_uppercase()) {
        return wrong(
            "has capitals; npm's names have none",
            format!("write `{}{range}`", name.to_ascii_lowercase()),
        );
    }
    Ok(())
}

/// PEP 508 without white space: `name[extra]==1.0;marker`, or an address.
pub(super) fn pip(text: &str) -> Checked {
    if is_address(text) {
        return Ok(());
    }
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')));
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    if !edge(name.chars().next()) || !edge(name.chars().next_back()) {
        return wrong("is not the name of a Python package", None);
    }
    let rest = match rest.strip_prefix('[') {
        None => rest,
        Some(extras) => match extras.split_once(']') {
            Some((_, rest)) => rest,
            None => return wrong("has `[` without `]`", None),
        },
    };
    let constraint = rest.split(';').next().unwrap_or_default();
    if constraint.is_empty() {
        return Ok(());
    }
    if let Some(version) = constraint.strip_prefix('@') {
        return wrong("is npm's way to name a version", format!("write `{name}=={version}`"));
    }
    if let Some(version) = constraint.strip_prefix('=').filter(|rest| !rest.starts_with('=')) {
        return wrong("has one `=`; pip takes two", format!("write `{name}=={version}`"));
    }
    let one = |clause: &str| {
        let operators = ["===", "==", "~=", "!=", "<=", ">=", "<", ">"];
        let version = operators.iter().find_map(|operator| clause.strip_prefix(operator));
        version.is_some_and(|version| {
            let good = |c: char| c.is_ascii_alphanumeric() || ".*+!_-".contains(c);
            !version.is_empty() && version.chars().all(good)
        })
    };
    if constraint.split(',').all(one) {
        Ok(())
    } else {
        wrong("has a version that pip cannot read", format!("write `{name}==VERSION`"))
    }
}

/// `name` or `name@version`.
pub(super) fn cargo(text: &str) -> Checked {
    named(text, '@', "crate", |c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// `name` or `name:version`.
pub(super) fn gem(text: &str) -> Checked {
    named(text, ':', "gem", |c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn named(text: &str, separator: char, kind: &'static str, inner: fn(char) -> bool) -> Checked {
    if is_address(text) {
        return wrong("is an address; this manager installs from its registry", None);
    }
    let end = text.find(|c| !inner(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return wrong(
            if kind == "gem" { "is not the name of a gem" } else { "is not the name of a crate" },
            None,
        );
    }
    let version = rest.trim_start_matches(['@', ':', '=']);
    let good = |c: char| c.is_ascii_alphanumeric() || ".+-^~*".contains(c);
    let written = &rest[..rest.len() - version.len()];
    let own = written.len() == 1 && written.starts_with(separator);
    if rest.is_empty() || (own && !version.is_empty() && version.chars().all(good)) {
        return Ok(());
    }
    let message = "names a version in another manager's way";
    let version = if version.is_empty() { "VERSION" } else { version };
    wrong(message, format!("write `{name}{separator}{version}`"))
}

/// `host/path@version`: outside a module, `go install` wants a version.
pub(super) fn go(text: &str) -> Checked {
    if let Some((_, path)) = text.split_once("://") {
        return wrong("is an address; go wants the package's path", format!("write `{path}`"));
    }
    let Some((path, version)) = text.split_once('@') else {
        return wrong(
            "has no version, and go install wants one outside a module",
            format!("write `{text}@latest`"),
        );
    };
    let good = |c: char| c.is_ascii_alphanumeric() || "-._~/".contains(c);
    if !path.contains('/') || !path.chars().all(good) || path.ends_with('/') {
        return wrong("is not the path of a Go package", None);
    }
    let good = |c: char| c.is_ascii_alphanumeric() || ".+-_/".contains(c);
    if version.is_empty() || !version.chars().all(good) {
        return wrong("has a version that go cannot read", format!("write `{path}@latest`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Spec = fn(&str) -> Checked;

    #[test]
    fn what_each_manager_reads_as_one_package() {
        let good: [(Spec, &[&str]); 6] = [
            (apt, &["curl", "g++", "libc6:i386", "nginx=1.22.1-9", "vim/bookworm", "python3.11"]),
            (
                npm,
                &[
                    "eslint",
                    "typescript@5.0.0",
                    "@types/node@20",
                    "a@npm:b@1",
                    "github:a/b",
                    "npm/cli",
                    "x@^1.2.0",
                ],
            ),
            (
                pip,
                &[
                    "pandas",
                    "PyYAML==6.0.1",
                    "uvicorn[standard]>=0.2,<1",
                    "x~=1.0;python_version<'3'",
                    "git+https://example.org/x.git",
                ],
            ),
            (cargo, &["ripgrep", "hyperfine@1.18.0"]),
            (gem, &["rails:7.1.0", "bundler"]),
            (go, &["golang.org/x/tools/cmd/goimports@latest"]),
        ];
        for (spec, texts) in good {
            for text in texts {
                assert_eq!(spec(text), Ok(()), "{text}");
            }
        }
    }

    #[test]
    fn what_it_refuses_and_what_it_says_instead() {
        let bad: [(Spec, &str, Option<&str>); 22] = [
            (common, "--force", None),
            (
                common,
                "-r requirements.txt",
                Some("list the packages, or run `pip install -r …` in a script"),
            ),
            (common, "curl wget", Some("write each package as an item of its own")),
            (common, "requests >= 2", Some("write `requests>=2`")),
            (
                common,
                "https://me:secret@example.org/x.tgz",
                Some("take user and password out of it; everybody who reads the file sees them"),
            ),
            (common, "./local", Some("install it in a script, once the repository is there")),
            (common, "$(reboot)", None),
            (apt, "curl@8", Some("write `curl=8`")),
            (apt, "curl==8", Some("write `curl=8`")),
            (apt, "cURL", Some("write `curl`")),
            (apt, "nano-", None),
            (npm, "eslint==9.0.0", Some("write `eslint@9.0.0`")),
            (npm, "eslint@", Some("write `eslint`")),
            (npm, "@scope", Some("write `@scope/name`")),
            (npm, "ESLint@9", Some("write `eslint@9`")),
            (pip, "pandas@2", Some("write `pandas==2`")),
            (pip, "pandas=2", Some("write `pandas==2`")),
            (pip, "x[y", None),
            (cargo, "ripgrep==14", Some("write `ripgrep@14`")),
            (gem, "rails@7", Some("write `rails:7`")),
            (
                go,
                "golang.org/x/tools/cmd/goimports",
                Some("write `golang.org/x/tools/cmd/goimports@latest`"),
            ),
            (go, "https://golang.org/x", Some("write `golang.org/x`")),
        ];
        for (spec, text, hint) in bad {
            let wrong = spec(text).expect_err(text);
            assert_eq!(wrong.hint.as_deref(), hint, "{text}: {}", wrong.message);
        }
    }
}
