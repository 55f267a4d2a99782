mod commands;

use commands::{run, Command};
use depot_core as core;

fn main() {
    let mut store = core::open(100);
    let words: Vec<String> = std::env::args().skip(1).collect();
    let command = match Command::parse(&words) {
        Ok(command) => command,
        Err(error) => {
            eprintln!("{}", error);
            std::process::exit(error.code());
        }
    };
    if let Err(error) = run(&mut store, command) {
        report(&error);
    }
}

fn report(error: &core::Error) {
    eprintln!("{} ({})", error, error.code());
}
