//! Sizes, durations and processors in Ellipsis' own grammar.

use crate::check::at;
use crate::fault::{Fault, quote};
use crate::standalone::definition::Definition;
use crate::yaml::{Entry, Map};
use crate::{Code, Sourced};

/// The bounds of a generation.
pub(super) struct Bounds {
    pub(super) cpu_millis: (u64, u64),
    pub(super) whole_cpus: bool,
    pub(super) memory_mib: (u64, u64),
    pub(super) timeout_s: (u64, u64),
}

/// Generation e3.
pub(super) const E3: Bounds = Bounds {
    cpu_millis: (125, 16_000),
    whole_cpus: false,
    memory_mib: (512, 64 << 10),
    timeout_s: (60, 3_600),
};
/// Generation e4.
pub(super) const E4: Bounds = Bounds { cpu_millis: (2_000, 32_000), whole_cpus: true, ..E3 };

/// Processors, in thousandths.
pub(super) fn cpu(definition: &mut Definition<'_>, bounds: &Bounds) -> Option<Sourced<u64>> {
    let entry = definition.entry(&["compute", "cpu"])?;
    let scalar = entry.value.as_scalar()?;
    let (least, most) = bounds.cpu_millis;
    let expected = if bounds.whole_cpus {
        format!("a whole number from {} to {} (generation e4)", least / 1000, most / 1000)
    } else {
        format!("a number from {} to {}", thousandths(least), thousandths(most))
    };
    let quoted = entry.value.as_text().is_some();
    let millis = if quoted { None } else { decimal(&scalar.text, 1000) };
    let good = millis.filter(|millis| {
        (least..=most).contains(millis) && (!bounds.whole_cpus || millis % 1000 == 0)
    });
    if good.is_none() {
        let (code, message) = match millis {
            Some(_) => (Code::OutOfRange, format!("`compute.cpu` is {}", quote(&scalar.text))),
            None => (
                Code::InvalidMeasure,
                format!("`compute.cpu` is {}, not a number", quote(&scalar.text)),
            ),
        };
        let number = scalar.text.parse::<f64>().is_ok() && quoted;
        let hint = number.then(|| format!("write `cpu: {}`, without quotes", scalar.text));
        let later = (millis.is_some_and(|millis| millis > most) && !bounds.whole_cpus)
            .then(|| String::from("generation e4 goes up to 32; its files have its hooks"));
        let fault = Fault::new(code, at(entry), message).expected(expected);
        definition.push(fault.maybe_hint(hint.or(later)));
    }
    good.map(|millis| definition.trace.authored(millis, at(entry)))
}

/// Memory, in MiB.
pub(super) fn memory(definition: &mut Definition<'_>, bounds: &Bounds) -> Option<Sourced<u64>> {
    const UNITS: Units = &[("gb", 1024), ("mb", 1)];
    let entry = definition.entry(&["compute", "memory"])?;
    let read = match entry.value.as_map() {
        Some(map) => sum(map, UNITS),
        None => entry.value.as_text().and_then(|text| single(text, UNITS)),
    };
    let written = Measure {
        name: "compute.memory",
        expected: "a size such as `8GB` or `512MB`, or `{gb: 8}`",
        range: "512MB to 64GB",
        unit: "GB",
    };
    bounded(definition, entry, read, bounds.memory_mib, &written)
}

/// The sandbox's wall clock, in seconds.
pub(super) fn timeout(definition: &mut Definition<'_>, bounds: &Bounds) -> Option<Sourced<u64>> {
    const UNITS: Units = &[("h", 3600), ("m", 60), ("s", 1)];
    let entry = definition.entry(&["compute", "timeout"])?;
    let read = match entry.value.as_map() {
        Some(map) => sum(map, &[("hours", 3600), ("minutes", 60), ("seconds", 1)]),
        None => entry.value.as_text().and_then(|text| several(text, UNITS)),
    };
    let written = Measure {
        name: "compute.timeout",
        expected: "a duration such as `30m` or `1h`, or `{minutes: 30}`",
        range: "60s to 1h (generation e1 went up to 24h)",
        unit: "m",
    };
    bounded(definition, entry, read, bounds.timeout_s, &written)
}

type Units = &'static [(&'static str, u64)];

struct Measure {
    name: &'static str,
    expected: &'static str,
    range: &'static str,
    unit: &'static str,
}

fn bounded(
    definition: &mut Definition<'_>,
    entry: &Entry,
    read: Option<u64>,
    (least, most): (u64, u64),
    measure: &Measure,
) -> Option<Sourced<u64>> {
    let name = measure.name;
    let shown = match entry.value.as_scalar() {
        Some(scalar) => quote(&scalar.text),
        None => String::from("a mapping"),
    };
    let fault = match read {
        Some(value) if (least..=most).contains(&value) => {
            return Some(definition.trace.authored(value, at(entry)));
        }
        // What a mapping lacks or holds too much of has its own finding.
        None if entry.value.as_map().is_some_and(|map| !map.entries().is_empty()) => return None,
        Some(_) => Fault::new(Code::OutOfRange, at(entry), format!("`{name}` is {shown}"))
            .expected(measure.range),
        None => {
            let number = entry.value.as_scalar().and_then(|scalar| scalar.text.parse::<u64>().ok());
            let key = name.rsplit('.').next().unwrap_or(name);
            let hint =
                number.map(|number| format!("name the unit: `{key}: {number}{}`", measure.unit));
            Fault::new(Code::InvalidMeasure, at(entry), format!("`{name}` is {shown}"))
                .expected(measure.expected)
                .maybe_hint(hint)
        }
    };
    definition.push(fault);
    None
}

/// `{gb: 8, mb: 512}`; nothing when no part is written.
fn sum(map: &Map, parts: &[(&str, u64)]) -> Option<u64> {
    let mut total: Option<u64> = None;
    for (name, factor) in parts {
        let Some(entry) = map.get(name).filter(|entry| !entry.value.is_null()) else { continue };
        let number = entry.value.as_scalar()?.whole_number()?;
        let part = u64::try_from(number).ok()?.checked_mul(*factor)?;
        total = Some(total.unwrap_or(0).checked_add(part)?);
    }
    total
}

/// A number and one unit: `8GB`, `1.5 gb`.
fn single(text: &str, units: Units) -> Option<u64> {
    let lower = text.trim().to_ascii_lowercase();
    units.iter().find_map(|(unit, factor)| decimal(lower.strip_suffix(unit)?.trim_end(), *factor))
}

/// Whole numbers with units, the larger first: `1h30m`.
fn several(text: &str, units: Units) -> Option<u64> {
    let lower = text.trim().to_ascii_lowercase();
    let mut rest = lower.as_str();
    let mut total: u64 = 0;
    let mut seen = false;
    for (unit, factor) in units {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, behind) = rest.split_at(digits);
        let Some(behind) = behind.strip_prefix(unit).filter(|_| digits > 0) else { continue };
        total = total.checked_add(number.parse::<u64>().ok()?.checked_mul(*factor)?)?;
        rest = behind;
        seen = true;
    }
    (seen && rest.is_empty()).then_some(total)
}

/// A decimal number times `factor`, if that is whole.
fn decimal(text: &str, factor: u64) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let scale = 10u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let fraction = if fraction.is_empty() { 0 } else { fraction.parse::<u64>().ok()? };
    let part = fraction.checked_mul(factor)?;
    let whole = whole.parse::<u64>().ok()?.checked_mul(factor)?;
    (part % scale == 0).then(|| whole.checked_add(part / scale))?
}

fn thousandths(millis: u64) -> String {
    let text = format!("{}.{:03}", millis / 1000, millis % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_units_are_read_exactly() {
        let units: Units = &[("gb", 1024), ("mb", 1)];
        assert_eq!(single("8GB", units), Some(8192));
        assert_eq!(single("1.5 gb", units), Some(1536));
        assert_eq!(single("0.3gb", units), None);
        assert_eq!(single("8", units), None);
        assert_eq!(single("8GiB", units), None);
        assert_eq!(single("99999999999999999999gb", units), None);
        let units: Units = &[("h", 3600), ("m", 60), ("s", 1)];
        assert_eq!(several("1h30m", units), Some(5400));
        assert_eq!(several("90s", units), Some(90));
        assert_eq!(several("30m1h", units), None);
        assert_eq!(several("m", units), None);
        assert_eq!(decimal("0.125", 1000), Some(125));
        assert_eq!(thousandths(125), "0.125");
    }
}
