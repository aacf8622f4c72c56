//! Every code that a failure can carry, in one table.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use contract::Check;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules;
use crate::{Owner, Retry};

/// Declares [`Code`] from one table: variant, public name, owner, retry, summary.
///
/// The page of each code is `pages/<name>.md`: a code without a page does not compile.
macro_rules! codes {
    ($($variant:ident = $name:literal, $owner:ident, $retry:ident, $summary:literal;)*) => {
        /// What failed. Codes are public names and are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Code { $(#[doc = $summary] #[serde(rename = $name)] $variant,)* }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The public name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Who must act, unless the log says otherwise.
            #[must_use]
            pub const fn owner(self) -> Owner {
                match self { $(Self::$variant => Owner::$owner,)* }
            }

            /// Whether trying again can help, unless the log says otherwise.
            #[must_use]
            pub const fn retry(self) -> Retry {
                match self { $(Self::$variant => Retry::$retry,)* }
            }

            /// What it means, in one line.
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary,)* }
            }

            /// The three paragraphs of `pages/<name>.md`: what was seen, what it means, what to do.
            const fn text(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("../pages/", $name, ".md")),)* }
            }
        }
    };
}

codes! {
    // The contract: the probe printed its marker.
    ContractRoot = "contract-root", BaseImage, Never, "the base does not build as root";
    ContractOs = "contract-os", BaseImage, Never, "the base is not Linux";
    ContractArch = "contract-arch", BaseImage, Never, "the base is not x86_64";
    ContractGlibcLoader = "contract-glibc-loader", BaseImage, Never, "the base has no glibc loader (a musl base, as Alpine)";
    ContractGlibc = "contract-glibc", BaseImage, Never, "the base's glibc is older than 2.28, or cannot be asked";

    // A base that cannot run a step at all.
    NoShell = "no-shell", BaseImage, Never, "the image has no /bin/sh";
    ShellLinkLoop = "shell-link-loop", BaseImage, Never, "the image's /bin/sh is a link that leads to itself";
    GroupFileMissing = "group-file-missing", BaseImage, Never, "the image has no usable /etc/group";
    ExecFormat = "exec-format", BaseImage, Never, "the image is built for another CPU";
    WrongPlatform = "wrong-platform", BaseImage, Never, "the image that was pulled is for another platform";
    Exit139 = "exit-139", BaseImage, Never, "a program of the image crashed (SIGSEGV)";
    CpuFeature = "cpu-feature", BaseImage, Never, "a program needs CPU instructions that the machine lacks";
    EmulationCrash = "emulation-crash", Infrastructure, Never, "the CPU emulator crashed under the step";
    GlibcTooOld = "glibc-too-old", BaseImage, Never, "a program needs a newer glibc than the base has";
    LibraryMissing = "library-missing", Author, Never, "a program needs a shared library that the image lacks";

    // References, registries, pulls.
    InvalidReference = "invalid-reference", Author, Never, "the image reference is not well-formed";
    NoMatchingManifest = "no-matching-manifest", BaseImage, Never, "the image does not exist for this platform";
    ManifestUnknown = "manifest-unknown", Author, Never, "the image's tag or digest does not exist";
    PullAccessDenied = "pull-access-denied", Author, Never, "the image does not exist, or is private";
    ImageFormat = "image-format", BaseImage, Never, "the image's format is not supported by this engine";
    ImageMissing = "image-missing", Author, Never, "the image is not on the engine";
    RegistryRateLimit = "registry-rate-limit", Infrastructure, Later, "the registry's pull limit is used up";
    RegistryAuth = "registry-auth", Infrastructure, Never, "the registry refused the machine's login";
    RegistryNetwork = "registry-network", Infrastructure, Later, "the registry could not be reached, or broke off";
    RegistryDns = "registry-dns", Infrastructure, Later, "the registry's name does not resolve";
    RegistryPlainHttp = "registry-plain-http", Infrastructure, Never, "the registry speaks plain HTTP where TLS was expected";
    LayerCorrupt = "layer-corrupt", Infrastructure, Later, "a layer arrived damaged";
    X509 = "x509", Infrastructure, Never, "the registry's certificate is not trusted";
    FrontendImage = "frontend-image", Infrastructure, Later, "the `# syntax=` image could not be fetched";
    PushDenied = "push-denied", Infrastructure, Never, "the registry refused the push";
    CacheExport = "cache-export", Infrastructure, Later, "the build cache could not be written";

    // The engine and its machine.
    DaemonAccess = "daemon-access", Infrastructure, Later, "the Docker engine cannot be reached";
    EngineGone = "engine-gone", Infrastructure, Later, "the connection to the engine broke";
    BuilderStore = "builder-store", Infrastructure, Later, "the builder's own store has lost something";
    BuildkitConnection = "buildkit-connection", Infrastructure, Later, "the connection to the builder broke";
    OciRuntime = "oci-runtime", Infrastructure, Never, "the container runtime could not start the container";
    ContainerConflict = "container-conflict", Infrastructure, Never, "a container name, port or mount is in the way";
    SeccompOldHost = "seccomp-old-host", Infrastructure, Never, "the engine is too old for this base image";
    NoSpace = "no-space", Infrastructure, Never, "the disk is full";
    DiskQuota = "disk-quota", Infrastructure, Never, "the disk quota is used up";
    Oom = "oom", Infrastructure, Never, "memory ran out";
    EngineLimit = "engine-limit", Infrastructure, Never, "a limit of the machine was reached (processes, open files)";
    TooManyLayers = "too-many-layers", Author, Never, "the image has more layers than the engine allows";
    Canceled = "canceled", Infrastructure, Later, "the build was cancelled";
    RunnerLost = "runner-lost", Infrastructure, Later, "the CI machine went away";
    TimedOut = "timed-out", Author, Never, "a time limit ran out";
    Stalled = "stalled", Infrastructure, Later, "nothing was heard for too long";
    PlatformInternal = "platform-internal", Infrastructure, Later, "the hosted platform reports an internal error";

    // The definition, the context, the checkout.
    DockerfileParse = "dockerfile-parse", Author, Never, "the Dockerfile cannot be parsed";
    DockerfileMissing = "dockerfile-missing", Author, Never, "there is no Dockerfile where the builder looks";
    BuilderFeature = "builder-feature", Author, Never, "the builder does not know what the Dockerfile asks for";
    BuildContext = "build-context", Author, Never, "the build context could not be made";
    BuildSecret = "build-secret", Author, Never, "a secret or an SSH key of the build is missing";
    ComposeFile = "compose-file", Author, Never, "the Compose file is not valid, or names what is not there";
    CopyMissing = "copy-missing", Author, Never, "COPY or ADD names something that is not in the context";
    PathBlocked = "path-blocked", Author, Never, "a file stands where a folder is wanted, or the reverse";
    UserUnknown = "user-unknown", Author, Never, "a step names a user or group that does not exist";
    UserExists = "user-exists", Author, Never, "the user, group or id already exists in the base";
    UserToolingMissing = "user-tooling-missing", BaseImage, Never, "the base has no useradd or groupadd";

    // apt and dpkg.
    AptMissingAlpine = "apt-missing-alpine", Author, Never, "apt-get was called on an Alpine or BusyBox base";
    AptMissingRpm = "apt-missing-rpm", BaseImage, Never, "the base has no apt-get (an RPM base)";
    AptMissing = "apt-missing", BaseImage, Never, "the base has no apt-get";
    AptEolRelease = "apt-eol-release", BaseImage, Never, "the base's release is no longer on the package mirrors";
    AptGpg = "apt-gpg", BaseImage, Never, "a package repository's signature cannot be verified";
    AptHashMismatch = "apt-hash-mismatch", Infrastructure, Later, "a package or index differs from what the mirror announced";
    AptClockSkew = "apt-clock-skew", Infrastructure, Never, "the machine's clock is wrong";
    AptUnableToLocate = "apt-unable-to-locate", Author, Never, "apt does not know the package";
    AptUnmetDeps = "apt-unmet-deps", Author, Never, "the packages' dependencies cannot be met";
    AptNetwork = "apt-network", Infrastructure, Later, "a package mirror could not be reached, or broke off";
    AptStaleIndex = "apt-stale-index", Author, Never, "the package list is older than the mirror";
    AptSources = "apt-sources", Author, Never, "apt's source list is not usable";
    AptLock = "apt-lock", Infrastructure, Later, "another process holds the package manager's lock";
    InteractivePrompt = "interactive-prompt", Author, Never, "a package asks a question that nobody can answer";
    DpkgConfigure = "dpkg-configure", Author, Never, "a package's own script failed";
    NotRoot = "not-root", Author, Never, "a package manager ran without root rights";
    Locale = "locale", Author, Never, "the locale, or the tool that makes it, is missing";
    NoInit = "no-init", Author, Never, "the step wants a running systemd, which a build has not";

    // Other system package managers.
    PackageManagerMissing = "package-manager-missing", Author, Never, "the step calls a package manager that the base lacks";
    PackageNotFound = "package-not-found", Author, Never, "the package manager does not know the package";
    PackageConflict = "package-conflict", Author, Never, "the package manager found a conflict";
    PackageSignature = "package-signature", BaseImage, Never, "a package's signature cannot be verified";
    PackageEolRelease = "package-eol-release", BaseImage, Never, "the release's package repositories are gone";
    PackageNetwork = "package-network", Infrastructure, Later, "a package repository could not be reached";

    // The network inside a step.
    BuildDns = "build-dns", Infrastructure, Later, "names do not resolve inside the build";
    BuildNetwork = "build-network", Infrastructure, Later, "a connection from inside the build failed";
    ServiceMissing = "service-missing", Author, Never, "the step wants a database or service, which a build has not";
    ProxyTlsInBuild = "proxy-tls-in-build", Infrastructure, Never, "TLS or proxy settings of the network do not fit the build";
    DownloadNotFound = "download-not-found", Author, Never, "the server says that the download does not exist, or refuses it";
    DownloadRateLimit = "download-rate-limit", Infrastructure, Later, "a server limits how often the build may ask";
    ChecksumMismatch = "checksum-mismatch", Author, Never, "a file's checksum is not the expected one";
    ArchiveInvalid = "archive-invalid", Author, Never, "a file is not the archive that it should be";

    // The shell and the file system.
    CommandNotFound = "command-not-found", Author, Never, "the step calls a program that the image lacks";
    Exit126 = "exit-126", Author, Never, "a file is not executable";
    CrlfScript = "crlf-script", Author, Never, "a script has Windows line endings";
    ShellSyntax = "shell-syntax", Author, Never, "the shell cannot parse the command";
    PermissionDenied = "permission-denied", Author, Never, "the step may not write or read there";
    ReadOnly = "read-only", Author, Never, "the file system is read-only there";
    FileMissing = "file-missing", Author, Never, "a file or folder that the step needs is not there";
    HomeUnset = "home-unset", Author, Never, "the user has no home folder to write to";
    VariableUnset = "variable-unset", Author, Never, "a variable that the step needs is not set";
    ToolVersion = "tool-version", Author, Never, "the project wants another version of the tool";

    // git.
    GitDubiousOwnership = "git-dubious-ownership", Author, Never, "git refuses a repository that another user owns";
    GitMetadataMissing = "git-metadata-missing", Author, Never, "the step needs .git, which the export does not have";
    GitSubmoduleMissing = "git-submodule-missing", Author, Never, "a submodule's folder is empty";
    GitLfsPointer = "git-lfs-pointer", Author, Never, "a file is a Git LFS pointer, not the content";
    GitAuth = "git-auth", Author, Never, "git may not read the repository";
    GitRefMissing = "git-ref-missing", Author, Never, "the branch, tag or commit does not exist";

    // JavaScript.
    NpmEresolve = "npm-eresolve", Author, Never, "npm cannot resolve the peer dependencies";
    NpmEacces = "npm-eacces", Author, Never, "npm may not write there";
    NpmLockfile = "npm-lockfile", Author, Never, "the lock file does not match package.json";
    NpmEnoent = "npm-enoent", Author, Never, "npm finds no package.json";
    NpmNetwork = "npm-network", Infrastructure, Later, "the package registry could not be reached";
    NpmNotFound = "npm-not-found", Author, Never, "the npm package or version does not exist";
    NpmAuth = "npm-auth", Author, Never, "the npm registry wants a login";
    NpmIntegrity = "npm-integrity", Author, Never, "a package differs from the lock file's checksum";
    Corepack = "corepack", Author, Never, "corepack cannot get or verify the package manager";
    NpmEngine = "npm-engine", Author, Never, "a package wants another version of Node";
    NpmLifecycle = "npm-lifecycle", Author, Never, "a package's or project's npm script failed";
    NpmIgnoredBuilds = "npm-ignored-builds", Author, Never, "pnpm refuses build scripts that nobody approved";
    NodeGyp = "node-gyp", Author, Never, "a native Node module could not be compiled";
    NodeOpenssl = "node-openssl", Author, Never, "old JavaScript tooling meets a new OpenSSL";
    ModuleMissing = "module-missing", Author, Never, "a program cannot find a module that it imports";

    // Python.
    PipExternallyManaged = "pip-externally-managed", Author, Never, "the system's Python refuses pip (PEP 668)";
    PipNoMatch = "pip-no-match", Author, Never, "no version of the Python package fits";
    PipBuildFailed = "pip-build-failed", Author, Never, "a Python package could not be built";
    PipResolution = "pip-resolution", Author, Never, "the Python requirements contradict each other";
    PipNetwork = "pip-network", Infrastructure, Later, "the Python package index could not be reached";
    PipHash = "pip-hash", Author, Never, "a Python package differs from its recorded hash";
    PythonVersion = "python-version", Author, Never, "the project wants another version of Python";
    PythonLockfile = "python-lockfile", Author, Never, "the Python lock file does not match the project";
    Conda = "conda", Author, Never, "conda cannot make the environment";

    // Other languages.
    Cargo = "cargo", Author, Never, "cargo failed";
    Go = "go", Author, Never, "the go command failed";
    Gem = "gem", Author, Never, "RubyGems or Bundler failed";
    Maven = "maven", Author, Never, "Maven failed";
    Gradle = "gradle", Author, Never, "Gradle failed";
    Composer = "composer", Author, Never, "Composer failed";
    Dotnet = "dotnet", Author, Never, "the dotnet command failed";
    Deno = "deno", Author, Never, "deno failed";
    Mix = "mix", Author, Never, "mix failed";
    RPackage = "r-package", Author, Never, "an R package could not be installed";
    Swift = "swift", Author, Never, "the Swift package manager failed";
    Dart = "dart", Author, Never, "dart pub failed";
    Terraform = "terraform", Author, Never, "terraform init failed";

    // Building and testing.
    MakeNoRule = "make-no-rule", Author, Never, "make has no such target, or no makefile";
    CompileError = "compile-error", Author, Never, "the compiler refuses the source";
    CompilerMissing = "compiler-missing", Author, Never, "there is no compiler in the image";
    LinkError = "link-error", Author, Never, "the linker does not find a library or symbol";
    Cmake = "cmake", Author, Never, "CMake could not configure the project";
    JsBuild = "js-build", Author, Never, "the JavaScript build failed";
    TestsFailed = "tests-failed", Author, Never, "tests failed";

    // Before anything is built. No log holds these: `drydock check` says them.
    DefinitionInvalid = "definition-invalid", Author, Never, "the definition has errors";
    Usage = "usage", Author, Never, "what was asked for cannot be done";

    Unclassified = "unclassified", Author, Never, "not recognised";
}

impl Code {
    /// The page that `drydock explain` shows: what was seen, what it means, who must act, what to
    /// do, whether to retry, and an example with who writes it.
    #[must_use]
    pub fn page(self) -> &'static str {
        static PAGES: LazyLock<BTreeMap<Code, String>> =
            LazyLock::new(|| Code::ALL.iter().map(|code| (*code, code.compose())).collect());
        PAGES.get(&self).map_or("", String::as_str)
    }

    /// What to do, in a sentence or two.
    #[must_use]
    pub fn hint(self) -> &'static str {
        self.paragraph(2)
    }

    fn compose(self) -> String {
        let owner = match self.owner() {
            Owner::Author => "whoever wrote the definition or the repository",
            Owner::BaseImage => "whoever chose or made the base image",
            Owner::Infrastructure => "whoever runs engine, registry, network or mirror",
            Owner::Tool => "drydock, or the tool that drove the engine",
        };
        let retry = match self.retry() {
            Retry::Never => "it will fail again until something is changed.",
            Retry::Later => "it may pass later, unchanged.",
        };
        let (line, writer) = self.example();
        format!(
            "Seen: {}\n\nMeaning: {}\n\nWho must act: {owner} (unless the log says otherwise).\n\n\
             What to do: {}\n\nRetry: {retry}\n\nExample:\n    {line}\nwritten by {writer}.\n",
            self.paragraph(0),
            self.paragraph(1),
            self.paragraph(2),
        )
    }

    /// A line that shows the code, and who writes it.
    fn example(self) -> (String, &'static str) {
        if let Some(check) = Check::ALL.into_iter().find(|check| Self::from(*check) == self) {
            return (contract::Marker(check).to_string(), "the contract's probe");
        }
        if let Some(rule) = rules::first_of(self) {
            return (rule.line.trim().to_owned(), rule.writer);
        }
        let (line, writer) = match self {
            Self::Stalled => ("no output for 300 s", "drydock's watchdog"),
            Self::EngineGone => ("error sending request: connection closed", "drydock's client"),
            Self::WrongPlatform => ("the image is for linux/arm64", "drydock, after the pull"),
            Self::FrontendImage => (
                "ERROR resolve image config for docker-image://docker.io/docker/dockerfile:1.4",
                "BuildKit, on its first step",
            ),
            _ => ("exit code: 1", "the builder"),
        };
        (line.to_owned(), writer)
    }

    fn paragraph(self, number: usize) -> &'static str {
        self.text().trim_end().split("\n\n").nth(number).unwrap_or("")
    }
}

impl From<Check> for Code {
    fn from(check: Check) -> Self {
        match check {
            Check::Root => Self::ContractRoot,
            Check::Os => Self::ContractOs,
            Check::Arch => Self::ContractArch,
            Check::GlibcLoader => Self::ContractGlibcLoader,
            Check::Glibc => Self::ContractGlibc,
        }
    }
}
