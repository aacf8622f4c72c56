//! Layers that lie, loop, swell and never end: each comes to a clear end in bounded time.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use contract::Answer;
use flate2::{Compression, write::GzEncoder};
use image::{Inspection, Options, ReadCode, ReadFailure};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Longer than any of these may take, on a slow machine and without optimisation.
const LONGEST: Duration = Duration::from_secs(60);

/// Writes the part of a layer that a test is about.
type Make = fn(&mut Layer);

/// A gzip layer as it is written.
struct Layer(GzEncoder<Vec<u8>>);

impl Layer {
    fn new() -> Self {
        Self(GzEncoder::new(Vec::new(), Compression::fast()))
    }

    /// A file with holes, whose map goes on behind its header.
    fn sparse(&mut self, path: &str) -> &mut Self {
        let mut block = [0_u8; 512];
        block[482] = 1;
        self.header(block, b'S', path, "", 0o644, 512)
    }

    /// An entry with nothing checked.
    fn entry(&mut self, kind: u8, path: &str, link: &str, mode: u32, size: u64) -> &mut Self {
        self.header([0_u8; 512], kind, path, link, mode, size)
    }

    fn header(
        &mut self,
        mut block: [u8; 512],
        kind: u8,
        path: &str,
        link: &str,
        mode: u32,
        size: u64,
    ) -> &mut Self {
        let mut put = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, path.as_bytes());
        put(100, format!("{mode:07o}").as_bytes());
        if size < 1 << 33 {
            put(124, format!("{size:011o}").as_bytes());
        } else {
            put(124, &[0x80]);
            put(128, &size.to_be_bytes());
        }
        put(148, b"        ");
        put(156, &[kind]);
        put(157, link.as_bytes());
        put(257, b"ustar\x0000");
        let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        self.0.write_all(&block).unwrap();
        self
    }

    fn data(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.write_all(bytes).unwrap();
        let padding = bytes.len().wrapping_neg() % 512;
        self.0.write_all(&vec![0; padding]).unwrap();
        self
    }

    fn file(&mut self, path: &str, bytes: &[u8]) -> &mut Self {
        self.entry(b'0', path, "", 0o755, bytes.len() as u64).data(bytes)
    }

    fn link(&mut self, path: &str, target: &str) -> &mut Self {
        self.entry(b'2', path, target, 0o777, 0)
    }

    fn zeros(&mut self, count: u64) -> &mut Self {
        let zeros = vec![0; 1 << 20];
        for _ in 0..count >> 20 {
            self.0.write_all(&zeros).unwrap();
        }
        self
    }

    fn packed(mut self) -> Vec<u8> {
        self.0.write_all(&[0; 1024]).unwrap();
        self.0.finish().unwrap()
    }
}

/// Reads an image of this layer.
fn read(layer: &[u8]) -> Result<Inspection, ReadFailure> {
    let folder = tempfile::tempdir().unwrap();
    let blobs = folder.path().join("blobs/sha256");
    fs::create_dir_all(&blobs).unwrap();
    let config = blob(&blobs, br#"{"os":"linux","architecture":"amd64","config":null}"#);
    let layer = blob(&blobs, layer);
    let manifest = json!({ "config": config, "layers": [layer] }).to_string();
    let index = json!({ "manifests": [blob(&blobs, manifest.as_bytes())] }).to_string();
    fs::write(folder.path().join("index.json"), index).unwrap();
    inspect(&format!("oci:{}", folder.path().display()))
}

fn inspect(reference: &str) -> Result<Inspection, ReadFailure> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let started = Instant::now();
    let read = runtime.block_on(image::inspect(reference, &Options::default()));
    assert!(started.elapsed() < LONGEST, "{:?}", started.elapsed());
    read
}

fn blob(folder: &Path, bytes: &[u8]) -> Value {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(folder.join(&hex), bytes).unwrap();
    json!({ "digest": format!("sha256:{hex}"), "size": bytes.len() })
}

#[test]
fn a_broken_layer_is_a_failure_that_names_the_entry() {
    let broken: [(&str, Make); 8] = [
        ("has a header of 1073741824 bytes", |layer| {
            layer.entry(b'L', "long", "", 0, 1 << 30);
        }),
        ("has a header of 1073741824 bytes", |layer| {
            layer.entry(b'x', "pax", "", 0, 1 << 30);
        }),
        ("is no list of records", |layer| {
            layer.entry(b'x', "pax", "", 0, 9).data(b"99 path=x");
        }),
        ("has a size that is no size", |layer| {
            layer.entry(b'0', "etc/x", "", 0o644, u64::MAX);
        }),
        ("leads out of the image", |layer| {
            layer.file("etc/../../x", b"");
        }),
        ("checksum is wrong", |layer| {
            layer.0.write_all(&[b'1'; 512]).unwrap();
        }),
        ("has a size that is no number", |layer| {
            layer.entry(b'x', "pax", "", 0, 12).data(b"12 size=abc\n");
        }),
        ("has a map of holes without end", |layer| {
            let mut block = [b'1'; 512];
            layer.sparse("etc/x");
            block[504] = 1;
            for _ in 0..4096 {
                layer.0.write_all(&block).unwrap();
            }
        }),
    ];
    for (words, make) in broken {
        let mut layer = Layer::new();
        make(&mut layer);
        let failure = read(&layer.packed()).unwrap_err();
        assert_eq!(failure.code, ReadCode::LayerCorrupt, "{failure}");
        assert!(failure.message.contains(words), "{words}: {failure}");
    }
}

#[test]
fn a_layer_that_ends_early_is_cut() {
    let mut layer = Layer::new();
    layer.file("bin/sh", &[7; 100_000]);
    let packed = layer.packed();
    let failure = read(&packed[..packed.len() / 2]).unwrap_err();
    assert!(matches!(failure.code, ReadCode::BlobCut | ReadCode::LayerCorrupt), "{failure}");

    let mut layer = Layer::new();
    layer.entry(b'0', "bin/sh", "", 0o755, 1 << 40);
    assert_eq!(read(&layer.packed()).unwrap_err().code, ReadCode::BlobCut);
}

#[test]
fn a_zstd_window_is_bounded_and_the_failure_says_so() {
    let packed = |window_log: u32| {
        let mut packer = zstd::Encoder::new(Vec::new(), 1).unwrap();
        packer.set_parameter(zstd::zstd_safe::CParameter::WindowLog(window_log)).unwrap();
        packer.write_all(&[0; 1024]).unwrap();
        packer.finish().unwrap()
    };
    assert!(read(&packed(23)).is_ok());
    let failure = read(&packed(24)).unwrap_err();
    assert_eq!(failure.code, ReadCode::ImageLimit, "{failure}");
    assert!(failure.message.contains("further than 8 MiB"), "{failure}");
}

#[test]
fn links_lead_nowhere_and_out_of_nothing() {
    let accounts = |layer: &mut Layer| {
        layer.file("etc/passwd", b"root:x:0:0::/:/bin/sh\n").file("etc/group", b"root:x:0:\n");
    };
    let silent: [(&str, Make); 6] = [
        ("too many links", |layer| {
            layer.link("bin/sh", "/bin/sh");
        }),
        ("too many links", |layer| {
            layer.link("bin", "sbin").link("sbin", "bin");
        }),
        ("is not there", |layer| {
            layer.link("bin/sh", "../../../../../../etc/shadow");
        }),
        ("is not there", |layer| {
            layer.link("bin/sh", "");
        }),
        ("neither a program nor a script", |layer| {
            layer.file("bin/sh", b"\x7fEL");
        }),
        ("is a script", |layer| {
            layer.file("bin/sh", b"#!/bin/sh\n");
        }),
    ];
    for (words, make) in silent {
        let mut layer = Layer::new();
        accounts(&mut layer);
        make(&mut layer);
        let verdict = read(&layer.packed()).unwrap().verdict;
        let Answer::Silent { reason, .. } = &verdict.answer else { panic!("{words}: {verdict:?}") };
        assert!(reason.contains(words), "{words}: {reason}");
    }
}

#[test]
fn a_hard_link_without_its_file_is_not_guessed() {
    let mut layer = Layer::new();
    layer.file("etc/passwd", b"root:x:0:0::/:/bin/sh\n").file("etc/group", b"root:x:0:\n");
    layer.entry(b'1', "bin/sh", "a", 0, 0).entry(b'1', "a", "bin/sh", 0, 0);
    let verdict = read(&layer.packed()).unwrap().verdict;
    assert!(matches!(verdict.answer, Answer::Unreadable { .. }), "{verdict:?}");
}

#[test]
fn a_chain_of_unusual_links_ends() {
    let mut layer = Layer::new();
    layer.file("etc/passwd", b"root:x:0:0::/:/bin/sh\n").file("etc/group", b"root:x:0:\n");
    layer.link("bin/sh", "/srv/0/sh");
    for at in 0..30 {
        layer.link(&format!("srv/{at}/sh"), &format!("/srv/{}/sh", at + 1));
    }
    let read = read(&layer.packed()).unwrap();
    assert!(matches!(read.verdict.answer, Answer::Unreadable { .. }), "{:?}", read.verdict);
    assert!(read.reading.passes <= 12);
}

#[test]
fn a_bomb_is_passed_over() {
    let mut layer = Layer::new();
    layer.file("etc/passwd", b"root:x:0:0::/:/bin/sh\n").file("etc/group", b"root:x:0:\n");
    layer.entry(b'0', "bin/sh", "", 0o755, 256 << 20).zeros(256 << 20);
    let read = read(&layer.packed()).unwrap();
    assert!(
        matches!(&read.verdict.answer, Answer::Unreadable { reason, .. } if reason.contains("larger than"))
    );
    assert!(read.facts.size.is_some_and(|size| size >= 256 << 20));
}

#[test]
fn a_layer_of_very_many_files_is_read_and_not_kept() {
    let mut layer = Layer::new();
    for at in 0..50_000 {
        layer.link(&format!("etc/profile.d/{at}.sh"), "/nowhere");
    }
    layer.file("etc/passwd", b"root:x:0:0::/:/bin/sh\n").file("etc/group", b"root:x:0:\n");
    layer.link("bin/sh", "/nowhere");
    let read = read(&layer.packed()).unwrap();
    let Answer::Silent { reason, .. } = &read.verdict.answer else { panic!("{:?}", read.verdict) };
    assert!(reason.contains("/nowhere is not there"), "{reason}");
    assert!(read.facts.files.len() < 1_000, "{}", read.facts.files.len());
}

/// A pipe that nobody writes to.
fn pipe(path: String) {
    let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR);
    rustix::fs::mknodat(rustix::fs::CWD, path, kind, mode, 0).unwrap();
}

#[test]
fn what_is_no_image_is_said_to_be_none() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("empty.tar"), b"").unwrap();
    fs::write(at("text.tar"), b"this is no tar file at all").unwrap();
    fs::write(at("packed.tar"), [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]).unwrap();
    fs::create_dir_all(at("layout/blobs")).unwrap();
    fs::write(at("layout/index.json"), b"[]").unwrap();
    pipe(at("pipe.tar"));
    let hex = "0".repeat(64);
    let index = json!({ "manifests": [{ "digest": format!("sha256:{hex}"), "size": 3 }] });
    fs::create_dir_all(at("pipes/blobs/sha256")).unwrap();
    fs::write(at("pipes/index.json"), index.to_string()).unwrap();
    pipe(at(&format!("pipes/blobs/sha256/{hex}")));
    for (name, code) in [
        ("empty.tar", ReadCode::ImageFormat),
        ("text.tar", ReadCode::ImageFormat),
        ("packed.tar", ReadCode::ImageFormat),
        ("layout", ReadCode::ImageFormat),
        ("pipe.tar", ReadCode::ImageFormat),
        ("pipes", ReadCode::ImageFormat),
        ("missing", ReadCode::ImageMissing),
    ] {
        let failure = inspect(&at(name)).unwrap_err();
        assert_eq!(failure.code, code, "{name}: {failure}");
    }
}
