//! Parser events to a tree, within limits. The first fault that hides the rest ends the reading.

use std::collections::HashMap;
use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

use super::cursor::{Cursor, crowded_line, line_at};
use super::hint::{comment_of_another_language, cut_by_comment, syntax_hint};
use super::{Core, Entry, FileId, Key, Map, Node, Scalar, Span, Style, Value, Weight};
use crate::Code;
use crate::fault::{Fault, quote};
use crate::limits::{DEPTH, MARKS_IN_LINE, NODES, TEXT_BYTES};

/// Reads one file. `None` when it holds no value that can be used; then there is a fault.
pub(crate) fn read(file: FileId, text: &str, faults: &mut Vec<Fault>) -> Option<Node> {
    if let Some(offset) = crowded_line(text) {
        let message = format!("more than {MARKS_IN_LINE} punctuation marks on one line");
        faults.push(*limit(Span::of(file, text, offset), message));
        return None;
    }
    let mut builder = Builder {
        cursor: Cursor::new(file, text),
        faults,
        open: Vec::new(),
        anchors: HashMap::new(),
        used: Weight::default(),
        root: None,
    };
    match builder.run() {
        Ok(()) => {
            let root = builder.root;
            if root.as_ref().is_none_or(Node::is_null) {
                let at = Span::start_of(file);
                let fault = Fault::new(Code::YamlEmpty, at, "the file holds no value")
                    .expected("a mapping with the agent's fields");
                faults.push(fault);
                return None;
            }
            root
        }
        Err(fault) => {
            faults.push(*fault);
            None
        }
    }
}

type Step = Result<(), Box<Fault>>;

struct Builder<'t, 'f> {
    cursor: Cursor<'t>,
    faults: &'f mut Vec<Fault>,
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    used: Weight,
    root: Option<Node>,
}

/// A list or mapping whose end has not come yet.
struct Open {
    span: Span,
    anchor: usize,
    content: Content,
}

enum Content {
    List(Vec<Node>),
    Map { map: Map, next: Next },
}

/// What a mapping waits for.
enum Next {
    Key,
    Value(Key),
    /// The value of a key that cannot be used.
    Dropped,
}

impl Builder<'_, '_> {
    fn run(&mut self) -> Step {
        let mut parser = Parser::new_from_str(self.cursor.text);
        let mut documents = 0;
        while let Some(next) = parser.next_event() {
            let (event, span) = next.map_err(|error| self.syntax(&error))?;
            let span = self.cursor.span(span);
            match event {
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents == 2 {
                        let message = "a second document starts here";
                        let fault = Fault::new(Code::YamlMultipleDocuments, span, message)
                            .expected("one document in each file")
                            .hint("put it into a file of its own, or remove the `---`");
                        return Err(Box::new(fault));
                    }
                }
                Event::Alias(anchor) => self.alias(anchor, span)?,
                Event::Scalar(text, style, anchor, tag) => {
                    let scalar = self.scalar(text.into(), style, tag.as_deref(), span);
                    self.faults.extend(cut_by_comment(self.cursor.text, &scalar, span));
                    self.value(Node::new(span, Value::Scalar(scalar)), anchor)?;
                }
                Event::SequenceStart(anchor, tag) => {
                    self.collection_tag(tag.as_deref(), "seq", span);
                    self.start(span, anchor, Content::List(Vec::new()))?;
                }
                Event::MappingStart(anchor, tag) => {
                    self.collection_tag(tag.as_deref(), "map", span);
                    self.start(
                        span,
                        anchor,
                        Content::Map { map: Map::default(), next: Next::Key },
                    )?;
                }
                Event::SequenceEnd | Event::MappingEnd => self.end()?,
                Event::StreamEnd => break,
                Event::Nothing | Event::StreamStart | Event::DocumentEnd => {}
            }
        }
        Ok(())
    }

    fn start(&mut self, span: Span, anchor: usize, content: Content) -> Step {
        self.open.push(Open { span, anchor, content });
        if self.depth(0) > DEPTH {
            return Err(limit(span, format!("nested deeper than {DEPTH} levels")));
        }
        self.count(Weight { nodes: 1, ..Weight::default() }, span)
    }

    fn end(&mut self) -> Step {
        let Some(Open { span, anchor, content }) = self.open.pop() else { return Ok(()) };
        let value = match content {
            Content::List(items) => Value::List(items),
            Content::Map { map, .. } => Value::Map(map),
        };
        self.place(Node::new(span, value), anchor);
        Ok(())
    }

    /// A scalar: counted here, since it has no start.
    fn value(&mut self, node: Node, anchor: usize) -> Step {
        self.count(node.weight(), node.span())?;
        self.place(node, anchor);
        Ok(())
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Step {
        let Some(node) = self.anchors.get(&anchor).cloned() else {
            let message = "the alias stands inside the value that it names";
            return Err(Box::new(Fault::new(Code::YamlSyntax, span, message)));
        };
        if self.depth(node.weight().height) > DEPTH {
            return Err(limit(span, format!("nested deeper than {DEPTH} levels")));
        }
        self.count(node.weight(), span)?;
        self.place(node, 0);
        Ok(())
    }

    fn depth(&self, more: u32) -> u32 {
        u32::try_from(self.open.len()).unwrap_or(u32::MAX).saturating_add(more)
    }

    fn count(&mut self, weight: Weight, at: Span) -> Step {
        self.used.nodes = self.used.nodes.saturating_add(weight.nodes);
        self.used.bytes = self.used.bytes.saturating_add(weight.bytes);
        if self.used.nodes > NODES {
            let message = format!("more than {NODES} values, counting aliases each time");
            return Err(limit(at, message));
        }
        if self.used.bytes > TEXT_BYTES {
            let message =
                format!("more than {TEXT_BYTES} bytes of text, counting aliases each time");
            return Err(limit(at, message));
        }
        Ok(())
    }

    /// Puts a complete value where it belongs.
    fn place(&mut self, node: Node, anchor: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        match &mut open.content {
            Content::List(items) => items.push(node),
            Content::Map { map, next } => match std::mem::replace(next, Next::Key) {
                Next::Key => *next = key(&node, self.faults),
                Next::Value(key) => put(map, Entry { key, value: node }, self.faults),
                Next::Dropped => {}
            },
        }
    }

    fn scalar(
        &mut self,
        text: Box<str>,
        style: ScalarStyle,
        tag: Option<&Tag>,
        span: Span,
    ) -> Scalar {
        let style = match style {
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
        };
        let untagged = if style == Style::Plain { Core::of_plain(&text) } else { Core::Text };
        let core = match tag {
            None => untagged,
            Some(tag) if is_core(tag, "str") || (tag.handle.is_empty() && tag.suffix == "!") => {
                Core::Text
            }
            Some(tag) if ["int", "float", "bool", "null"].iter().any(|name| is_core(tag, name)) => {
                Core::of_plain(&text)
            }
            Some(tag) => {
                self.odd_tag(tag, span);
                untagged
            }
        };
        Scalar { text, core, style }
    }

    fn collection_tag(&mut self, tag: Option<&Tag>, wanted: &str, span: Span) {
        if let Some(tag) = tag.filter(|tag| !is_core(tag, wanted)) {
            self.odd_tag(tag, span);
        }
    }

    fn odd_tag(&mut self, tag: &Tag, span: Span) {
        let message = format!("the tag {} has no meaning here", quote(&tag_text(tag)));
        let fault = Fault::new(Code::YamlTag, span, message)
            .expected("a plain value")
            .hint("remove the tag; a secret is written `{ $secret: name }`");
        self.faults.push(fault);
    }

    fn syntax(&mut self, error: &ScanError) -> Box<Fault> {
        let marker = *error.marker();
        let span = self.cursor.span(saphyr_parser::Span::new(marker, marker));
        let line = line_at(self.cursor.text, span.offset as usize);
        let fault = Fault::new(Code::YamlSyntax, span, error.info().to_lowercase());
        Box::new(match syntax_hint(error.info(), line) {
            Some(hint) => fault.hint(hint),
            None => fault,
        })
    }
}

fn limit(at: Span, message: String) -> Box<Fault> {
    Box::new(
        Fault::new(Code::DefinitionLimit, at, message)
            .hint("split the definition into fragments, or write less into it"),
    )
}

fn key(node: &Node, faults: &mut Vec<Fault>) -> Next {
    let span = node.span();
    match node.value() {
        Value::Scalar(scalar) if scalar.style == Style::Plain && &*scalar.text == "<<" => {
            let fault = Fault::new(Code::YamlMergeKey, span, "`<<` is a merge key of YAML 1.1")
                .expected("the keys themselves")
                .hint("write the keys out, or share them through `imports` and a fragment");
            faults.push(fault);
            Next::Dropped
        }
        Value::Scalar(scalar) => {
            if let Some(fault) = comment_of_another_language(scalar, span) {
                faults.push(fault);
            }
            Next::Value(Key { text: Arc::from(&*scalar.text), span })
        }
        Value::List(_) | Value::Map(_) => {
            let fault = Fault::new(Code::YamlKey, span, "a list or a mapping stands as a key")
                .expected("a name")
                .hint("if the name starts with `[` or `{`, put it into quotes");
            faults.push(fault);
            Next::Dropped
        }
    }
}

fn put(map: &mut Map, entry: Entry, faults: &mut Vec<Fault>) {
    if let Some(first) = map.get(&entry.key.text) {
        let message = format!("the key {} stands here twice", quote(&entry.key.text));
        let fault = Fault::new(Code::YamlDuplicateKey, entry.key.span, message)
            .expected("each key once")
            .hint("keep one of the two")
            .related(first.key.span, "first written here");
        faults.push(fault);
        return;
    }
    map.put(entry);
}

fn is_core(tag: &Tag, name: &str) -> bool {
    tag.is_yaml_core_schema() && tag.suffix == name
}

fn tag_text(tag: &Tag) -> String {
    if tag.is_yaml_core_schema() {
        format!("!!{}", tag.suffix)
    } else {
        format!("{}{}", tag.handle, tag.suffix)
    }
}
