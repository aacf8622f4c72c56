//! A dialect's fields as a JSON schema, so that an editor knows what the checks know.

use serde_json::{Map, Value, json};

use super::{Field, Object, Others, Shape, Standing, Texts, Word};

/// The schema of a definition.
pub(crate) fn schema(object: &'static Object) -> Value {
    let mut schema = Map::new();
    schema.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.extend(members(object));
    Value::Object(schema)
}

fn members(object: &'static Object) -> Map<String, Value> {
    let current = || object.fields.iter().filter(|field| has(field));
    let mut schema = Map::new();
    schema.insert("description".into(), json!(object.what));
    schema.insert("type".into(), json!("object"));
    let properties: Map<String, Value> =
        current().map(|field| (field.name.to_owned(), property(field))).collect();
    schema.insert("properties".into(), Value::Object(properties));
    let required: Vec<&str> =
        current().filter(|field| field.required).map(|field| field.name).collect();
    if !required.is_empty() {
        schema.insert("required".into(), json!(required));
    }
    if object.others == Others::Refused {
        schema.insert("additionalProperties".into(), json!(false));
    }
    schema
}

fn has(field: &Field) -> bool {
    !matches!(field.standing, Standing::Refused { .. })
}

fn property(field: &'static Field) -> Value {
    let mut schema = of(&field.shape);
    if !field.required {
        schema = or_null(schema);
    }
    if let Value::Object(members) = &mut schema {
        let default =
            field.default.map(|default| format!(" Default: {default}.")).unwrap_or_default();
        let text = format!("{}{default} Drydock: {}.", field.what, field.does.name());
        members.insert("description".into(), json!(text));
        if let Standing::Alias { .. } = field.standing {
            members.insert("deprecated".into(), json!(true));
        }
    }
    schema
}

/// An optional field may also be written as nothing.
fn or_null(schema: Value) -> Value {
    match &schema {
        Value::Object(members) if members.is_empty() => schema,
        Value::Object(_) => json!({ "anyOf": [schema, { "type": "null" }] }),
        _ => schema,
    }
}

fn of(shape: &'static Shape) -> Value {
    match shape {
        Shape::Text(texts) => text(texts),
        Shape::Word(words) => {
            json!({ "enum": words.iter().filter(|word| taken(word)).map(|word| word.name).collect::<Vec<_>>() })
        }
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Whole { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Shape::Measure(grammar) => {
            json!({ "type": ["string", "number"], "title": grammar })
        }
        Shape::List { item, least, most } => {
            let mut schema = json!({ "type": "array", "items": of(item) });
            if let Value::Object(members) = &mut schema {
                if *least > 0 {
                    members.insert("minItems".into(), json!(least));
                }
                if *most < usize::MAX {
                    members.insert("maxItems".into(), json!(most));
                }
            }
            schema
        }
        Shape::Object(object) => Value::Object(members(object)),
        Shape::Names(item) => json!({ "type": "object", "additionalProperties": of(item) }),
        Shape::Either(shapes) => {
            let current = shapes.iter().filter(|shape| !super::check::is_former(shape));
            let mut all: Vec<Value> = current.map(of).collect();
            if all.len() == 1 { all.remove(0) } else { json!({ "anyOf": all }) }
        }
        Shape::Former { .. } => json!(false),
        Shape::Anything => json!({}),
    }
}

fn taken(word: &Word) -> bool {
    !matches!(word.standing, Standing::Refused { .. })
}

fn text(texts: &Texts) -> Value {
    let mut schema = Map::new();
    schema.insert("type".into(), json!("string"));
    if texts.least > 0 {
        schema.insert("minLength".into(), json!(texts.least));
    }
    if texts.most < usize::MAX {
        schema.insert("maxLength".into(), json!(texts.most));
    }
    if let Some((_, words)) = texts.grammar {
        schema.insert("title".into(), json!(words));
    }
    Value::Object(schema)
}
