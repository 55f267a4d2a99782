//! Keeps items.

#[macro_use]
mod macros;
pub mod error;
pub mod event;
pub mod model;
pub mod store;

pub use error::{Error, Result};
pub use model::{item::Item, price::*};
pub use store::{open, Store as Storage};

/// The version of the format.
pub const VERSION: u32 = 3;

/// Adds all prices.
pub fn total(store: &dyn Storage) -> Result<Price> {
    let mut sum = Price::zero();
    for item in store.list()? {
        sum = sum.add(&item.price);
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn total_of_nothing() {
        let store = open(3);
        assert_eq!(total(&store).unwrap(), Price::zero());
        check(store.len());
    }

    fn check(count: usize) {
        assert!(count < VERSION as usize);
    }
}
