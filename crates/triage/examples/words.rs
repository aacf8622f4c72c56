//! Prints the words that the rules look for, one a line: what another search is given to be compared.

#![expect(clippy::print_stdout, reason = "its output is what it is for")]

fn main() {
    for words in triage::words() {
        println!("{words}");
    }
}
