use std::collections::HashMap;

use super::Store;
use crate::event::{Bus, Listener};
use crate::model::item::Item;
use crate::{Error, Result};

/// Keeps items in memory.
pub struct Memory {
    items: HashMap<String, Item>,
    limit: usize,
    changed: Bus<Item>,
}

impl Memory {
    pub fn with_limit(limit: usize) -> Self {
        Memory { items: HashMap::new(), limit, changed: Bus::new() }
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn listen(&mut self, listener: Box<dyn Listener<Item>>) {
        self.changed.add(listener);
    }
}

impl Store for Memory {
    type Key = String;

    fn get(&self, id: &str) -> Option<&Item> {
        self.items.get(id)
    }

    fn put(&mut self, item: Item) -> Result<()> {
        item.check()?;
        if self.len() >= self.limit {
            return Err(Error::Full);
        }
        if let Some(old) = self.items.get(&item.id) {
            old.check()?;
        }
        self.changed.send(&item);
        self.items.insert(item.id.clone(), item);
        Ok(())
    }

    fn list(&self) -> Result<Vec<Item>> {
        let mut all: Vec<Item> = Vec::new();
        for (id, item) in &self.items {
            item.check()?;
            all.push(self.get(id).cloned().unwrap_or_else(|| item.clone()));
        }
        Ok(all)
    }
}
