//! A definition as a tree that a test can print as JSON, prune, and change in one place.

use std::collections::HashMap;
use std::fmt::Write as _;

use saphyr_parser::{Event, Parser, ScalarStyle};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tree {
    Text(String),
    /// A number, a boolean or nothing, as it is written.
    Plain(String),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// Reads YAML without any code of ours: anchors are resolved, styles forgotten.
    pub(crate) fn read(text: &str) -> Self {
        let mut open: Vec<(usize, bool, Vec<Self>)> = Vec::new();
        let mut anchors = HashMap::new();
        for event in Parser::new_from_str(text.trim_start_matches('\u{feff}')) {
            let (anchor, done) = match event.expect("a good case is YAML").0 {
                Event::Scalar(text, style, anchor, _) => (anchor, scalar(&text, style)),
                Event::Alias(anchor) => (0, Self::clone(&anchors[&anchor])),
                Event::SequenceStart(anchor, _) => {
                    open.push((anchor, false, Vec::new()));
                    continue;
                }
                Event::MappingStart(anchor, _) => {
                    open.push((anchor, true, Vec::new()));
                    continue;
                }
                Event::SequenceEnd | Event::MappingEnd => {
                    let (anchor, is_map, items) = open.pop().expect("an end has a beginning");
                    (anchor, if is_map { map(items) } else { Self::List(items) })
                }
                _ => continue,
            };
            anchors.insert(anchor, done.clone());
            match open.last_mut() {
                Some((_, _, items)) => items.push(done),
                None => return done,
            }
        }
        panic!("nothing is written in {text:?}")
    }

    /// Prints it as JSON.
    pub(crate) fn json(&self) -> String {
        match self {
            Self::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::Plain(text) => text.clone(),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::json).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Map(entries) => {
                let mut text = String::from("{");
                for (index, (name, value)) in entries.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    let name = serde_json::Value::from(name.as_str());
                    write!(text, "{comma}{name}: {}", value.json()).expect("a text takes all");
                }
                text + "}"
            }
        }
    }

    /// The scalars in it, in order.
    pub(crate) fn leaves(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Text(_) | Self::Plain(_) => vec![self],
            Self::List(items) => items.iter_mut().flat_map(Self::leaves).collect(),
            Self::Map(entries) => {
                entries.iter_mut().flat_map(|(_, value)| value.leaves()).collect()
            }
        }
    }

    /// Leaves out the entry or item that `pick` lands on.
    pub(crate) fn prune(&mut self, pick: usize) {
        let below = match self {
            Self::Text(_) | Self::Plain(_) => return,
            Self::List(items) => items.len(),
            Self::Map(entries) => entries.len(),
        };
        if below == 0 {
            return;
        }
        let (at, deeper) = (pick % below, pick / below);
        match self {
            Self::List(items) if deeper % 2 == 0 => drop(items.remove(at)),
            Self::Map(entries) if deeper % 2 == 0 => drop(entries.remove(at)),
            Self::List(items) => items[at].prune(deeper / 2),
            Self::Map(entries) => entries[at].1.prune(deeper / 2),
            Self::Text(_) | Self::Plain(_) => {}
        }
    }

    /// Another value of the same kind.
    pub(crate) fn change(&mut self) {
        let changed = match &*self {
            Self::Text(text) => Self::Text(format!("{text}x")),
            Self::Plain(text) => match text.as_str() {
                "true" => Self::Plain("false".to_owned()),
                "false" => Self::Plain("true".to_owned()),
                "null" => Self::Text("x".to_owned()),
                number => Self::Plain(format!("1{number}")),
            },
            Self::List(_) | Self::Map(_) => return,
        };
        *self = changed;
    }
}

fn scalar(text: &str, style: ScalarStyle) -> Tree {
    let is_json = serde_json::from_str::<serde_json::Value>(text).is_ok();
    match text {
        _ if style != ScalarStyle::Plain => Tree::Text(text.to_owned()),
        "" | "~" => Tree::Plain("null".to_owned()),
        _ if is_json => Tree::Plain(text.to_owned()),
        _ => Tree::Text(text.to_owned()),
    }
}

fn map(items: Vec<Tree>) -> Tree {
    let mut items = items.into_iter();
    let mut entries = Vec::new();
    while let (Some(Tree::Text(name) | Tree::Plain(name)), Some(value)) =
        (items.next(), items.next())
    {
        entries.push((name, value));
    }
    Tree::Map(entries)
}
