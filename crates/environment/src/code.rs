//! Every code that a finding can carry, in one table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How bad a finding is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The platform would refuse this, or it cannot be built: exit status 2.
    Error,
    /// It builds, but will likely not do what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// Declares [`Code`] from one table: variant, public name, severity, and the page that `drydock explain` shows.
macro_rules! codes {
    ($($(#[$group:meta])* $variant:ident = $name:literal, $severity:ident, $page:literal;)*) => {
        /// What was found. Codes are public names and are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Code { $(#[doc = $page] #[serde(rename = $name)] $variant,)* }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The public name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How bad a finding of this code is.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// The page behind the code: what was seen, what the platform does, what to write instead.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self { $(Self::$variant => $page,)* }
            }
        }
    };
}

codes! {
    // Files and YAML.
    FileUnreadable = "file-unreadable", Error,
        "A definition file is there but cannot be read: a folder or a device stands in its place, a link leads out \
         of the repository, or the system refuses.\n\
         The platform reads the files of the commit; what it cannot read, it cannot apply.\n\
         Put a plain file there.";
    FileTooLarge = "file-too-large", Error,
        "A definition file is larger than 1 MiB.\n\
         No published limit exists; a definition of that size is a mistake or an attack, and is not read.\n\
         Move data and scripts into files of the repository and call them from `steps` or `setup`.";
    FileEncoding = "file-encoding", Error,
        "The file is not UTF-8 text, or holds a NUL or another control character that YAML forbids.\n\
         YAML readers refuse it, or read something else than what an editor shows.\n\
         Save the file as UTF-8; write control characters as escapes in a double-quoted text (`\"\\x07\"`).";
    DefinitionLimit = "definition-limit", Error,
        "A definition goes beyond a limit of this tool: nesting, number of values (aliases counted each time they are \
         used), number of files, or length of text.\n\
         The limits keep hostile input bounded; no real definition comes near them.\n\
         Split the definition, or replace aliases by fragments under `.auto/fragments/`.";
    YamlSyntax = "yaml-syntax", Error,
        "The file is not valid YAML.\n\
         The platform refuses the whole file.\n\
         Mend the line that the finding shows. Common causes: a tab in the indentation, a `: ` or ` #` inside an \
         unquoted text, a quote that is never closed, a list item that is not aligned with its neighbours.";
    YamlEmpty = "yaml-empty", Error,
        "The file holds no YAML value: it is empty, or all comments.\n\
         An agent without content lacks its three required fields.\n\
         Write the definition, or delete the file.";
    YamlMultipleDocuments = "yaml-multiple-documents", Error,
        "The file holds a second YAML document after `---`.\n\
         One file defines one agent; whether later documents are refused or dropped is not published.\n\
         Put each definition into a file of its own.";
    YamlDuplicateKey = "yaml-duplicate-key", Error,
        "A mapping holds the same key twice.\n\
         YAML forbids it; readers refuse the file or silently keep one of the two.\n\
         Keep one, or merge the two by hand.";
    YamlMergeKey = "yaml-merge-key", Error,
        "A mapping uses the merge key `<<`.\n\
         It belongs to YAML 1.1 only; a YAML 1.2 reader sees an unknown key named `<<`.\n\
         Write the keys out, or share them through `imports` and a fragment.";
    YamlTag = "yaml-tag", Error,
        "A value carries a tag that is not one of YAML's core tags (`!secret`, `!include`, `!!binary`).\n\
         The platform's files are plain YAML; nothing gives such a tag a meaning.\n\
         Write the value itself; for secrets write `{ $secret: name }`.";
    YamlKey = "yaml-key", Error,
        "A key of a mapping is a list or a mapping.\n\
         Every key of a definition is a name.\n\
         Write a name; quote it if it starts with `[` or `{`.";
    NotAString = "not-a-string", Error,
        "A number, a boolean or nothing stands where a text is needed (`PORT: 8080`, `NODE_VERSION: 1.10`).\n\
         The platform's validation takes text only; and YAML has already read `1.10` as 1.1.\n\
         Put the value into double quotes.";
    AmbiguousScalar = "ambiguous-scalar", Warning,
        "An unquoted text that YAML 1.1 readers take for something else: `yes`, `no`, `on`, `off`, `y`, `n` for a boolean, \
         `12:30` for a number in base 60, `2024-01-31` for a date, `1_000` for a number.\n\
         YAML 1.2 reads it as text. Which reader the platform uses is not published.\n\
         Put the value into double quotes: then every reader agrees.";
    CutByComment = "cut-by-comment", Warning,
        "An unquoted text ends at a ` #` that stands inside its quotes: `- RUN echo \"a # b\"` is read as `RUN echo \"a`.\n\
         YAML takes a `#` behind a space for the start of a comment, whatever the text means to a shell.\n\
         Put the whole text into quotes, or below a `|`.";
    WrongType = "wrong-type", Error,
        "A value has another shape than the field needs: a list for a mapping, a text for a list, a number for a boolean.\n\
         The platform's validation is strict and refuses the definition.\n\
         Write the shape that the finding names.";

    // Imports.
    ImportNotFound = "import-not-found", Error,
        "A file named in `imports` does not exist in what is read (the commit, or the working tree).\n\
         The platform cannot compile the agent.\n\
         Paths are relative to the folder of the file that imports. Mend the path, or commit the file.";
    ImportCycle = "import-cycle", Error,
        "A file imports itself, directly or through others.\n\
         No order of merging exists.\n\
         Take one of the imports out; move what both need into a third fragment.";
    ImportOutside = "import-outside", Error,
        "An import leads out of the repository: an absolute path, too many `..`, a URL, or a link that points outside.\n\
         Only files of the repository are synchronised.\n\
         Copy the file into the repository, below `.auto/fragments/`.";
    ImportTemplate = "import-template", Error,
        "An import names a managed template (`@scope/name@version/path`).\n\
         The platform fetches it when it applies; its text is not in the repository, so that nothing can be said here \
         about what the agent merges to.\n\
         Put a copy of what the environment needs below `.auto/fragments/` and import that.";
    ImportKind = "import-kind", Error,
        "An import names a file that is not YAML.\n\
         Imports are agent fragments in `.yaml` or `.yml` files.\n\
         Import the fragment; scripts are called from `steps` or `setup`.";

    // Agents and environments.
    NoDefinitions = "no-definitions", Error,
        "The repository holds no agent definition.\n\
         The platform reads agents from `.yaml` and `.yml` files at any depth below `.auto/agents/`.\n\
         Write one there, and commit it if a commit is read.";
    TargetNotFound = "target-not-found", Error,
        "No agent, no environment and no agent file has that name.\n\
         Names are compared exactly, capitals included.\n\
         Take one of the names that the finding lists.";
    TargetNotAgent = "target-not-agent", Error,
        "The named file is not an agent file: fragments are never applied alone.\n\
         A fragment means something only after an agent has merged it.\n\
         Name an agent that imports it.";
    EnvironmentsFolder = "environments-folder", Error,
        "A file lies in `.auto/environments/`.\n\
         The platform refuses that folder when it applies: environments are defined inline on agents.\n\
         Move the content under `environment:` of a fragment in `.auto/fragments/environments/`, and import it.";
    MissingField = "missing-field", Error,
        "A required field is missing after all imports are merged.\n\
         An agent needs `name`, `harness` and `environment`; an inline environment needs `name` and `image`.\n\
         Write it in the agent's file or in a fragment that it imports.";
    UnknownKey = "unknown-key", Error,
        "A key that the environment's specification does not have.\n\
         The specification is strict: unknown keys fail validation.\n\
         Mend the spelling or remove the key.";
    MisspelledKey = "misspelled-key", Warning,
        "An agent's key that nothing here knows, but that is very near to one that is known.\n\
         The list of agent keys is not fully published, so this may be right.\n\
         If it is a typing mistake, mend it: the field has no effect as it stands.";
    MisplacedKey = "misplaced-key", Warning,
        "A key of the environment stands beside `environment`, not inside.\n\
         There it does not configure the environment.\n\
         Indent it below `environment:`.";
    InvalidName = "invalid-name", Error,
        "A name that the platform refuses.\n\
         Names of agents, environments, setup entries and cache keys are 1 to 128 letters, digits, `_`, `.` and `-`.\n\
         Choose another name.";
    InvalidHarness = "invalid-harness", Error,
        "`harness` is neither `claude-code` nor `codex`.\n\
         The platform runs these two.\n\
         Write one of them.";
    ImageShape = "image-shape", Error,
        "`image` is not exactly one of its two shapes.\n\
         `{ kind: preset, name: … }` names a platform preset, `{ kind: base, ref: … }` one image reference; each is strict.\n\
         Write `kind` and the one key that belongs to it.";
    UnknownPreset = "unknown-preset", Error,
        "The preset is not in the published table.\n\
         The platform fails with \"Unknown runtime preset\".\n\
         Take one of the presets that the finding lists, or name an image with `kind: base`.";
    ImageReference = "image-reference", Error,
        "The text is not one Docker/OCI image reference.\n\
         It becomes one `FROM`: the platform refuses white space, `#`, `\\`, a leading `-` and more than 512 characters, \
         and the builder refuses whatever is not `[registry[:port]/]path[:tag][@digest]`.\n\
         Write a reference such as `debian:bookworm`, or pin it: `debian@sha256:…`.";
    EmptyText = "empty-text", Error,
        "A text that must say something is empty.\n\
         An empty step or command does nothing; the platform asks for at least one non-empty command in each setup entry.\n\
         Write the command or remove the item.";
    EmptyCommand = "empty-command", Note,
        "One of several commands of a setup entry is empty.\n\
         At least one must not be; the empty one does nothing.\n\
         Remove the item.";
    DuplicateSetupName = "duplicate-setup-name", Warning,
        "Two setup entries have the same name.\n\
         Whether the platform asks for unique names is not published; a failure could not be told apart.\n\
         Give each entry a name of its own.";
    CacheFile = "cache-file", Error,
        "`cache.files` holds a path that is absolute or holds `..`.\n\
         The files are named relative to the working directory and stay inside it.\n\
         Write a relative path such as `package-lock.json`.";
    CachePath = "cache-path", Error,
        "`cache.paths` holds a path that is not absolute, or not under `/home/user`.\n\
         The platform keeps only folders of the session account's home.\n\
         Write a path such as `/home/user/.npm`.";
    InvalidTtl = "invalid-ttl", Error,
        "`setupCache.ttl` is not a duration of the form number and unit.\n\
         The platform takes a whole number without leading zero and one of `s`, `m`, `h`, `d`.\n\
         Write for example `30m`, `24h` or `7d`.";
    InvalidResources = "invalid-resources", Error,
        "`resources` is empty, or a value is not a whole number in its range.\n\
         `cpuCount` is at least 1 and `memoryMB` at least 128; when `resources` is there, at least one of them must be.\n\
         Write for example `memoryMB: 4096`.";
    InvalidEnvKey = "invalid-env-key", Error,
        "A variable's name that the platform refuses.\n\
         Names match `[A-Za-z_][A-Za-z0-9_]*`.\n\
         Use letters, digits and `_` only, not starting with a digit.";
    SecretReference = "secret-reference", Error,
        "A variable's value is a mapping, but not a secret reference.\n\
         The only mapping allowed is `{ $secret: name }`, with an optional boolean `optional`.\n\
         Write that, or a text.";
    InvalidApproval = "invalid-approval", Error,
        "The approval posture is neither `bypass` nor `prompt`.\n\
         The platform knows these two; absent means `bypass`.\n\
         Write one of them.";
    InvalidMount = "invalid-mount", Error,
        "A mount breaks a rule: its `kind` is `git`, `repository` is `owner/name`, `mountPath` is absolute, `depth` is a \
         whole number, and `auth.kind` is `githubApp` with capabilities `none`, `read` or `write`.\n\
         The platform cannot stage the repository.\n\
         Write what the finding names.";
    InvalidWorkingDirectory = "invalid-working-directory", Error,
        "`workingDirectory` is empty.\n\
         Without it the session starts in the first mount.\n\
         Write an absolute path, or remove the key.";
    TextTooLong = "text-too-long", Error,
        "A prompt is longer than the platform takes: 100,000 characters for `systemPrompt`, 20,000 for `initialPrompt`.\n\
         The agent is refused.\n\
         Shorten it; move reference material into files of the repository.";
    ConflictingEnvironment = "conflicting-environment", Error,
        "Two agents generate an environment of the same name with different content.\n\
         Applying fails with \"Conflicting generated resource\". Equal content is one resource; the order of keys does not matter.\n\
         Share one fragment between the agents, or give one of the environments another name.";
    EnvironmentNotGenerated = "environment-not-generated", Error,
        "`environment` names an environment that no agent of the repository defines inline.\n\
         A name refers to an environment that is generated in the same bundle.\n\
         Mend the name, or define the environment inline, best in a fragment.";
    DuplicateAgentName = "duplicate-agent-name", Warning,
        "Two agent files have the same `name`.\n\
         Which of them wins, or whether applying fails, is not published.\n\
         Give each agent a name of its own.";
    SetupSkipped = "setup-skipped", Warning,
        "The agent has `setup` entries, but neither a mount nor an absolute `workingDirectory`.\n\
         The platform then skips setup entirely, without an error.\n\
         Add a `mounts` entry, or an absolute `workingDirectory`.";
    TemplateVariable = "template-variable", Warning,
        "A text holds a `{{ $name }}` token, and `variables` has no such name.\n\
         The platform fills tokens from `variables` when it applies a template; what it does with an unknown one is not published.\n\
         Define the variable, or write the text itself.";
    // Dialects other than auto.
    DialectUnknown = "dialect-unknown", Error,
        "The file fits none of the formats that Drydock reads.\n\
         The finding names the nearest one and why the file does not fit it.\n\
         Write what is missing there, or say which format it is with `--dialect`.";
    DialectAmbiguous = "dialect-ambiguous", Error,
        "The file fits more than one format: a Qoder and a Claude environment can be written with the same keys, and \
         the two platforms build different things from them.\n\
         A guess would prove the wrong thing.\n\
         Give `--dialect`, put the file below `.qoder/` or `.claude/`, list it with its dialect in `drydock.toml`, or \
         name the schema in its first line (`# yaml-language-server: $schema=…/qoder.json`).";
    NotAnEnvironment = "not-an-environment", Error,
        "The file is of the platform, but it is not an environment: an automation, or a list of several objects.\n\
         Only an environment says what a sandbox is built of.\n\
         Name the environment's own file; in Ellipsis it has `ellipsis.kind: environment`.";
    OtherGeneration = "other-generation", Error,
        "A field or a word of another generation of the format. The finding names the generation.\n\
         The published pages of today do not have it; the platform refuses it or ignores it.\n\
         Write what the finding gives instead.";
    OtherWord = "other-word", Note,
        "Another word for the same thing, from another generation of the format. It is taken for what it means.\n\
         Which generations the platform still takes is not published.\n\
         Write today's word.";
    UnpublishedKey = "unpublished-key", Warning,
        "A key that the published pages do not have. Whether the platform refuses or ignores it is not published.\n\
         Drydock keeps it and does nothing with it.\n\
         Mend the spelling, or remove the key.";
    InvalidValue = "invalid-value", Error,
        "A text that is not one of the words, or not of the grammar, that the field takes.\n\
         The platform's validation refuses it.\n\
         Write what the finding expects.";
    OutOfRange = "out-of-range", Error,
        "A number, a size, a duration or a count outside the published range.\n\
         The platform refuses it and never clamps it.\n\
         Write a value in the range that the finding gives.";
    InvalidMeasure = "invalid-measure", Error,
        "A size or a duration that cannot be read.\n\
         Ellipsis takes `8GB`, `512MB` or `{gb: 8}` for sizes (1 GB is 1024 MB), and `30m`, `1h` or `{minutes: 30}` for durations.\n\
         Write one of these forms.";
    DockerfileVerb = "dockerfile-verb", Error,
        "`image.dockerfile_append` holds an instruction other than `RUN`.\n\
         The platform owns `FROM`, the user, the working directory and the entry point, and there is no build context to \
         copy from; it takes `RUN` only and refuses the file.\n\
         Do it in a `RUN`; work that needs the repositories belongs into `image.setup`.";
    DockerfileSyntax = "dockerfile-syntax", Error,
        "`image.dockerfile_append` is not a list of Dockerfile instructions: a line starts with no instruction, the last \
         line ends in a continuation, or a here-document never ends.\n\
         The build fails at that line.\n\
         Start each instruction with `RUN`; end every continued line with `\\` but the last.";
    PackageSpec = "package-spec", Error,
        "An item of `packages` that its package manager does not read as one package: an option, a text with white space, \
         a path to a file that is not there, another manager's syntax, or an address that holds a password.\n\
         The install would fail, do something else, or publish the password.\n\
         Write one package in the manager's own syntax: `curl`, `typescript@5.0.0`, `PyYAML==6.0.1`.";
    PackageManager = "package-manager", Warning,
        "`packages` has a manager that the platform keeps but does not install from.\n\
         Its packages will not be there.\n\
         Install them in `setup_script`.";
    PackagesShape = "packages-shape", Error,
        "`packages` is a list.\n\
         It maps each package manager to its own list.\n\
         Write `packages: {pip: [\"…\"]}`.";
    NetworkHost = "network-host", Error,
        "An entry of the list of hosts is not a host name.\n\
         An entry is a bare host name or `*.` and a host name: no scheme, no port, no path. It opens the whole host.\n\
         Write for example `api.example.org` or `*.example.org`.";
    NetworkHostDoubtful = "network-host-doubtful", Warning,
        "An entry of the list of hosts is not a bare host name. The platform's grammar for it is not published.\n\
         An entry that the platform does not understand opens nothing.\n\
         Write a bare host name such as `api.example.org`.";
    NetworkHostsUnused = "network-hosts-unused", Warning,
        "Hosts or openings are listed, but `networking.type` is `unrestricted`.\n\
         They narrow nothing: everything is open.\n\
         Write `type: limited`, or remove the list.";
    NetworkPackages = "network-packages", Error,
        "The network is limited, packages are asked for, and `allow_package_managers` is not `true`.\n\
         The platform answers 400, even when the registries are among `allowed_hosts`.\n\
         Write `allow_package_managers: true` below `networking`.";
    SelfHosted = "self-hosted", Error,
        "`config.type` is `self_hosted`, and there are other fields beside it.\n\
         The config of a self-hosted environment is exactly `{\"type\": \"self_hosted\"}`; the platform refuses the rest.\n\
         Remove the other fields, or write `type: cloud`.";
    ScriptTooLong = "script-too-long", Error,
        "`setup_script` is longer than 64 KB (65,536 bytes here; whether a KB has 1,000 or 1,024 is not published).\n\
         The platform refuses it.\n\
         Move the work into a script of the repository, and call that.";
    ScriptLong = "script-long", Warning,
        "`setup_script` has more than 10,000 characters.\n\
         One published page says 64 KB, the page of another edition says 10,000 characters.\n\
         Move the work into a script of the repository, and call that.";
    ScriptShebang = "script-shebang", Note,
        "A script starts with `#!`, but it is handed to a shell as text.\n\
         The line is a comment: the platform's own shell runs the script.\n\
         Remove the line, or start the other interpreter yourself.";
    ScriptContinues = "script-continues", Note,
        "A script of several commands does not start with `set -e`.\n\
         The platform puts nothing in front of it: only the last command's exit status counts, and a failure before \
         it goes unnoticed.\n\
         Write `set -euo pipefail` as its first line.";
    DuplicateName = "duplicate-name", Error,
        "Two items of a list have the same name: two variables, or two repositories that land in the same folder.\n\
         One would hide the other.\n\
         Keep one of them.";
    DuplicateEnvironment = "duplicate-environment", Error,
        "Two files define an environment of the same name.\n\
         The name is what sessions and automations refer to; which of the two is live is not published.\n\
         Give each environment a name of its own.";
    InvalidRepository = "invalid-repository", Error,
        "A repository is not named as the platform takes it.\n\
         `name` is the name alone, `owner` the account (yours when left out), `ref` a branch, tag or commit.\n\
         Write `name: web-repo` and, for another account, `owner: acme`.";
    HooksMixed = "hooks-mixed", Error,
        "Hooks of two generations stand together.\n\
         `post_start` and `post_clone` cannot be mixed with `build_base`, `after_checkout` and `before_start`.\n\
         Keep one family: `post_clone` becomes `before_start`.";
    HookInputs = "hook-inputs", Note,
        "`hooks.build_base` names its `inputs`.\n\
         The platform shows that hook those files alone; Drydock shows it the whole checkout, so a missing input is not noticed.\n\
         Check by hand that the hook reads nothing else.";
    InvalidMcpServer = "invalid-mcp-server", Error,
        "An item of `mcp_servers` is none of the published forms.\n\
         It is a built-in's name, `{name, command, args, env}` for one that runs in the sandbox, or `{name, url, headers}`.\n\
         Write one of them; not both `command` and `url`.";
    // Steps (found by the planner).
    StepEmpty = "step-empty", Error,
        "A step holds no instruction: only comments or blank lines.\n\
         Each entry of `steps` is one raw Dockerfile instruction.\n\
         Remove the entry; write the remark as a YAML comment.";
    StepSeveral = "step-several", Error,
        "A step holds more than one instruction.\n\
         Each entry of `steps` is one raw Dockerfile instruction; a line that does not end with `\\` ends it.\n\
         Write one list entry for each instruction. To run several commands in one, end each line but the last with `&& \\`.";
    StepUnfinished = "step-unfinished", Error,
        "A step ends with a line continuation (`\\`).\n\
         The builder takes whatever stands behind the step for its next line: another step, or one of the platform's own.\n\
         Remove the last backslash.";
    StepUnknownInstruction = "step-unknown-instruction", Error,
        "A step starts with a word that is no Dockerfile instruction.\n\
         Builders refuse the whole Dockerfile before they run any of it.\n\
         Shell commands stand behind `RUN`.";
    StepMalformed = "step-malformed", Error,
        "A step's instruction cannot be read: an argument is missing, a flag does not exist, a JSON array holds something \
         else than texts, or a quote is not closed.\n\
         Builders refuse the whole Dockerfile before they run any of it.\n\
         Mend what the finding names.";
    StepHeredocOpen = "step-heredoc-open", Error,
        "A step opens a here-document (`<<NAME`) and no line of it is that name.\n\
         BuildKit would take the rest of the Dockerfile for its content. It also takes `<<` inside `$((1 <<2))` for a \
         here-document, which a shell does not.\n\
         End it with a line that holds the name alone, or write the step without `<<`.";
    StepHeredocAmbiguous = "step-heredoc-ambiguous", Error,
        "A step holds a here-document that builders of different age read as different, valid instructions.\n\
         Docker 20.10 knows no here-documents: it takes each line for an instruction, and here it would not notice.\n\
         Write the step without a here-document: `RUN printf '%s\\n' 'line 1' 'line 2' > file`.";
    StepHeredoc = "step-heredoc", Warning,
        "A step uses a here-document.\n\
         It needs BuildKit newer than Docker 20.10's, and BuildKit at all; elsewhere the build stops at its first line. \
         Whether the hosted builder knows them is not published.\n\
         Write `RUN printf '%s\\n' 'line 1' 'line 2' > file`, or several commands joined by `&& \\`.";
    StepControlCharacter = "step-control-character", Error,
        "A step holds a control character: NUL, a carriage return inside a line, an escape, …\n\
         Builders disagree on which of them separate words or lines, no command line can hold a NUL, and no editor shows them.\n\
         Write it so that it can be seen: `printf '\\033'`.";
    StepTooLong = "step-too-long", Error,
        "A step has a line of more than 65,535 bytes, or shell text of more than 131,000.\n\
         Dockerfile parsers stop at the one, and Linux starts no program with an argument longer than 128 KiB.\n\
         Put the text into a script of the repository and call it from `setup`, or download it.";
    StepFrom = "step-from", Error,
        "A step is a `FROM`.\n\
         It would open a second stage, and everything before it would be lost. The platform builds one stage from `image`; \
         the hosted builder refuses a second `FROM`.\n\
         Name the image in `image`.";
    StepContextCopy = "step-context-copy", Error,
        "A step copies files from a build context (`COPY` or `ADD` with a local source).\n\
         The platform uploads no build context: the repository is mounted after the image is built. Here the copy would \
         succeed, there it cannot.\n\
         Use the file in `setup`, where the checkout is in place, or download it in a `RUN`.";
    StepContextMount = "step-context-mount", Error,
        "A step mounts a build context (`RUN --mount=type=bind` without `from=`).\n\
         The platform uploads no build context: the repository is mounted after the image is built.\n\
         Do the work in `setup`, where the checkout is in place.";
    StepCopyFrom = "step-copy-from", Warning,
        "A step copies from another image (`COPY --from=…`).\n\
         Docker can do it. The hosted builder reads only `--chown` of the flags of `COPY`, so that it looks for the source \
         in a build context, and there is none.\n\
         Download the file in a `RUN`, or install a package.";
    StepAdd = "step-add", Warning,
        "A step downloads with `ADD`.\n\
         The hosted builder treats `ADD` as `COPY` and looks for the source in a build context, and there is none.\n\
         Write `RUN curl -fsSLo FILE URL`, and check its checksum.";
    StepMount = "step-mount", Warning,
        "A step uses `RUN --mount`.\n\
         The classic builder refuses it, and whether the hosted builder knows it is not published. Secrets and SSH agents \
         are not handed to this build.\n\
         Do without: a cache mount saves time only, and files can be downloaded.";
    StepRunFlag = "step-run-flag", Warning,
        "A step uses `RUN --network`, `--security` or `--device`.\n\
         Neither the classic builder nor Docker 20.10's BuildKit knows them, and whether the hosted builder does is not published.\n\
         Remove the flag.";
    StepUser = "step-user", Warning,
        "A step switches the account with `USER`.\n\
         Later steps run as that account, here and on the hosted builder: `apt-get` fails, and files belong to it. The \
         platform's own instructions after the steps run as root again, and setup runs as the session's account.\n\
         Remove it, or go back with a last step `USER root`; for one command write `RUN su -s /bin/sh NAME -c '…'`.";
    StepShell = "step-shell", Warning,
        "A step changes the shell with `SHELL`.\n\
         Here later steps run in it. The hosted builder does not know the instruction, warns, and goes on with \
         `/bin/bash -l -c`.\n\
         Name the shell where it is needed: `RUN [\"/bin/bash\", \"-c\", \"…\"]`.";
    StepStartCommand = "step-start-command", Warning,
        "A step sets `CMD` or `ENTRYPOINT`.\n\
         A session starts what the platform starts. The hosted builder takes these for a start command, runs it when the \
         image is built and waits up to 20 seconds for it; here they have no effect.\n\
         Remove it; start what a session needs in `setup`.";
    StepWorkdir = "step-workdir", Note,
        "A step changes the folder with `WORKDIR`.\n\
         Later steps run there. Setup and sessions start in the agent's working directory all the same.\n\
         Write `cd` inside the `RUN` if only one step needs it.";
    StepArg = "step-arg", Note,
        "A step declares a build argument with `ARG`.\n\
         The platform passes no build arguments, so only the default counts. Docker forgets it after the build; on the \
         hosted builder it becomes an environment variable and stays.\n\
         Set the variable inside the `RUN` that needs it.";
    StepEnvCommand = "step-env-command", Warning,
        "The value of an `ENV` or `ARG` step holds a command substitution (`$(…)` or backquotes).\n\
         No builder runs it: the variable gets that very text.\n\
         Compute it in a `RUN` and write it to a file, or set it in `setup`.";
    StepEnvPath = "step-env-path", Warning,
        "A step sets `PATH` with `ENV`.\n\
         Setup runs in a login shell (`/bin/sh -lc`), and hosted steps do too (`/bin/bash -l -c`). Debian's `/etc/profile` sets \
         `PATH` anew, so that the folders are lost there, while steps still see them here.\n\
         Link the programs into `/usr/local/bin`, or write a file below `/etc/profile.d/`.";
    StepEnvShellVariable = "step-env-shell-variable", Warning,
        "The value of an `ENV` or `ARG` step uses a variable that only a shell has: `HOME`, `USER`, `LOGNAME`, `PWD` or `SHELL`.\n\
         Docker's builders fill in what `ENV` and `ARG` set, and ask no shell: `$HOME/bin` becomes `/bin` unless the base sets `HOME`. \
         The hosted builder has root's shell fill it in, and gets `/root/bin`.\n\
         Write the path itself: steps run as root, whose home is `/root`.";
    StepWithoutEffect = "step-without-effect", Note,
        "A step sets what a session does not use: `EXPOSE`, `LABEL`, `HEALTHCHECK`, `STOPSIGNAL` or `MAINTAINER`.\n\
         The hosted builder drops it, silently or with a warning.\n\
         Remove it.";
    StepVolume = "step-volume", Warning,
        "A step declares a `VOLUME`.\n\
         The hosted builder drops it. Docker's classic builder throws away what later instructions write there.\n\
         Remove it; `RUN mkdir -p` makes a folder.";
    StepOnbuild = "step-onbuild", Warning,
        "A step uses `ONBUILD`.\n\
         It acts only when another image is built from this one, and none is. The hosted builder does not know it.\n\
         Write the instruction itself.";
    StepDirective = "step-directive", Warning,
        "A step holds a parser directive (`# syntax=`, `# escape=`, `# check=`).\n\
         Directives count only on the first lines of a Dockerfile, and steps stand far behind them: it is a comment.\n\
         Remove it, and write what works without it.";
    StepJsonForm = "step-json-form", Warning,
        "A step's arguments start like a JSON array and are none.\n\
         Newer builders take them for shell text; Docker 20.10 ignores what stands behind a complete array.\n\
         Use double quotes, commas between, and nothing behind the `]`; or write shell text.";
    SetupControlCharacter = "setup-control-character", Error,
        "A setup command holds a NUL.\n\
         No command line can hold one: the text would end there.\n\
         Write it so that it can be seen: `printf '\\000'`.";
    SetupTooLong = "setup-too-long", Error,
        "The commands of a setup entry have more than 131,000 bytes together.\n\
         They are one argument of `/bin/sh -lc`, and Linux starts no program with an argument longer than 128 KiB.\n\
         Put them into a script of the repository and call it.";
    PathControlCharacter = "path-control-character", Error,
        "A mount path or the working directory holds a control character.\n\
         No Dockerfile can carry it, and no log shows it.\n\
         Choose another path.";
    // Fidelity: what the platform does differently (found by the planner).
    MutableTag = "mutable-tag", Note,
        "The base image is named by a tag, not by a digest.\n\
         A tag can move. The hosted cache is keyed by the reference's text, so that it may go on using an image that the tag \
         left weeks ago, while a build here takes today's.\n\
         Write `name:tag@sha256:…` when both must be the same.";
    NoGitDirectory = "no-git-directory", Warning,
        "A setup command reads the repository's history or hooks.\n\
         The checkout that is tried here holds the commit's files and no `.git`; the platform mounts a clone. The command \
         fails here and may pass there.\n\
         Let it fail softly (`git describe || echo dev`), or run it only if `.git` is there.";
    StepBash = "step-bash", Warning,
        "A step uses what only bash has.\n\
         The hosted builder runs steps with `/bin/bash -l -c`, so that it passes there. The published preflight and this build \
         use the image's `/bin/sh -c`, which on Debian and Ubuntu is dash: it fails.\n\
         Write `RUN [\"/bin/bash\", \"-c\", \"…\"]`, or portable shell text.";
    Sudo = "sudo", Warning,
        "A command calls `sudo`.\n\
         Steps run as root and need none. On the hosted machine the session's account may use it without a password; that is \
         not documented, and images like `debian:bookworm` do not have it, so that the command fails here.\n\
         In a step, remove it. In `setup`, move what needs root to a step.";
    StepSessionUser = "step-session-user", Warning,
        "A step relies on the session's account or its home folder.\n\
         The published pages disagree on when the account is made: before the steps in one, after them in the other, which is \
         the order that is built here.\n\
         Do it in `setup`, which runs as that account; put programs into `/usr/local`.";
    StepService = "step-service", Note,
        "A step starts a service.\n\
         Here it ends with its step, as each is a container of its own. The hosted builder runs all steps in one virtual \
         machine, where it may go on. In a session it runs in neither.\n\
         Start it in `setup`, or in the same step that uses it.";
    OddMemory = "odd-memory", Warning,
        "`memoryMB` is an odd number.\n\
         The hosted provider takes even numbers of megabytes only.\n\
         Add or take away one.";
    OtherCheckouts = "other-checkouts", Note,
        "The agent mounts more repositories than the one at hand.\n\
         Only the one at hand is put in place here; the folders of the others stay empty, so that setup commands that use them \
         fail here and may pass there.\n\
         Let such commands check that the folder is there.";
    VariablesInSetup = "variables-in-setup", Note,
        "The definition has variables and setup commands.\n\
         Whether setup commands see the session's variables is not published; here they do. Secrets are not available here at all.\n\
         Let commands work without them where they can: `${NAME:-default}`.";
    ShadowedVariable = "shadowed-variable", Note,
        "The agent and its environment define the same variable.\n\
         Which of them wins is not published; here it is the agent's.\n\
         Define it in one of the two.";
    // The checkout (found before the build).
    CheckoutSubmodule = "checkout-submodule", Warning,
        "The commit holds submodules. An archive of a commit has an empty folder where each stands, and so has the image that Drydock builds.\n\
         Whether a hosted session fills submodules is not published.\n\
         Let setup fetch what it needs by itself, or commit the files.";
    CheckoutLfsPointer = "checkout-lfs-pointer", Warning,
        "The commit holds Git LFS pointers. The image that Drydock builds has the pointers (about 130 bytes each), not the contents.\n\
         Whether a hosted session smudges them is not published.\n\
         Commit the contents that setup or smoke commands need, or fetch them in setup.";
    CheckoutWhiteout = "checkout-whiteout", Error,
        "The commit holds a name that begins with `.wh.`. Image layers take such a name for the deletion of another file, so it would vanish, and the other with it.\n\
         A hosted session clones and has the file; an image cannot carry it, so a check would prove something else.\n\
         Rename the file.";
}
