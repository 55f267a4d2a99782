mod part;

fn main() {
    part::run();
    let f = part::run;
    f();
    twice!(1);
}
