//! Finds an IPv4 network that no address and no route of this machine touches.

use std::fmt;
use std::net::Ipv4Addr;

use anyhow::{Context, Result};

use crate::command::{capture, command};

/// An IPv4 network: its address, and the length of its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Network {
    address: Ipv4Addr,
    prefix: u32,
}

impl Network {
    /// The first address of a host in it, with the prefix, as `ip addr add` takes it.
    pub(super) fn first_host(self) -> String {
        format!("{}/{}", Ipv4Addr::from(u32::from(self.address) + 1), self.prefix)
    }

    /// `a.b.c.d/n`, whatever bits are set behind the prefix.
    fn parse(word: &str) -> Option<Self> {
        let (address, prefix) = word.split_once('/')?;
        let (address, prefix) = (address.parse::<Ipv4Addr>().ok()?, prefix.parse().ok()?);
        let address = Ipv4Addr::from(u32::from(address) & mask(prefix)?);
        Some(Self { address, prefix })
    }

    fn overlaps(self, other: Self) -> bool {
        let mask = mask(self.prefix.min(other.prefix)).unwrap_or_default();
        u32::from(self.address) & mask == u32::from(other.address) & mask
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

/// A /24 that is free on this machine.
pub(super) fn free() -> Result<Network> {
    let routes = capture(&mut command("ip", ["-4", "route"]))?;
    let addresses = capture(&mut command("ip", ["-4", "-o", "addr"]))?;
    free_beside(&(routes + &addresses))
        .context("every network that the test engine could use is taken")
}

/// The first network that a line of `ip` names.
pub(super) fn first_in(text: &str) -> Option<Network> {
    text.split_whitespace().find_map(Network::parse)
}

fn free_beside(used: &str) -> Option<Network> {
    let used: Vec<Network> = used.split_whitespace().filter_map(Network::parse).collect();
    // Far from where Docker's own pools begin (172.17 and 192.168.0), so that a network that a user's engine makes
    // later does not land here.
    let candidates = (200..255)
        .map(|second| Ipv4Addr::new(10, second, 77, 0))
        .chain((0..=255).map(|third| Ipv4Addr::new(172, 31, third, 0)))
        .chain((0..=255).rev().map(|third| Ipv4Addr::new(192, 168, third, 0)));
    candidates
        .map(|address| Network { address, prefix: 24 })
        .find(|candidate| !used.iter().any(|used| used.overlaps(*candidate)))
}

fn mask(prefix: u32) -> Option<u32> {
    match prefix {
        0 => Some(0),
        1..=32 => Some(u32::MAX << (32 - prefix)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{first_in, free_beside};

    #[test]
    fn a_network_that_holds_a_candidate_or_lies_in_one_rules_it_out() {
        for (used, free) in [
            ("default via 192.0.2.1 dev eth0", "10.200.77.0/24"),
            ("10.200.77.128/25 dev a", "10.201.77.0/24"),
            ("10.200.0.0/15 dev a", "10.202.77.0/24"),
            ("10.0.0.0/8 via 192.0.2.1", "172.31.0.0/24"),
            ("10.0.0.0/8 dev a 172.16.0.0/12 dev b", "192.168.255.0/24"),
        ] {
            assert_eq!(free_beside(used).unwrap().to_string(), free, "{used}");
        }
        assert_eq!(free_beside("0.0.0.0/0 dev tunnel"), None);
    }

    #[test]
    fn a_line_of_ip_names_a_network_by_an_address_in_it() {
        let line = "5: drydock-xtask    inet 10.200.77.1/24 scope global drydock-xtask";
        assert_eq!(first_in(line).unwrap().to_string(), "10.200.77.0/24");
        assert_eq!(first_in(line).unwrap().first_host(), "10.200.77.1/24");
    }
}
