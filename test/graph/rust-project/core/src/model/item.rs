use super::price::{Currency, Price};
use crate::error::{Error, Result};

/// Something that is kept.
#[derive(Clone, Debug, Default)]
pub struct Item {
    pub id: String,
    pub name: String,
    pub price: Price,
    tags: Vec<Tag>,
}

#[derive(Clone, Debug)]
pub struct Tag(String);

impl Tag {
    const SEPARATOR: char = ',';

    pub fn new(text: impl Into<String>) -> Tag {
        Tag(text.into())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Item {
    pub fn new(id: &str, name: &str) -> Result<Self> {
        let item = Self { id: id.into(), name: tidy(name), ..Default::default() };
        item.check()?;
        Ok(item)
    }

    pub fn builder(id: &str) -> ItemBuilder {
        ItemBuilder { item: Item { id: id.to_string(), ..Item::default() } }
    }

    pub fn check(&self) -> Result<()> {
        ensure!(!self.id.is_empty(), Error::field("id", "empty"));
        if self.tags.iter().any(|tag| tag.is_empty()) {
            return Err(Error::Full);
        }
        self.price.check()
    }

    pub fn first_tag(&self) -> Option<&Tag> {
        self.tags.first()
    }
}

pub struct ItemBuilder {
    item: Item,
}

impl ItemBuilder {
    pub fn name(mut self, name: &str) -> Self {
        self.item.name = tidy(name);
        self
    }

    pub fn price(mut self, cents: i64) -> Self {
        self.item.price = Price::new(cents, Currency::Euro);
        self
    }

    pub fn tag(mut self, text: &str) -> Self {
        self.item.tags.push(Tag::new(text));
        self
    }

    pub fn build(self) -> Result<Item> {
        self.item.check()?;
        Ok(self.item)
    }
}

fn tidy(name: &str) -> String {
    fn strip(text: &str) -> &str {
        text.trim()
    }
    strip(name).to_owned()
}
