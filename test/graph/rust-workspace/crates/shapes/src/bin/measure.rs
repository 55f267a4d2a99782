use shapes::prelude::*;
use shapes::{pile, solid, units::angle::turn, Disc, Stack};

mod report;

fn main() {
    let disc = Disc { radius: 1.0, ..Disc::empty() };
    report::line(&disc.describe());
    let mut stack = Stack::new();
    stack.push(Cube::new(shapes::Square::empty()));
    turn(pile(&stack) + stack.heavy());
    solid::cube::Cube::new(shapes::flat::make());
    for cube in stack {
        cube.cost();
    }
    checked();
}

fn checked() {}
