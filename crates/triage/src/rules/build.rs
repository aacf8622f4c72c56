//! Words of make, CMake, compilers, linkers and test runners.

use crate::Code::{Cmake, CompileError, CompilerMissing, LinkError, MakeNoRule, TestsFailed};
use crate::rule::Weight::{Plain, Trail, Weak};
use crate::rule::{Rule, step};

const MAKE: &str = "GNU make";
const CMAKE: &str = "CMake";
const GCC: &str = "GCC and Clang";
const LD: &str = "GNU ld";

pub(super) const RULES: &[Rule] = &[
    step(Plain, MakeNoRule, "No rule to make target").seen("make: *** No rule to make target 'environment-setup'.  Stop.", MAKE),
    step(Plain, MakeNoRule, "No targets specified and no makefile found").seen("make: *** No targets specified and no makefile found.  Stop.", MAKE),
    step(Plain, MakeNoRule, "*** No targets.  Stop.").seen("make: *** No targets.  Stop.", MAKE),
    step(Plain, MakeNoRule, "*** missing separator").seen("Makefile:3: *** missing separator.  Stop.", MAKE),
    step(Plain, MakeNoRule, "No such file or directory.  Stop.").also(&["make"]).seen("make: *** sub: No such file or directory.  Stop.", MAKE),
    step(Plain, MakeNoRule, "ninja: error: loading 'build.ninja'").seen("ninja: error: loading 'build.ninja': No such file or directory", "ninja"),
    step(Plain, MakeNoRule, "ninja: error: unknown target").seen("ninja: error: unknown target 'all'", "ninja"),
    step(Plain, MakeNoRule, "error: Justfile does not contain recipe").seen("error: Justfile does not contain recipe `setup`.", "just"),
    step(Plain, MakeNoRule, "task: Task \"").also(&["does not exist"]).seen("task: Task \"setup\" does not exist", "task"),
    step(Plain, MakeNoRule, "rake aborted!").seen("rake aborted!", "rake"),
    step(Plain, CompilerMissing, "no acceptable C compiler found in $PATH").seen("configure: error: no acceptable C compiler found in $PATH", "autoconf"),
    step(Plain, CompilerMissing, "C compiler cannot create executables").seen("configure: error: C compiler cannot create executables", "autoconf"),
    step(Plain, CompilerMissing, "make: gcc: No such file or directory").seen("make: gcc: No such file or directory", MAKE),
    step(Plain, CompilerMissing, "make: cc: No such file or directory").seen("make: cc: No such file or directory", MAKE),
    step(Plain, CompilerMissing, "make: g++: No such file or directory").seen("make: g++: No such file or directory", MAKE),
    step(Plain, CompilerMissing, ": gcc: not found").seen("/bin/sh: 1: gcc: not found", "dash"),
    step(Plain, CompilerMissing, ": gcc: command not found").seen("/bin/bash: line 1: gcc: command not found", "bash"),
    step(Plain, CompilerMissing, ": g++: not found").seen("/bin/sh: 1: g++: not found", "dash"),
    step(Plain, CompilerMissing, ": cc: not found").seen("/bin/sh: 1: cc: not found", "dash"),
    step(Plain, CompilerMissing, "No CMAKE_C_COMPILER could be found").seen("  No CMAKE_C_COMPILER could be found.", CMAKE),
    step(Plain, CompilerMissing, "No CMAKE_CXX_COMPILER could be found").seen("  No CMAKE_CXX_COMPILER could be found.", CMAKE),
    step(Plain, CompilerMissing, "CMAKE_C_COMPILER not set").seen("CMake Error: CMAKE_C_COMPILER not set, after EnableLanguage", CMAKE),
    step(Plain, CompilerMissing, "ERROR: Unknown compiler(s)").seen("../meson.build:1:0: ERROR: Unknown compiler(s): [['cc'], ['gcc'], ['clang']]", "Meson"),
    step(Plain, CompileError, ": fatal error: ").not(&["Killed"]).seen("main.c:1:10: fatal error: zlib.h: No such file or directory", GCC),
    step(Weak, CompileError, ": error: ").also(&[".c"]).seen("main.c:12:5: error: unknown type name 'foo'", GCC),
    step(Weak, CompileError, ": error: ").also(&[".h:"]).seen("include/x.h:12:5: error: expected ';' before '}' token", GCC),
    step(Weak, CompileError, ".java:").also(&[": error: "]).seen("src/App.java:12: error: cannot find symbol", "javac"),
    step(Weak, CompileError, "e: file://").seen("e: file:///app/src/Main.kt:3:8 Unresolved reference: acme", "kotlinc"),
    step(Weak, CompileError, ".swift:").also(&[": error: "]).seen("/app/Sources/main.swift:3:8: error: no such module 'Acme'", "swiftc"),
    step(Weak, CompileError, "error: cannot find symbol").seen("error: cannot find symbol", "javac"),
    step(Weak, CompileError, ".hs:").also(&[": error:"]).seen("app/Main.hs:3:1: error: Could not find module 'Data.Aeson'", "GHC"),
    step(Plain, LinkError, "cannot find -l").seen("/usr/bin/ld: cannot find -lssl: No such file or directory", LD),
    step(Weak, LinkError, "undefined reference to `").seen("main.c:(.text+0x1): undefined reference to `crypt'", LD),
    step(Trail, LinkError, "ld returned 1 exit status").seen("collect2: error: ld returned 1 exit status", GCC),
    step(Weak, LinkError, "undefined symbol: ").seen("ld.lld: error: undefined symbol: crypt", "LLVM's lld"),
    step(Plain, Cmake, "CMake Error at").seen("CMake Error at CMakeLists.txt:12 (find_package):", CMAKE),
    step(Plain, Cmake, "CMake Error: The source directory").not(&["does not appear to contain"]).seen("CMake Error: The source directory \"/app/src\" does not exist.", CMAKE),
    step(Plain, Cmake, "or higher is required.  You are running version").seen("  CMake 3.24 or higher is required.  You are running version 3.18.4", CMAKE),
    step(Plain, Cmake, "Could NOT find ").also(&["(missing:"]).seen("  Could NOT find OpenSSL, try to set the path to OpenSSL root folder in the system variable OPENSSL_ROOT_DIR (missing: OPENSSL_CRYPTO_LIBRARY OPENSSL_INCLUDE_DIR)", CMAKE),
    step(Plain, Cmake, "ERROR: Dependency \"").also(&["not found"]).seen("meson.build:12:0: ERROR: Dependency \"glib-2.0\" not found, tried pkgconfig and cmake", "meson"),
    step(Weak, Cmake, "configure: error: ").not(&["C compiler"]).seen("configure: error: Package requirements (libxml-2.0 >= 2.9.0) were not met", "autoconf"),
    step(Weak, TestsFailed, "FAILED (failures=").seen("FAILED (failures=1, errors=2)", "Python's unittest"),
    step(Weak, TestsFailed, "FAILED (errors=").seen("FAILED (errors=2)", "Python's unittest"),
    step(Weak, TestsFailed, "short test summary info").seen("=========================== short test summary info ============================", "pytest"),
    step(Weak, TestsFailed, "test result: FAILED.").seen("test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s", "cargo test"),
    step(Weak, TestsFailed, "--- FAIL: ").seen("--- FAIL: TestParse (0.00s)", "go test"),
    step(Weak, TestsFailed, "Test Suites: ").also(&[" failed"]).seen("Test Suites: 1 failed, 3 passed, 4 total", "Jest"),
    step(Weak, TestsFailed, "Tests:  ").also(&["failed"]).seen("Tests:       1 failed, 12 passed, 13 total", "Jest"),
    step(Weak, TestsFailed, "AssertionError").seen("AssertionError: 1 != 2", "Python, Node"),
    step(Weak, TestsFailed, "Tests run: ").also(&["Failures: "]).not(&["Failures: 0, Errors: 0"]).seen("[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0", "JUnit"),
    step(Weak, TestsFailed, " examples, ").also(&[" failure"]).not(&[", 0 failures"]).seen("12 examples, 2 failures", "RSpec"),
    step(Weak, TestsFailed, "FAILURES!").seen("FAILURES!", "PHPUnit"),
];
