mod memory;

pub use memory::Memory;

use crate::error::Result;
use crate::model::item::Item;

/// Finds and keeps items.
pub trait Store {
    type Key;

    fn get(&self, id: &str) -> Option<&Item>;
    fn put(&mut self, item: Item) -> Result<()>;
    fn list(&self) -> Result<Vec<Item>>;

    fn has(&self, id: &str) -> bool {
        self.get(id).is_some()
    }
}

/// Makes a store for so many items.
pub fn open(limit: usize) -> Memory {
    Memory::with_limit(limit)
}

/// Copies all items, and says how many.
pub fn copy<A, B>(from: &A, to: &mut B) -> Result<usize>
where
    A: Store,
    B: Store,
{
    let items = from.list()?;
    let count = items.len();
    for item in items {
        item.check()?;
        to.put(item)?;
    }
    Ok(count)
}

/// What a macro makes is not known, so that this may be one of several.
pub fn check_first(store: &dyn Store<Key = String>) -> Result<()> {
    let first = first_of!(store.list()?);
    first.check()
}
