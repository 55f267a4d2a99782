pub mod cube;
mod stack;

pub use self::cube::Cube;
pub use self::stack::Stack;

use super::flat::Square;
use super::hidden::found;

pub trait Volume {
    fn volume(&self) -> f64;
    fn side(&self) -> &Square;
}

pub fn pile(of: &Stack<Cube>) -> f64 {
    found() + of.each(|cube| cube.volume()) + of.top().map_or(0.0, |cube| cube.side().0)
}
