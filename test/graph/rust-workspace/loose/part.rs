use super::main as start;

pub fn run() {
    start();
    crate::main();
}
