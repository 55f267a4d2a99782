#[macro_use]
mod checks;
pub mod flat;
pub mod prelude;
pub mod solid;
macro_rules! modules { ($($item:item)*) => { $($item)* }; }
modules! {
    pub mod hidden;
}

pub use crate::flat::{Circle as Disc, Square};
pub use solid::*;

use flat::Area;

pub const UNIT: f64 = 1.0;
pub static NAMES: [&str; 2] = ["disc", "cube"];

/// Inline modules nest, and see what is around them by `super` alone.
pub mod units {
    pub const INCH: f64 = 2.54;

    pub fn scale(by: f64) -> f64 {
        by * INCH
    }

    pub mod angle {
        use super::scale;

        pub fn turn(by: f64) -> f64 {
            scale(by) + super::INCH + super::super::UNIT
        }

        #[derive(Clone, Copy)]
        pub enum Side {
            Left,
            Right(f64),
        }
    }
}

fn secret() -> f64 {
    checked!(UNIT)
}

pub fn sum(all: &[Box<dyn Area>]) -> f64 {
    all.iter().map(|one| one.area()).sum::<f64>() + secret()
}
