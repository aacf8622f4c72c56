//! The test engine's bridge: a network of its own, and the uplink's MTU.

mod network;

use std::fs;

use anyhow::{Context, Result};

use crate::command::{capture, command, quiet, succeeds};
use crate::root::Root;

/// Makes the bridge and returns its MTU.
pub(crate) fn create(root: Root, name: &str) -> Result<u32> {
    let mtu = uplink_mtu()?;
    let network = network::free()?;
    let (address, subnet) = (network.first_host(), network.to_string());
    quiet(&mut root.command("ip", ["link", "add", name, "type", "bridge"]))?;
    quiet(&mut root.command("ip", ["addr", "add", &address, "dev", name]))?;
    quiet(&mut root.command("ip", ["link", "set", name, "mtu", &mtu.to_string(), "up"]))?;
    for rule in rules(name, &subnet) {
        quiet(&mut iptables(root, "-I", &rule))?;
    }
    Ok(mtu)
}

/// Removes the bridge and its rules, as far as they are there.
pub(crate) fn remove(root: Root, name: &str) {
    let Ok(address) = capture(&mut command("ip", ["-4", "-o", "addr", "show", name])) else {
        return;
    };
    for rule in
        network::first_in(&address).map(|net| rules(name, &net.to_string())).iter().flatten()
    {
        while succeeds(&mut iptables(root, "-D", rule)) {}
    }
    succeeds(&mut root.command("ip", ["link", "delete", name]));
}

/// What dockerd would add for its own bridge: containers reach out under the host's address, and answers come back.
fn rules(name: &str, subnet: &str) -> [String; 3] {
    [
        format!("-t nat CHAIN POSTROUTING -s {subnet} ! -o {name} -j MASQUERADE"),
        format!("-t filter CHAIN FORWARD -i {name} -j ACCEPT"),
        format!(
            "-t filter CHAIN FORWARD -o {name} -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT"
        ),
    ]
}

fn iptables(root: Root, verb: &str, rule: &str) -> std::process::Command {
    let words = rule.split(' ').map(|word| if word == "CHAIN" { verb } else { word });
    root.command("iptables", std::iter::once("-w").chain(words))
}

/// A bridge with a larger MTU than the uplink's loses large packets: small downloads work, large ones hang for ever.
fn uplink_mtu() -> Result<u32> {
    let routes = fs::read_to_string("/proc/net/route").context("cannot read the routes")?;
    let Some(uplink) = routes
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .find_map(|fields| (fields.get(1) == Some(&"00000000")).then(|| fields[0].to_owned()))
    else {
        return Ok(1500);
    };
    let mtu = fs::read_to_string(format!("/sys/class/net/{uplink}/mtu"))?;
    mtu.trim().parse().with_context(|| format!("the MTU of {uplink} is no number"))
}
