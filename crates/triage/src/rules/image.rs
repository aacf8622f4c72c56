//! Words of the container runtime, the kernel and the dynamic loader about the image itself.

use crate::Code::{
    ContainerConflict, CpuFeature, EmulationCrash, ExecFormat, Exit126, Exit139, GlibcTooOld,
    GroupFileMissing, LibraryMissing, NoShell, OciRuntime, ShellLinkLoop, UserUnknown,
};
use crate::rule::Weight::{Firm, Plain, Weak};
use crate::rule::{Rule, both, engine, step};

const RUNC: &str = "runc, libcontainer (through containerd and dockerd)";
const CRUN: &str = "crun (Podman, Buildah)";
const LOADER: &str = "glibc's dynamic loader";

pub(super) const RULES: &[Rule] = &[
    both(Firm, ShellLinkLoop, "stat /bin/sh: too many levels of symbolic links").seen(
        r#"runc run failed: unable to start container process: exec: "/bin/sh": stat /bin/sh: too many levels of symbolic links"#,
        RUNC,
    ),
    both(Firm, ShellLinkLoop, "too many levels of symbolic links").also(&["/bin/sh"]).seen(
        r#"OCI runtime create failed: container_linux.go:380: starting container process caused: exec: "/bin/sh": too many levels of symbolic links: unknown"#,
        RUNC,
    ),
    both(Firm, GroupFileMissing, "unable to find groups for spec").seen(
        "failed to solve: unable to find groups for spec root: invalid argument",
        "runc, libcontainer/user (through BuildKit)",
    ),
    both(Firm, NoShell, r#"exec: "/bin/sh": stat /bin/sh: no such file or directory"#).seen(
        r#"runc run failed: unable to start container process: error during container init: exec: "/bin/sh": stat /bin/sh: no such file or directory"#,
        RUNC,
    ),
    both(Firm, NoShell, r#"exec: \"/bin/sh\": stat /bin/sh: no such file"#).seen(
        r#"OCI runtime create failed: container_linux.go:345: starting container process caused "exec: \"/bin/sh\": stat /bin/sh: no such file or directory": unknown"#,
        RUNC,
    ),
    both(Firm, NoShell, "sh: executable file not found in $PATH").also(&["exec"]).not(&["bash: exec"]).seen(
        "Error: crun: executable file `/bin/sh` not found in $PATH: No such file or directory: OCI runtime attempted to invoke a command that was not found; exec sh: executable file not found in $PATH",
        CRUN,
    ),
    both(Firm, NoShell, r#"exec: "sh": executable file not found in $PATH"#).seen(
        r#"docker: Error response from daemon: OCI runtime create failed: runc create failed: unable to start container process: exec: "sh": executable file not found in $PATH: unknown."#,
        RUNC,
    ),
    both(Firm, NoShell, "executable file `/bin/sh` not found").seen(
        "error running container: error from crun creating container for [/bin/sh -c make]: executable file `/bin/sh` not found in $PATH: No such file or directory",
        CRUN,
    ),
    both(Firm, NoShell, "open executable: Operation not permitted").also(&["/bin/sh"]).seen(
        "crun: open executable: Operation not permitted: OCI permission denied: /bin/sh",
        CRUN,
    ),
    both(Firm, NoShell, "exec /bin/sh: no such file or directory").seen(
        "exec /bin/sh: no such file or directory",
        "runc's init, when the shell's own loader is missing",
    ),
    both(Firm, NoShell, "fork/exec /bin/sh: no such file or directory").seen(
        "error building image: error building stage: failed to execute command: starting command: fork/exec /bin/sh: no such file or directory",
        "kaniko",
    ),
    both(Firm, NoShell, "fork/exec /bin/bash: no such file or directory").seen(
        "Build failed: failed to run command 'apt-get update': fork/exec /bin/bash: no such file or directory",
        "E2B's envd: it runs each step through /bin/bash",
    ),
    both(Firm, NoShell, "stat /bin/bash: no such file or directory").also(&["exec: "]).seen(
        r#"runc run failed: unable to start container process: exec: "/bin/bash": stat /bin/bash: no such file or directory"#,
        RUNC,
    ),
    both(Firm, NoShell, "exec: /bin/sh: not found").seen("starting container process caused: exec: /bin/sh: not found", RUNC),
    both(Firm, ExecFormat, "exec format error").seen("exec /bin/sh: exec format error", "the kernel, through runc's init"),
    both(Firm, ExecFormat, "cannot execute binary file: Exec format error").seen(
        "/bin/bash: line 1: /usr/local/bin/tool: cannot execute binary file: Exec format error",
        "bash",
    ),
    both(Firm, ExecFormat, "Exec format error").seen("/bin/sh: 1: ./tool: Exec format error", "dash"),
    both(Firm, ExecFormat, "cannot execute binary file").not(&["/bin/sh: /bin/sh"]).seen(
        "/bin/bash: ./tool: cannot execute binary file",
        "bash",
    ),
    both(Firm, EmulationCrash, "qemu: uncaught target signal").seen(
        "qemu: uncaught target signal 11 (Segmentation fault) - core dumped",
        "qemu-user, linux-user/signal.c",
    ),
    both(Firm, EmulationCrash, "rosetta error:").seen(
        "rosetta error: failed to open elf at /lib64/ld-linux-x86-64.so.2",
        "Rosetta in Docker Desktop's machine",
    ),
    both(Firm, EmulationCrash, "qemu-").also(&["-static:", "Could not open"]).seen(
        "qemu-x86_64-static: Could not open '/lib64/ld-linux-x86-64.so.2': No such file or directory",
        "qemu-user",
    ),
    both(Firm, EmulationCrash, "qemu: Unsupported syscall").seen("qemu: Unsupported syscall: 435", "qemu-user"),
    step(Firm, GlibcTooOld, "version `GLIBC_").also(&["not found"]).seen(
        "node: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.28' not found (required by node)",
        LOADER,
    ),
    step(Firm, GlibcTooOld, "version `GLIBCXX_").also(&["not found"]).seen(
        "ImportError: /lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by /app/ext.so)",
        LOADER,
    ),
    step(Firm, GlibcTooOld, "version 'GLIBC_").also(&["not found"]).seen(
        "/lib64/libc.so.6: version 'GLIBC_2.34' not found (required by ./tool)",
        LOADER,
    ),
    step(Firm, GlibcTooOld, "version `CXXABI_").also(&["not found"]).seen(
        "/usr/lib/libstdc++.so.6: version `CXXABI_1.3.13' not found (required by ./tool)",
        LOADER,
    ),
    step(Firm, LibraryMissing, "error while loading shared libraries:").seen(
        "/usr/bin/tool: error while loading shared libraries: libssl.so.1.1: cannot open shared object file: No such file or directory",
        LOADER,
    ),
    step(Plain, LibraryMissing, "cannot open shared object file").seen(
        "ImportError: libGL.so.1: cannot open shared object file: No such file or directory",
        LOADER,
    ),
    step(Firm, LibraryMissing, "Error loading shared library").seen(
        "Error loading shared library ld-linux-x86-64.so.2: No such file or directory (needed by ./tool)",
        "musl's dynamic loader",
    ),
    step(Plain, LibraryMissing, "Error relocating").also(&["symbol not found"]).seen(
        "Error relocating ./tool: __memcpy_chk: symbol not found",
        "musl's dynamic loader",
    ),
    step(Plain, LibraryMissing, "/lib64/ld-linux-x86-64.so.2: No such file or directory").seen(
        "/lib64/ld-linux-x86-64.so.2: No such file or directory",
        "programs for glibc on a base without it",
    ),
    step(Firm, ExecFormat, "Syntax error: word unexpected (expecting \")\")").not(&["/bin/sh: "]).seen(
        "/usr/local/bin/tool: 1: Syntax error: word unexpected (expecting \")\")",
        "dash, which reads a program for another CPU as a script",
    ),
    step(Firm, ExecFormat, "syntax error: unexpected word (expecting \")\")").not(&["/bin/sh: "]).seen(
        "/bin/pnpm: line 0: syntax error: unexpected word (expecting \")\")",
        "BusyBox's sh, which reads a program for another CPU as a script",
    ),
    step(Weak, Exit139, "Segmentation fault").not(&["qemu"]).seen("Segmentation fault (core dumped)", "the shell"),
    step(Weak, CpuFeature, "Illegal instruction").seen("Illegal instruction (core dumped)", "the shell, after SIGILL"),
    step(Plain, CpuFeature, "CPU does not support x86-64-v").seen("Fatal glibc error: CPU does not support x86-64-v2", LOADER),
    both(Firm, Exit126, "permission denied: unknown").also(&["exec: "]).seen(
        r#"docker: Error response from daemon: OCI runtime create failed: runc create failed: unable to start container process: exec: "/app/run.sh": permission denied: unknown."#,
        RUNC,
    ),
    both(Firm, crate::Code::CommandNotFound, "executable file not found in $PATH").seen(
        r#"docker: Error response from daemon: failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "make": executable file not found in $PATH: unknown."#,
        RUNC,
    ),
    both(Firm, crate::Code::CommandNotFound, ": no such file or directory").also(&["unable to start container process: exec: "]).not(&["/bin/sh", "/bin/bash"]).seen(
        r#"docker: Error response from daemon: OCI runtime create failed: runc create failed: unable to start container process: exec: "/app/run": stat /app/run: no such file or directory: unknown."#,
        RUNC,
    ),
    both(Firm, crate::Code::CommandNotFound, ": no such file or directory").also(&[r#"exec: \""#, ": stat "]).not(&["/bin/sh", "/bin/bash"]).seen(
        r#"docker: Error response from daemon: OCI runtime create failed: container_linux.go:296: starting container process caused "exec: \"./gradlew\": stat ./gradlew: no such file or directory": unknown."#,
        "runc before 1.0",
    ),
    both(Plain, crate::Code::CommandNotFound, "exec user process caused").also(&["no such file or directory"]).seen(
        "standard_init_linux.go:228: exec user process caused: no such file or directory",
        "runc's init before 1.1, when a program's interpreter is missing",
    ),
    both(Plain, OciRuntime, "OCI runtime create failed").seen(
        r#"OCI runtime create failed: namespace {"cgroup" ""} does not exist: unknown"#,
        RUNC,
    ),
    both(Firm, OciRuntime, "error setting cgroup config").seen(
        "failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error setting cgroup config for procHooks process: resulting devices cgroup doesn't match target mode: unknown",
        RUNC,
    ),
    engine(Firm, OciRuntime, "unknown or invalid runtime name").seen("docker: Error response from daemon: unknown or invalid runtime name: nvidia", "dockerd"),
    engine(Firm, OciRuntime, "Unknown runtime specified").seen("docker: Error response from daemon: Unknown runtime specified nvidia.", "dockerd before 24"),
    engine(Firm, OciRuntime, "could not select device driver").seen("docker: Error response from daemon: could not select device driver \"\" with capabilities: [[gpu]].", "dockerd"),
    both(Plain, OciRuntime, "runc create failed").seen("failed to create shim task: OCI runtime create failed: runc create failed: unable to apply cgroup configuration: unknown", RUNC),
    both(Plain, OciRuntime, "runc run failed").seen("runc run failed: unable to start container process: error adding pid 4242 to cgroups", RUNC),
    both(Plain, OciRuntime, "failed to create shim").seen("Error response from daemon: failed to create shim: OCI runtime create failed: unknown", "containerd"),
    both(Plain, OciRuntime, "OCI runtime error: ").seen("Error: OCI runtime error: crun: creating cgroup directory `/sys/fs/cgroup/systemd/x`: No such file or directory", "Podman"),
    both(Firm, crate::Code::CommandNotFound, "OCI runtime attempted to invoke a command that was not found").not(&["/bin/sh", "`sh`"]).seen("Error: crun: executable file `tool` not found in $PATH: No such file or directory: OCI runtime attempted to invoke a command that was not found", CRUN),
    engine(Plain, OciRuntime, "runc did not terminate suc").also(&["gateway.v0"]).seen("failed to solve with frontend dockerfile.v0: failed to solve with frontend gateway.v0: runc did not terminate sucessfully", "BuildKit, when the frontend's container does not start"),
    engine(Plain, OciRuntime, "failed to mount /").also(&["operation not permitted"]).seen("failed to solve: failed to mount /tmp/buildkit-mount850435638: [{Type:bind Source:/tmp/x Options:[ro rbind]}]: operation not permitted", "BuildKit without the rights to mount"),
    engine(Plain, OciRuntime, "failed to mount /").also(&["permission denied"]).seen("failed to solve: failed to mount /tmp/buildkit-mount850435638: [{Type:overlay Source:overlay Options:[index=off]}]: permission denied", "BuildKit without the rights to mount"),
    engine(Plain, OciRuntime, "mounting build container \"").seen("Error: mounting new container: mounting build container \"91fa490cee3b\": creating overlay mount to /var/lib/containers/storage/overlay/5c0f/merged: using mount program /usr/bin/fuse-overlayfs: fuse: device not found, try 'modprobe fuse' first", "Buildah"),
    engine(Plain, OciRuntime, ", flags: 0x").also(&["permission denied"]).seen("Error: mount /storage/overlay:/storage/overlay, flags: 0x1000: permission denied", "containers/storage (Podman, Buildah)"),
    engine(Plain, OciRuntime, ", flags: 0x").also(&["operation not permitted"]).seen("Error: mount /storage/overlay:/storage/overlay, flags: 0x1000: operation not permitted", "containers/storage (Podman, Buildah)"),
    engine(Plain, OciRuntime, "write to gid_map failed").seen("running `/usr/bin/newgidmap 19 0 1000 1`: newgidmap: write to gid_map failed: Operation not permitted", "shadow-utils, for Podman and Buildah without root"),
    engine(Plain, OciRuntime, "write to uid_map failed").seen("running `/usr/bin/newuidmap 19 0 1000 1`: newuidmap: write to uid_map failed: Operation not permitted", "shadow-utils, for Podman and Buildah without root"),
    both(Plain, OciRuntime, "failed to mount overlay").seen("failed to mount overlay: invalid argument", "containerd's overlay snapshotter"),
    both(Plain, OciRuntime, "error creating overlay mount to").seen("error creating overlay mount to /var/lib/docker/overlay2/0a1b/merged: too many levels of symbolic links", "dockerd's overlay2 driver"),
    engine(Firm, OciRuntime, "failed to create endpoint").seen("docker: Error response from daemon: failed to create endpoint web on network bridge: operation not supported.", "dockerd, libnetwork"),
    engine(Plain, OciRuntime, "cgroups: cgroup mountpoint does not exist").seen("docker: Error response from daemon: cgroups: cgroup mountpoint does not exist: unknown.", "containerd"),
    both(Plain, OciRuntime, "unable to start container process").seen("unable to start container process: unable to apply cgroup configuration: mkdir /sys/fs/cgroup/docker: read-only file system", RUNC),
    both(Firm, OciRuntime, "error running container: error creating container for [").not(&["executable file", "no such file"]).seen("error running container: error creating container for [/bin/sh -c dnf -y install make]: : exit status 1", "Buildah before 1.20"),
    both(Firm, crate::Code::CommandNotFound, ": no such file or directory").also(&["error during container init: exec: "]).not(&["/bin/sh", "/bin/bash"]).seen("docker: Error response from daemon: failed to create task for container: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: \"./run.sh\": stat ./run.sh: no such file or directory: unknown", RUNC),
    both(Plain, OciRuntime, "error running container: error from runc creating container").seen(
        "error running container: error from runc creating container for [/bin/sh -c make]: : exit status 1",
        "Buildah",
    ),
    both(Plain, OciRuntime, "newuidmap").also(&["failed"]).seen("Error: cannot set up namespace using \"/usr/bin/newuidmap\": newuidmap failed: exit status 1", "Podman, rootless"),
    both(Plain, OciRuntime, "potentially insufficient UIDs or GIDs available in user namespace").seen(
        "Error: writing blob: adding layer with blob: potentially insufficient UIDs or GIDs available in user namespace (requested 0:42 for /etc/gshadow)",
        "containers/storage (Podman, Buildah)",
    ),
    both(Firm, UserUnknown, "no matching entries in passwd file").seen(
        "unable to find user app: no matching entries in passwd file",
        "runc, libcontainer/user",
    ),
    both(Firm, UserUnknown, "no matching entries in group file").seen("unable to find group app: no matching entries in group file", "runc, libcontainer/user"),
    both(Plain, UserUnknown, "unable to find user").seen("Error: unable to find user app: no matching entries in passwd file", "runc, Podman"),
    step(Plain, UserUnknown, "invalid user:").seen("chown: invalid user: 'app:app'", "GNU coreutils"),
    step(Plain, UserUnknown, "invalid group:").seen("chown: invalid group: 'app:app'", "GNU coreutils"),
    step(Plain, UserUnknown, "unknown user/group").seen("chown: unknown user/group app:app", "BusyBox"),
    step(Plain, UserUnknown, "unknown user ").seen("chown: unknown user app", "BusyBox"),
    step(Plain, UserUnknown, "su: user ").also(&["does not exist"]).seen("su: user app does not exist or the user entry does not contain all the required fields", "util-linux"),
    step(Plain, UserUnknown, "' does not exist").also(&["group '"]).seen("useradd: group 'app' does not exist", "shadow-utils"),
    engine(Firm, ContainerConflict, "is already in use by container").seen(
        r#"docker: Error response from daemon: Conflict. The container name "/web" is already in use by container "0a1b2c3d". You have to remove (or rename) that container to be able to reuse that name."#,
        "dockerd",
    ),
    engine(Firm, ContainerConflict, "port is already allocated").seen(
        "docker: Error response from daemon: driver failed programming external connectivity on endpoint web: Bind for 0.0.0.0:8080 failed: port is already allocated.",
        "dockerd",
    ),
    engine(Plain, ContainerConflict, "Error response from daemon: network ").also(&[" not found"]).seen("Error response from daemon: network e522ee0548b9 not found", "dockerd"),
    engine(Plain, ContainerConflict, "address already in use").seen("Error response from daemon: failed to bind host port for 0.0.0.0:5432: address already in use", "dockerd"),
    engine(Firm, ContainerConflict, "non-overlapping IPv4 address pool").seen("Error response from daemon: could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network", "dockerd"),
    engine(Firm, ContainerConflict, "all predefined address pools have been fully subnetted").seen(
        "Error response from daemon: all predefined address pools have been fully subnetted",
        "dockerd since 25",
    ),
    engine(Firm, ContainerConflict, "invalid mount config").seen(
        r#"docker: Error response from daemon: invalid mount config for type "bind": bind source path does not exist: /data."#,
        "dockerd",
    ),
    engine(Firm, ContainerConflict, "Are you trying to mount a directory onto a file").seen(
        r#"docker: Error response from daemon: OCI runtime create failed: error mounting "/a" to rootfs at "/b": not a directory: unknown: Are you trying to mount a directory onto a file (or vice-versa)?"#,
        RUNC,
    ),
];
