//! The reference grammar against a table: what registries and builders take, and what they refuse.

use environment::{ImageRef, ImageRefFault};

/// Text, registry, path, tag, digest.
type Good = (&'static str, Option<&'static str>, &'static str, Option<&'static str>, bool);

const GOOD: &[Good] = &[
    ("debian", None, "debian", None, false),
    ("debian:bookworm", None, "debian", Some("bookworm"), false),
    ("library/debian:12.5-slim", None, "library/debian", Some("12.5-slim"), false),
    ("scratch", None, "scratch", None, false),
    ("a", None, "a", None, false),
    ("0", None, "0", None, false),
    ("a/b/c/d/e", None, "a/b/c/d/e", None, false),
    ("a_b", None, "a_b", None, false),
    ("a__b", None, "a__b", None, false),
    ("a---b", None, "a---b", None, false),
    ("a.b", None, "a.b", None, false),
    ("debian:_", None, "debian", Some("_"), false),
    ("debian:A.B-C_d", None, "debian", Some("A.B-C_d"), false),
    ("docker.io/library/debian", Some("docker.io"), "library/debian", None, false),
    ("ghcr.io/acme/base:1", Some("ghcr.io"), "acme/base", Some("1"), false),
    ("localhost/base", Some("localhost"), "base", None, false),
    ("localhost:5000/base:1", Some("localhost:5000"), "base", Some("1"), false),
    ("127.0.0.1:5000/debian:bookworm", Some("127.0.0.1:5000"), "debian", Some("bookworm"), false),
    ("[::1]:5000/base", Some("[::1]:5000"), "base", None, false),
    ("[2001:db8::1]/base:1", Some("[2001:db8::1]"), "base", Some("1"), false),
    ("REGISTRY/base", Some("REGISTRY"), "base", None, false),
    ("Example.COM:443/a/b", Some("Example.COM:443"), "a/b", None, false),
    ("my-registry.example.org/x", Some("my-registry.example.org"), "x", None, false),
    // Docker takes the first part for a registry only when it looks like one.
    ("registry/base", None, "registry/base", None, false),
    (
        concat!(
            "debian@sha256:",
            "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
        ),
        None,
        "debian",
        None,
        true,
    ),
    (
        concat!(
            "ghcr.io/a/b:1@sha256:",
            "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
        ),
        Some("ghcr.io"),
        "a/b",
        Some("1"),
        true,
    ),
];

const BAD: &[(&str, ImageRefFault, &str)] = &[
    ("", ImageRefFault::Empty, ""),
    ("Debian", ImageRefFault::Uppercase, "Debian"),
    ("debian/Slim", ImageRefFault::Uppercase, "Slim"),
    ("ghcr.io/Acme/base", ImageRefFault::Uppercase, "Acme"),
    (":bookworm", ImageRefFault::EmptyComponent, ""),
    ("a//b", ImageRefFault::EmptyComponent, ""),
    ("/debian", ImageRefFault::EmptyComponent, ""),
    ("debian/", ImageRefFault::EmptyComponent, ""),
    ("ghcr.io/", ImageRefFault::EmptyComponent, ""),
    ("a..b", ImageRefFault::Component, "a..b"),
    ("a___b", ImageRefFault::Component, "a___b"),
    ("a._b", ImageRefFault::Component, "a._b"),
    ("-debian", ImageRefFault::Component, "-debian"),
    ("debian-", ImageRefFault::Component, "debian-"),
    (".debian", ImageRefFault::Component, ".debian"),
    ("deb ian", ImageRefFault::Component, "deb ian"),
    ("débian", ImageRefFault::Component, "débian"),
    ("debian$", ImageRefFault::Component, "debian$"),
    ("debian:", ImageRefFault::Tag, ""),
    ("debian:.x", ImageRefFault::Tag, ".x"),
    ("debian:-x", ImageRefFault::Tag, "-x"),
    ("debian:a:b", ImageRefFault::Tag, "a:b"),
    ("debian:a/b", ImageRefFault::Port, ":a"),
    ("debian:a b", ImageRefFault::Tag, "a b"),
    ("debian:ä", ImageRefFault::Tag, "ä"),
    ("debian@", ImageRefFault::DigestAlgorithm, ""),
    ("debian@latest", ImageRefFault::DigestAlgorithm, "latest"),
    ("debian@md5:0123456789abcdef0123456789abcdef", ImageRefFault::DigestAlgorithm, "md5"),
    ("debian@sha256", ImageRefFault::DigestValue, ""),
    ("debian@sha256:", ImageRefFault::DigestValue, ""),
    ("debian@sha256:abc", ImageRefFault::DigestValue, "abc"),
    ("debian@sha512:abc", ImageRefFault::DigestValue, "abc"),
    ("https://ghcr.io/a", ImageRefFault::Port, ":"),
    ("ghcr.io:/a", ImageRefFault::Port, ":"),
    ("ghcr.io:x/a", ImageRefFault::Port, ":x"),
    ("ghcr.io:70000/a", ImageRefFault::Port, ":70000"),
    ("-ghcr.io/a", ImageRefFault::Domain, "-ghcr.io"),
    ("ghcr-.io/a", ImageRefFault::Domain, "ghcr-.io"),
    ("ghcr..io/a", ImageRefFault::Domain, "ghcr..io"),
    (".io/a", ImageRefFault::Domain, ".io"),
    ("under_score.io/a", ImageRefFault::Domain, "under_score.io"),
    ("[::1/a", ImageRefFault::Domain, "[::1"),
    ("[::1]x/a", ImageRefFault::Port, "x"),
    ("[]:1/a", ImageRefFault::Domain, "[]"),
    (
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        ImageRefFault::BareId,
        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    ),
];

#[test]
fn good_references_are_taken_apart() {
    for (text, domain, path, tag, pinned) in GOOD {
        let parsed: ImageRef = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(parsed.as_str(), *text);
        assert_eq!(parsed.domain(), *domain, "{text}");
        assert_eq!(parsed.path(), *path, "{text}");
        assert_eq!(parsed.tag(), *tag, "{text}");
        assert_eq!(parsed.digest().is_some(), *pinned, "{text}");
    }
}

#[test]
fn bad_references_are_refused_at_their_part() {
    for (text, kind, part) in BAD {
        let error = text.parse::<ImageRef>().expect_err(text);
        assert_eq!(error.kind, *kind, "{text}");
        assert_eq!(&text[error.span.clone()], *part, "{text}");
    }
}

#[test]
fn lengths_are_those_of_the_registry() {
    let longest = "a".repeat(255);
    assert!(longest.parse::<ImageRef>().is_ok());
    assert!(format!("ghcr.io/{longest}").parse::<ImageRef>().is_ok());
    let error = format!("{longest}a").parse::<ImageRef>().expect_err("256 bytes");
    assert_eq!(error.kind, ImageRefFault::TooLong);
    assert!(format!("a:{}", "t".repeat(128)).parse::<ImageRef>().is_ok());
    assert!(format!("a:{}", "t".repeat(129)).parse::<ImageRef>().is_err());
    for (algorithm, digits) in [("sha256", 64), ("sha384", 96), ("sha512", 128)] {
        assert!(format!("a@{algorithm}:{}", "f".repeat(digits)).parse::<ImageRef>().is_ok());
        assert!(format!("a@{algorithm}:{}", "F".repeat(digits)).parse::<ImageRef>().is_err());
        assert!(format!("a@{algorithm}:{}", "f".repeat(digits - 1)).parse::<ImageRef>().is_err());
    }
}
