//! `drydock inspect` beside what would answer the same question: unpacking, loading and building, fetching.

mod archives;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::bench::images::archives::{Layout, Saved};
use crate::bench::relay::{Relay, Server};
use crate::bench::report::Report;
use crate::bench::timer::{Contestant, race};
use crate::bench::{drydock, recipe};
use crate::command::{command, find_program};
use crate::house::House;
use crate::packages;

/// How much longer than plain unpacking it may take, digests and all.
const BESIDE_PIGZ: f64 = 1.3;
/// How much of the time of loading and building it may take.
const BESIDE_LOAD: f64 = 0.2;
/// An image that the engine has (ms).
const ENGINE: f64 = 150.0;
/// Memory of ours (KiB).
const MEMORY: u64 = 64 << 10;
/// What an HTTP answer needs around its body.
const HEADERS: u64 = 1 << 10;

/// Measures all of it.
pub(crate) fn images(report: &mut Report) -> Result<()> {
    let house = House::enter()?.with_fixtures()?;
    let layout = Layout::of(&house, house.debian())?;
    beside_pigz(report, &house, &layout)?;
    beside_load(report, &house)?;
    of_the_engine(report, &house)?;
    from_the_registry(report, &house, &layout, house.debian())?;
    let several = format!("{}/drydock-fixture/no-apt:1", house.registry().address());
    from_the_registry(report, &house, &Layout::of(&house, &several)?, &several)
}

fn beside_pigz(report: &mut Report, house: &House, layout: &Layout) -> Result<()> {
    let archive = layout.archive.display().to_string();
    let inspect = ["inspect", &archive];
    let mut contestants =
        vec![Contestant::new("drydock inspect, OCI archive", command(&drydock(), inspect))];
    if has(house, "pigz") {
        let script = ["-c", "pigz -dc \"$@\" > /dev/null", "sh"];
        let mut unpack = command("sh", script);
        unpack.args(layout.layers.iter().map(|layer| &layer.file));
        contestants.push(Contestant::new("pigz -dc, its layers", unpack));
    } else {
        println!("pigz cannot be installed here: not compared");
    }
    let times = race(10, &mut contestants)?;
    match times.get(1) {
        Some(pigz) => report.ratio(&times[0], pigz, BESIDE_PIGZ),
        None => report.absolute(&times[0], f64::INFINITY),
    }
    if !has(house, "time") {
        println!("GNU time cannot be installed here: peak memory not measured");
        return Ok(());
    }
    let mut measured = command("/usr/bin/time", ["-f", "%M", &drydock()]);
    let output = Contestant::new("peak memory", {
        measured.args(inspect);
        measured
    })
    .output()?;
    let peak = output.lines().last().and_then(|line| line.trim().parse().ok());
    let peak = peak.with_context(|| format!("no peak memory in {output:?}"))?;
    report.count("drydock inspect, OCI archive, peak memory", peak, MEMORY, "KiB");
    Ok(())
}

fn beside_load(report: &mut Report, house: &House) -> Result<()> {
    let saved = Saved::of(house)?;
    let archive = saved.archive.display().to_string();
    let mut contestants = vec![
        Contestant::new(
            "drydock inspect, `docker save` archive",
            command(&drydock(), ["inspect", &archive]),
        ),
        saved.load_and_build(house, recipe::client()),
    ];
    let times = race(5, &mut contestants)?;
    report.ratio(&times[0], &times[1], BESIDE_LOAD);
    Ok(())
}

fn of_the_engine(report: &mut Report, house: &House) -> Result<()> {
    let reference = format!("engine:{}", house.debian());
    let relay = Relay::start(Server::Socket(house.engine().socket().to_owned()))?;
    let over_tcp = format!("tcp://{}", relay.address());
    let mut contestants = Vec::new();
    for (what, host, read) in [
        ("its socket", &house.host(), "all"),
        ("its API alone", &over_tcp, "verdict"),
        ("its API alone", &over_tcp, "all"),
    ] {
        let inspect = ["inspect", &reference, "--read", read, "--host", host];
        contestants.push(Contestant::new(
            format!("drydock inspect, engine, {what}, {read}"),
            command(&drydock(), inspect),
        ));
    }
    let times = race(10, &mut contestants)?;
    report.absolute(&times[0], ENGINE);
    // Docker 20.10 starts itself anew for each file that it hands out, 45 ms of CPU: ten of them are over the aim
    // whatever the reader does.
    times[1..].iter().for_each(Report::told);
    println!("the engine sent {} KiB in {} readings through its API", relay.taken() >> 10, 22);
    Ok(())
}

/// Nothing of it is here yet: every byte has to come.
fn from_the_registry(
    report: &mut Report,
    house: &House,
    layout: &Layout,
    image: &str,
) -> Result<()> {
    let relay = Relay::start(Server::Loopback(house.registry().port()))?;
    let (_, name) = image.split_once('/').context("a reference without a registry")?;
    let reference = format!("registry:{}/{name}", relay.address());
    for read in ["verdict", "all"] {
        let mut inspect = command(&drydock(), ["inspect", "--json", "--read", read, &reference]);
        // A base that must change ends it with 1, and is as good to count bytes with.
        let output = inspect.output()?;
        let sent = relay.taken();
        let words: Value = serde_json::from_slice(&output.stdout)
            .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        let number = |name: &str| words["reading"][name].as_u64();
        let (layers, bytes) = (number("layers_read"), number("bytes_read"));
        let layers = usize::try_from(layers.context("no layers_read")?)?;
        // From the top: those are the ones that it had to read.
        let needed: u64 = layout.layers.iter().rev().take(layers).map(|layer| layer.size).sum();
        let limit = needed + layout.around + HEADERS * (layers as u64 + 2);
        ensure!(sent > 0, "the relay saw no byte of {reference}");
        let what = format!("registry, {name}, {read}: bytes sent");
        report.count(
            &what,
            sent,
            limit,
            &format!("bytes ({layers} layers of {needed}, {} read)", bytes.unwrap_or(0)),
        );
    }
    Ok(())
}

fn has(house: &House, program: &str) -> bool {
    let install = |root| packages::install(root, &[(program, program)]);
    find_program(program).is_some()
        || (house.root().is_some_and(|root| install(root).is_ok())
            && find_program(program).is_some())
}
