//! Host names of an allow list.

/// Says what is wrong with an entry, and what to write instead where that is clear.
pub(crate) fn wrong_with(entry: &str) -> Option<(&'static str, Option<String>)> {
    let text = entry.trim();
    if let Some((_, rest)) = text.split_once("://") {
        return Some(("has a scheme", instead(rest)));
    }
    if text.matches(':').count() > 1 || text.starts_with('[') {
        return Some(("is an IPv6 address", None));
    }
    if text.contains(['/', '?', '#']) {
        return Some(("has a path", instead(text)));
    }
    if text.contains('@') {
        return Some(("names a user", instead(text)));
    }
    if text.contains(':') {
        return Some(("has a port", instead(text)));
    }
    if text == "*" {
        return Some(("opens everything", Some(String::from("write `type: unrestricted`"))));
    }
    let name = text.strip_prefix("*.").unwrap_or(text);
    if name.contains('*') {
        return Some(("has `*` elsewhere than as its first label", None));
    }
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.split('.').any(str::is_empty) {
        return Some(("has an empty label", None));
    }
    if name.len() > 253 || name.split('.').any(|label| label.len() > 63) {
        return Some(("is longer than a host name may be", None));
    }
    let edge = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let good = |label: &str| {
        label.chars().all(inner) && edge(label.chars().next()) && edge(label.chars().next_back())
    };
    if entry != text || !name.split('.').all(good) {
        return Some(("is not a host name", None));
    }
    None
}

/// The host alone, if that is what is left without scheme, user, port and path.
fn instead(text: &str) -> Option<String> {
    let host = text.split(['/', '?', '#']).next()?;
    let host = host.rsplit('@').next()?;
    let host = host.split(':').next()?;
    (!host.is_empty() && wrong_with(host).is_none()).then(|| format!("write `{host}`"))
}

#[cfg(test)]
mod tests {
    use super::wrong_with;

    #[test]
    fn a_host_is_bare_or_has_one_leading_wildcard() {
        for good in [
            "api.example.org",
            "*.example.org",
            "localhost",
            "10.0.0.1",
            "Example.ORG.",
            "bücher.example",
        ] {
            assert_eq!(wrong_with(good), None, "{good}");
        }
        for (bad, instead) in [
            ("https://api.example.org/v1", Some("write `api.example.org`")),
            ("api.example.org:443", Some("write `api.example.org`")),
            ("api.example.org/v1", Some("write `api.example.org`")),
            ("user@example.org", Some("write `example.org`")),
            ("*", Some("write `type: unrestricted`")),
            ("api.*.org", None),
            ("a..b", None),
            ("::1", None),
            ("", None),
            ("-a.example", None),
            (" a.example", None),
        ] {
            let (_, hint) = wrong_with(bad).unwrap_or_else(|| panic!("{bad:?} was taken"));
            assert_eq!(hint.as_deref(), instead, "{bad}");
        }
    }
}
