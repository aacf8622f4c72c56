//! `env`: variables with a literal text or the name of a secret.

use super::reader::Reader;
use crate::check::{Field, at};
use crate::fault::{Fault, quote};
use crate::yaml::{Entry, Map};
use crate::{Code, EnvKey, OnMissing, SecretName, Variable, VariableLayer, VariableValue};

pub(super) const SECRET_KEYS: &[&str] = &["$secret", "optional"];
const SECRET_SHAPE: &str = "`{ $secret: name }`, with `optional: true` where it may be missing";

pub(super) fn read(
    reader: &mut Reader<'_>,
    field: Field<'_>,
    entry: &Entry,
    layer: VariableLayer,
) -> Vec<Variable> {
    let Some(map) = reader.checks.map(field, at(entry), &entry.value) else { return Vec::new() };
    map.entries().iter().filter_map(|entry| variable(reader, field, entry, layer)).collect()
}

fn variable(
    reader: &mut Reader<'_>,
    field: Field<'_>,
    entry: &Entry,
    layer: VariableLayer,
) -> Option<Variable> {
    let name = key(reader, entry);
    let field = field.key(&entry.key.text);
    let value = match entry.value.as_map() {
        Some(map) => secret(reader, field, entry, map),
        None => {
            let span = at(entry);
            let text = reader.checks.text(field, span, &entry.value).map(str::to_owned);
            text.map(|text| VariableValue::Literal { text: reader.trace.authored(text, span) })
        }
    };
    let name = reader.trace.authored(name?, entry.key.span);
    Some(Variable { name, value: value?, layer })
}

fn key(reader: &mut Reader<'_>, entry: &Entry) -> Option<EnvKey> {
    let text = &*entry.key.text;
    let key = text.parse().ok();
    if key.is_none() {
        let mended: String =
            text.trim().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let good = mended.len() < 80 && mended.parse::<EnvKey>().is_ok();
        let message = format!("{} is not the name of a variable", quote(text));
        let fault = Fault::new(Code::InvalidEnvKey, entry.key.span, message)
            .expected(EnvKey::EXPECTED)
            .maybe_hint(good.then(|| format!("write `{mended}`")));
        reader.push(fault);
    }
    key
}

fn secret(
    reader: &mut Reader<'_>,
    field: Field<'_>,
    entry: &Entry,
    map: &Map,
) -> Option<VariableValue> {
    let Some(secret) = map.get("$secret") else {
        let near = map.entries().iter().find(|entry| {
            matches!(
                &*entry.key.text.to_ascii_lowercase(),
                "secret" | "$secrets" | "secrets" | "$secret"
            )
        });
        let (span, message) = match near {
            Some(near) => {
                (near.key.span, format!("`{field}` has the key {}", quote(&near.key.text)))
            }
            None => (at(entry), format!("`{field}` is a mapping without `$secret`")),
        };
        let fault = Fault::new(Code::SecretReference, span, message)
            .expected(SECRET_SHAPE)
            .maybe_hint(near.map(|_| String::from("write `$secret`, with the dollar sign")));
        reader.push(fault);
        return None;
    };
    reader.checks.known_keys(field, map, SECRET_KEYS);
    let on_missing = match map.get("optional") {
        None => Some(OnMissing::Fail),
        Some(entry) => {
            let optional = reader.checks.boolean(field.key("optional"), at(entry), &entry.value);
            optional.map(|optional| if optional { OnMissing::Omit } else { OnMissing::Fail })
        }
    };
    let span = at(secret);
    let text = reader.checks.text(field.key("$secret"), span, &secret.value)?;
    let Ok(name) = text.trim().parse::<SecretName>() else {
        let message = format!("{} is not the name of a secret", quote(text));
        let fault = Fault::new(Code::SecretReference, span, message).expected(SecretName::EXPECTED);
        reader.push(fault);
        return None;
    };
    Some(VariableValue::Secret { name: reader.trace.authored(name, span), on_missing: on_missing? })
}
