//! What kind of line it is: a title, an output line of a step, an error, a frame, plain text.

/// A line of some builder or tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape<'a> {
    /// BuildKit, plain: `#8 …`.
    Vertex(u64, Vertex<'a>),
    /// BuildKit, terminal: ` => ERROR [3/8] RUN x   2.4s`.
    Row(State, &'a str),
    /// BuildKit, terminal: ` => => # output`.
    RowOutput(&'a str),
    /// BuildKit, terminal: ` => => naming to docker.io/library/x`.
    RowDetail(&'a str),
    /// `------`, around the quoted output of a failed step.
    Rule,
    /// ` > [2/9] RUN x:`, over that output.
    Quoted(&'a str),
    /// A line of the Dockerfile in the frame below; marked where it failed.
    Frame(Option<&'a str>),
    /// `Step 4/12 : RUN x`, `STEP 4/12: RUN x`.
    Step(&'a str),
    /// ` ---> Running in …`: what follows is the step's output.
    Running,
    /// ` ---> 0a1b…`, `--> 0a1b…`: the step ended well.
    Layer,
    /// E2B: `[builder 1/3] RUN x [hash]`.
    HostedStep(&'a str, &'a str),
    /// E2B: `[builder 1/3] [stderr]: x`.
    HostedOutput(&'a str, &'a str),
    /// Anything else.
    Text(&'a str),
}

/// What a line says about a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vertex<'a> {
    /// A title, or progress: the first one is the title.
    Title(&'a str),
    /// An output line.
    Output(&'a str),
    /// It ended.
    State(State, &'a str),
}

/// How a step stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// It has begun.
    #[default]
    Running,
    /// It ended well, or came from the cache.
    Done,
    /// It failed.
    Failed,
    /// It was stopped because another one failed: never the cause.
    Canceled,
}

/// Reads the shape of a line.
pub(super) fn of(text: &str) -> Shape<'_> {
    let plain = Shape::Text(text);
    match text.as_bytes() {
        [b'#', b'0'..=b'9', ..] => vertex(text).unwrap_or(plain),
        [b' ', ..] => indented(text).unwrap_or(plain),
        [b'=', b'>', ..] => row(text).unwrap_or(plain),
        [b'-', b'-', ..] => dashes(text).unwrap_or(plain),
        [b'S', b't' | b'T', ..] => numbered_step(text).unwrap_or(plain),
        [b'[', ..] => bracketed(text).unwrap_or(plain),
        [b'C', b'A', b'C', ..] => text.strip_prefix("CACHED ").and_then(bracketed).unwrap_or(plain),
        [b'I', b'N', b'F', b'O', b'[', ..] => kaniko(text).unwrap_or(plain),
        [b'0'..=b'9', ..] => frame(text).unwrap_or(plain),
        _ => plain,
    }
}

/// `#8 0.153 text`, `#8 ERROR: …`, `#8 [2/9] RUN x`.
fn vertex(text: &str) -> Option<Shape<'_>> {
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let id = text.get(1..=digits)?.parse().ok()?;
    let rest = &text[digits + 1..];
    let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
    let vertex = if let Some(output) = timed(rest) {
        Vertex::Output(output)
    } else if let Some(error) = rest.strip_prefix("ERROR: ") {
        Vertex::State(State::Failed, error)
    } else if rest == "CACHED" || rest.starts_with("DONE ") {
        Vertex::State(State::Done, "")
    } else if rest == "CANCELED" {
        Vertex::State(State::Canceled, "")
    } else if let Some(error) = rest.trim_start().strip_prefix("error: ") {
        // BuildKit of 18.09 wrote each field in a line of its own.
        Vertex::State(State::Failed, error.trim_matches('"'))
    } else if let Some(name) = rest.trim_start().strip_prefix("name: \"") {
        Vertex::Title(name.trim_end_matches('"'))
    } else {
        Vertex::Title(rest)
    };
    Some(Shape::Vertex(id, vertex))
}

/// The text behind `0.153 `.
pub(super) fn timed(text: &str) -> Option<&str> {
    let whole = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(whole..)?.strip_prefix('.')?;
    let part = rest.bytes().take_while(u8::is_ascii_digit).count();
    // BuildKit gives the time five characters: from a thousand seconds on, none for a fraction.
    if whole == 0 || part == 0 && whole != 4 {
        return None;
    }
    let rest = &rest[part..];
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

/// An output line as the quoted block and ` => => #` show it: with or without number and time.
pub(super) fn quoted_output(text: &str) -> &str {
    match of(text) {
        Shape::Vertex(_, Vertex::Output(output)) => output,
        _ => timed(text.trim_start()).unwrap_or(text),
    }
}

fn indented(text: &str) -> Option<Shape<'_>> {
    let trimmed = text.trim_start();
    match trimmed.as_bytes() {
        [b'=', b'>', ..] => row(trimmed),
        [b'>', b' ', ..] if text.starts_with(" > ") => {
            let title = trimmed[2..].trim_end().strip_suffix(':')?;
            Some(Shape::Quoted(title))
        }
        [b'-', b'-', b'-', b'>', ..] => Some(if trimmed.starts_with("---> Running in ") {
            Shape::Running
        } else {
            Shape::Layer
        }),
        [b'0'..=b'9', ..] => frame(trimmed),
        _ => None,
    }
}

/// `  4 | >>> RUN x`.
fn frame(text: &str) -> Option<Shape<'_>> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..)?.strip_prefix(" |")?;
    if digits == 0 || !(rest.is_empty() || rest.starts_with(' ')) {
        return None;
    }
    Some(Shape::Frame(rest.trim_start().strip_prefix(">>> ")))
}

fn row(text: &str) -> Option<Shape<'_>> {
    let rest = text.strip_prefix("=> ")?;
    if let Some(detail) = rest.strip_prefix("=> ") {
        return Some(match detail.strip_prefix("# ") {
            Some(output) => Shape::RowOutput(quoted_output(output)),
            None => Shape::RowDetail(untimed(detail)),
        });
    }
    let (state, title) =
        [("ERROR ", State::Failed), ("CACHED ", State::Done), ("CANCELED ", State::Canceled)]
            .into_iter()
            .find_map(|(word, state)| Some((state, rest.strip_prefix(word)?)))
            .unwrap_or((State::Running, rest));
    Some(Shape::Row(state, untimed(title)))
}

/// Whether the terminal's progress, `8.8s (7/7) FINISHED  docker:default`, counts all steps as over.
/// Steps that failed are counted, too: their rows tell.
pub(super) fn is_finished(progress: &str) -> bool {
    progress.split_once('(').and_then(|(_, rest)| rest.split_once(')')).is_some_and(
        |(count, rest)| {
            rest.trim_start().starts_with("FINISHED")
                && count.split_once('/').is_some_and(|(over, all)| over == all)
        },
    )
}

/// A title without the time at the right edge.
fn untimed(title: &str) -> &str {
    let title = title.trim_end();
    let Some((before, time)) = title.rsplit_once("  ") else { return title };
    let number = time.strip_suffix('s').unwrap_or("");
    let is_time = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if is_time { before.trim_end() } else { title }
}

fn dashes(text: &str) -> Option<Shape<'_>> {
    if text.trim_end() == "------" {
        return Some(Shape::Rule);
    }
    // Buildah's layers; a step's output may draw arrows, too, but not in front of an id.
    let id = text.strip_prefix("--> ")?.trim_end();
    let id = id.strip_prefix("Using cache ").unwrap_or(id);
    (id.len() >= 7 && id.bytes().all(|b| b.is_ascii_hexdigit())).then_some(Shape::Layer)
}

/// `Step 4/12 : RUN x`, `Step 4 : RUN x`, `STEP 4/12: RUN x`.
fn numbered_step(text: &str) -> Option<Shape<'_>> {
    let rest = text.strip_prefix("Step ").or_else(|| text.strip_prefix("STEP "))?;
    let number = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'/').count();
    let rest = rest.get(number..)?.trim_start().strip_prefix(':')?;
    (number > 0).then(|| Shape::Step(rest.trim()))
}

fn bracketed(text: &str) -> Option<Shape<'_>> {
    let (name, rest) = text.strip_prefix('[')?.split_once("] ")?;
    // Buildah numbers the stages in front of the steps.
    if name.bytes().all(|b| b.is_ascii_digit() || b == b'/') && rest.starts_with("STEP ") {
        return numbered_step(rest);
    }
    let hosted = name == "base" || name == "finalize" || name.starts_with("builder ");
    if !hosted {
        return None;
    }
    for stream in ["[stdout]: ", "[stderr]: "] {
        if let Some(output) = rest.strip_prefix(stream) {
            return Some(Shape::HostedOutput(name, output));
        }
    }
    let title = match rest.trim_end().rsplit_once(" [") {
        Some((title, hash)) if hash.ends_with(']') => title,
        _ => rest,
    };
    Some(Shape::HostedStep(name, title))
}

/// `INFO[0003] RUN apt-get update`.
fn kaniko(text: &str) -> Option<Shape<'_>> {
    let rest = text.strip_prefix("INFO[")?.split_once("] ")?.1;
    let word = rest.split(' ').next()?;
    let instruction =
        ["RUN", "COPY", "ADD", "FROM", "USER", "WORKDIR", "ENV", "ARG"].contains(&word);
    instruction.then_some(Shape::Step(rest))
}
