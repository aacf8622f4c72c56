//! A dialect's fields as a JSON schema, so that an editor knows what the checks know.

use serde_json::{Map, Value, json};

use super::{Field, Object, Others, Shape, Standing, Texts, Word};

/// The field whose files are merged below a definition: with it, any mapping may be a part.
const MERGED_BELOW: &str = "imports";

/// The schema of a definition.
pub(crate) fn schema(object: &'static Object) -> Value {
    let mut schema = Map::new();
    schema.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    if object.fields.iter().any(|field| field.name == MERGED_BELOW) {
        schema.extend(members(object, Needs::Elsewhere));
        schema.insert("if".into(), json!({ "not": { "required": [MERGED_BELOW] } }));
        schema.insert("then".into(), Value::Object(needs(object)));
    } else {
        schema.extend(members(object, Needs::Here));
    }
    Value::Object(schema)
}

/// Where a mapping's required fields are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// With its other members.
    Here,
    /// In the condition that stands beside the whole.
    Elsewhere,
}

/// The required fields of a mapping and of those that are merged with it. A list is not merged but
/// replaced: what stands in it is whole.
fn needs(object: &'static Object) -> Map<String, Value> {
    let mut schema = Map::new();
    if let Some(required) = required(object) {
        schema.insert("required".into(), required);
    }
    let inner = |field: &'static Field| {
        let object = merged(&field.shape)?;
        let needs = needs(object);
        let whole = json!({ "if": { "type": "object" }, "then": needs });
        (!needs.is_empty()).then(|| (field.name.to_owned(), whole))
    };
    let properties: Map<String, Value> =
        object.fields.iter().filter(|field| has(field)).filter_map(inner).collect();
    if !properties.is_empty() {
        schema.insert("properties".into(), Value::Object(properties));
    }
    schema
}

/// The mapping that a shape is or can be.
fn merged(shape: &'static Shape) -> Option<&'static Object> {
    match shape {
        Shape::Object(object) => Some(object),
        Shape::Either(shapes) => shapes.iter().find_map(merged),
        _ => None,
    }
}

fn required(object: &'static Object) -> Option<Value> {
    let fields = object.fields.iter().filter(|field| has(field) && field.required);
    let names: Vec<&str> = fields.map(|field| field.name).collect();
    (!names.is_empty()).then(|| json!(names))
}

fn members(object: &'static Object, asked: Needs) -> Map<String, Value> {
    let current = || object.fields.iter().filter(|field| has(field));
    let mut schema = Map::new();
    schema.insert("description".into(), json!(object.what));
    schema.insert("type".into(), json!("object"));
    let properties: Map<String, Value> =
        current().map(|field| (field.name.to_owned(), property(field, asked))).collect();
    schema.insert("properties".into(), Value::Object(properties));
    if asked == Needs::Here
        && let Some(required) = required(object)
    {
        schema.insert("required".into(), required);
    }
    if object.others == Others::Refused {
        schema.insert("additionalProperties".into(), json!(false));
    }
    schema
}

fn has(field: &Field) -> bool {
    !matches!(field.standing, Standing::Refused { .. })
}

fn property(field: &'static Field, asked: Needs) -> Value {
    let mut schema = of(&field.shape, asked);
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

fn of(shape: &'static Shape, asked: Needs) -> Value {
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
            let mut schema = json!({ "type": "array", "items": of(item, Needs::Here) });
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
        Shape::Object(object) => Value::Object(members(object, asked)),
        Shape::Names(item) => {
            json!({ "type": "object", "additionalProperties": of(item, Needs::Here) })
        }
        Shape::Either(shapes) => {
            let current = shapes.iter().filter(|shape| !super::check::is_former(shape));
            let mut all: Vec<Value> = current.map(|shape| of(shape, asked)).collect();
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
