use depot_core::event::Counter;
use depot_core::model::Label;
use depot_core::store::{self, Memory};
use depot_core::{total, Error, Item, Result, Storage as _};
use std::cell::Cell;

pub enum Command {
    Add(Item),
    Show { id: String },
    Total,
}

impl Command {
    pub fn parse(words: &[String]) -> Result<Command> {
        let mut words = words.iter();
        match words.next().map(String::as_str) {
            Some("add") => Ok(Command::Add(item(words.next())?)),
            Some("show") => Ok(Self::Show { id: words.next().cloned().unwrap_or_default() }),
            Some("total") => Ok(Command::Total),
            _ => Err(Error::Missing("command".into())),
        }
    }
}

fn item(word: Option<&String>) -> Result<Item> {
    let word = word.ok_or_else(|| Error::field("item", "no name"))?;
    Item::new(word, word)
}

pub async fn sync(to: &mut Memory) -> Result<usize> {
    let from = load(3).await?;
    store::copy(&from, to)
}

async fn load(limit: usize) -> Result<Memory> {
    Ok(store::open(limit))
}

pub fn run(store: &mut Memory, command: Command) -> Result<()> {
    let count = Cell::new(0);
    let counter = Counter { count: &count };
    match command {
        Command::Add(item) => {
            println!("{}", item.label());
            store.put(item)?;
        }
        Command::Show { id } => match store.get(&id) {
            Some(found) => println!("{} {:?}", found.label(), found.first_tag()),
            None => return Err(Error::Missing(id)),
        },
        Command::Total => {
            let sum = total(store)?;
            println!("{}", sum.add(&sum).cents);
        }
    }
    drop(counter);
    Ok(())
}
