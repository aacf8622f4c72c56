//! The plan as a table of values, each with where it comes from.

use std::fmt::Write as _;

use environment::{
    Base, Network, ResolvedEnvironment, Sourced, Variable, VariableLayer, VariableValue,
};

use super::origin::{at, origin};
use super::rows::Rows;
use super::{printable, shortened};
use crate::{Instruction, InstructionKind, Plan};

/// Shows a plan and the environment that it was made from.
#[must_use]
pub fn human(plan: &Plan, environment: &ResolvedEnvironment) -> String {
    let mut text = values(plan, environment).text();
    let _ = writeln!(text, "\nThe Dockerfile, in order:");
    text.push_str(&instructions(plan).text());
    if !plan.snapshot_key.parts.is_empty() {
        let _ = writeln!(text, "\nThe snapshot is made anew when one of these changes:");
    }
    let mut key = Rows::default();
    for part in &plan.snapshot_key.parts {
        key.add(&format!("  {}", part.name), &part.digest[..12], &part.changes_when);
    }
    text.push_str(&key.text());
    let _ = writeln!(text, "\nA passing check does not prove:");
    let mut gaps = Rows::default();
    for gap in &plan.not_proven {
        gaps.add(&format!("  {}", printable(&gap.what)), printable(&gap.why), "");
    }
    text.push_str(&gaps.text());
    text
}

fn values(plan: &Plan, environment: &ResolvedEnvironment) -> Rows {
    let mut rows = Rows::default();
    let mut add = |what: &str, value: &Sourced<String>| {
        rows.add(what, printable(&value.value), origin(&value.basis));
    };
    if let Some(name) = &environment.origin.name {
        add("environment", name);
    }
    if let Some(agent) = &environment.origin.agent {
        add("agent", agent);
    }
    base(&mut rows, &environment.base);
    if let Some(contract) = &environment.contract {
        rows.add("contract", contract.value.as_str(), origin(&contract.basis));
    }
    rows.add("platform", plan.platform.as_str(), "");
    let accounts = &environment.accounts;
    rows.add("steps run as", accounts.build.value.as_str(), origin(&accounts.build.basis));
    rows.add("setup runs as", accounts.session.value.as_str(), origin(&accounts.session.basis));
    rows.add("home", accounts.home.value.as_str(), origin(&accounts.home.basis));
    match &environment.workdir {
        Some(workdir) => rows.add("starts in", printable(&workdir.value), origin(&workdir.basis)),
        None => rows.add("starts in", "nowhere: setup is skipped", ""),
    }
    for checkout in &environment.checkouts {
        let at_hand = plan.checkout.as_ref().is_some_and(|one| one.path == checkout.path.value);
        let note = if at_hand { "" } else { " (not at hand)" };
        let (repository, path) = (&checkout.repository.value, &checkout.path.value);
        let value = printable(&format!("{repository} at {path}{note}"));
        rows.add("checkout", value, origin(&checkout.repository.basis));
    }
    variables(&mut rows, environment);
    compute(&mut rows, environment);
    match &environment.network {
        Network::Unspecified => rows.add("network", "not in this format", ""),
        Network::Unrestricted => rows.add("network", "unrestricted", ""),
        Network::Limited { hosts, package_managers, mcp_servers } => {
            let mut open: Vec<String> =
                hosts.iter().map(|host| printable(&host.value).to_string()).collect();
            open.extend(package_managers.value.then(|| "package managers".to_owned()));
            open.extend(mcp_servers.value.then(|| "MCP servers".to_owned()));
            let open = if open.is_empty() { "nothing".to_owned() } else { open.join(", ") };
            rows.add("network", format!("limited to {open}"), origin(&package_managers.basis));
        }
    }
    if let Some(seconds) = plan.snapshot_key.reusable_for_s {
        rows.add("snapshot lasts", duration(seconds), ttl_origin(environment));
    }
    rows.add("plan", &plan.digest[..12.min(plan.digest.len())], "");
    rows
}

fn base(rows: &mut Rows, base: &Base) {
    match base {
        Base::Preset { name, reference } => {
            rows.add("preset", printable(&name.value), origin(&name.basis));
            rows.add("base", reference.value.as_str(), origin(&reference.basis));
        }
        Base::Image { reference } => {
            rows.add("base", reference.value.as_str(), origin(&reference.basis));
        }
        Base::Vendor { name, stand_in } => {
            rows.add("vendor image", printable(&name.value), origin(&name.basis));
            rows.add("stand-in", stand_in.value.as_str(), origin(&stand_in.basis));
        }
    }
}

fn variables(rows: &mut Rows, environment: &ResolvedEnvironment) {
    for variable in &environment.variables {
        let value = match &variable.value {
            VariableValue::Literal { text } => {
                format!("{}={}", variable.name.value, shortened(&text.value, 30))
            }
            VariableValue::Secret { name, .. } => {
                format!(
                    "{} from the secret {}",
                    variable.name.value,
                    printable(name.value.as_str())
                )
            }
        };
        let agents = |other: &Variable| {
            other.layer == VariableLayer::Agent && other.name.value == variable.name.value
        };
        let what = match variable.layer {
            VariableLayer::Agent => "agent's variable",
            VariableLayer::Environment if environment.variables.iter().any(agents) => {
                "variable, not used"
            }
            VariableLayer::Environment => "variable",
        };
        rows.add(what, value, origin(&variable.name.basis));
    }
}

fn compute(rows: &mut Rows, environment: &ResolvedEnvironment) {
    let compute = &environment.compute;
    if let Some(cpu) = &compute.cpu_millis {
        let (whole, rest) = (cpu.value / 1000, cpu.value % 1000);
        let value = if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}") };
        rows.add("processors", value, origin(&cpu.basis));
    }
    if let Some(memory) = &compute.memory_mib {
        rows.add("memory", format!("{} MiB", memory.value), origin(&memory.basis));
    }
}

fn ttl_origin(environment: &ResolvedEnvironment) -> String {
    let mut layers = environment.reuse.layers.iter();
    let ttl = layers.find(|layer| layer.name == "snapshot").and_then(|layer| layer.ttl_s.as_ref());
    ttl.map_or_else(String::new, |ttl| origin(&ttl.basis))
}

fn instructions(plan: &Plan) -> Rows {
    let mut rows = Rows::default();
    for instruction in &plan.instructions {
        let last = instruction.line + instruction.lines.saturating_sub(1);
        let lines = if instruction.lines > 1 {
            format!("  {}-{last}", instruction.line)
        } else {
            format!("  {}", instruction.line)
        };
        let place = instruction.place.as_ref();
        let place = place.map_or_else(String::new, at);
        rows.add(&lines, title(instruction), place);
    }
    rows
}

/// What an instruction is, in a few words.
fn title(instruction: &Instruction) -> String {
    if let Some(purpose) = super::purpose(instruction) {
        return purpose.to_owned();
    }
    match (instruction.kind, &instruction.name) {
        (InstructionKind::Setup, Some(name)) => format!("setup {}", printable(name)),
        (InstructionKind::Setup, None) => instruction.stage.to_string(),
        _ => {
            let is_remark =
                |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
            let line = instruction.text.lines().find(|line| !is_remark(line)).unwrap_or_default();
            shortened(line, 44)
        }
    }
}

/// Seconds in the largest unit that divides them.
fn duration(seconds: u64) -> String {
    let units = [(86_400, "d"), (3_600, "h"), (60, "m")];
    let unit = units.iter().find(|(size, _)| seconds >= *size && seconds.is_multiple_of(*size));
    unit.map_or_else(|| format!("{seconds}s"), |(size, unit)| format!("{}{unit}", seconds / size))
}
