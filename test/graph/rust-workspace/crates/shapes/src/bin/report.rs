pub fn line(text: &str) {
    println!("{}", text);
    crate::main();
}
