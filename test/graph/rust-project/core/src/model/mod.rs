pub mod item;
pub mod price;

use self::item::Item;

/// Something with a name to show.
pub trait Label {
    fn name(&self) -> &str;

    fn label(&self) -> String {
        let text = self.name();
        self.decorate(text)
    }

    fn decorate(&self, text: &str) -> String {
        format!("<{}>", text)
    }
}

impl Label for Item {
    fn name(&self) -> &str {
        &self.name
    }
}

pub fn labels<L: Label>(all: &[L]) -> Vec<String> {
    all.iter().map(|one| one.label()).collect()
}
