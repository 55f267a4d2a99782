pub use crate::flat::{Area, Circle};
pub use crate::solid::{cube::Cube, Volume};

/// Everything with an area can be described: the trait is implemented for all of them at once.
pub trait Describe {
    fn describe(&self) -> String;
}

impl<T: Area> Describe for T {
    fn describe(&self) -> String {
        format!("{}", self.area())
    }
}
