use depot_core::model::{labels, Label};
use depot_core::{open, total, Item, Storage};

fn sample() -> Item {
    Item::builder("a").name("Axe").price(250).tag("steel").build().unwrap()
}

#[test]
fn keeps_items() {
    let mut store = open(2);
    store.put(sample()).unwrap();
    assert!(store.has("a"));
    let found = store.get("a").expect("there");
    assert_eq!(found.label(), "<Axe>");
    assert_eq!(labels(&[sample()]).len(), 1);
    total(&store).unwrap().add(&found.price);
}
