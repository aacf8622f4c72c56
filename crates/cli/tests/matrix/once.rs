//! 40 cases with 10 distinct plans: 10 builds, and the registry is asked for the base once.

use crate::proxy::Proxy;
use crate::run::Fleet;

const PLANS: usize = 10;
const CASES_PER_PLAN: usize = 4;

#[test]
fn equal_work_is_done_once() {
    let Some(engine) = crate::engine() else { return };
    let musl = engine.base("musl");
    let (registry, image) = musl.split_once('/').unwrap();
    let proxy = Proxy::start(registry);
    let fleet = Fleet::new();
    let agents: Vec<(String, String)> =
        (0..PLANS).map(|n| (format!(".auto/agents/agent-{n}.yaml"), agent(n))).collect();
    let files: Vec<(&str, String)> =
        agents.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    fleet.add("widgets", &files);
    let rows: String = (0..CASES_PER_PLAN)
        .map(|n| {
            format!(
                "[[matrix.case]]\nname = \"round {n}\"\nrepository = \"widgets\"\n\
                 base = \"{}/{image}\"\nexpect = {{ check = \"glibc-loader\" }}\n",
                proxy.address
            )
        })
        .collect();
    fleet.matrix(&rows);
    let ended = fleet.run(&engine, &["--jobs", "4", "--pull", "always"]);
    assert_eq!(ended.status, Some(0), "{}\n{:#?}", ended.stderr, ended.events("failed"));
    assert_eq!(ended.of_kind("judged").len(), PLANS * CASES_PER_PLAN);
    assert_eq!(ended.of_kind("attempt").len(), PLANS);
    let resolves = proxy.resolves();
    // The engine asks for the tag's digest with HEAD and then for the manifest: together one resolve.
    let gets = resolves.iter().filter(|line| line.starts_with("GET ")).count();
    let heads = resolves.len() - gets;
    assert!(gets <= 1 && heads <= 1 && gets + heads >= 1, "{resolves:#?}");
    ended.left_nothing(&engine);
    engine.docker(&["image", "rm", "--force", &format!("{}/{image}", proxy.address)]).unwrap();
}

/// An agent whose plan is like no other's.
fn agent(n: usize) -> String {
    format!(
        "name: agent-{n}\nharness: codex\nenvironment:\n  name: runtime-{n}\n  image:\n    kind: base\n    \
         ref: alpine:3.23\n  steps:\n    - RUN echo {n}\n"
    )
}
