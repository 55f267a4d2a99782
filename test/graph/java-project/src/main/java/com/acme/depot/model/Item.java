package com.acme.depot.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Something that is kept. */
public class Item extends Entity implements Titled {
    private final Kind kind;
    private Money price = Money.ZERO;
    private final List<Tag> tags = new ArrayList<>();

    protected Item(String id, Kind kind) {
        super(id);
        this.kind = Objects.requireNonNull(kind);
    }

    public static Item of(String id, Kind kind) {
        Item item = new Item(id, kind);
        item.touch();
        return item;
    }

    public Money price() {
        return price;
    }

    public Item price(Money price) {
        this.price = price.checked();
        touch();
        return this;
    }

    public Item tag(String text) {
        Tag tag = this.new Tag(text);
        tags.add(tag);
        tag.show();
        return this;
    }

    @Override
    public String title() {
        return kind.label() + " " + id() + tags.get(0).show();
    }

    /** A word on this item. */
    public class Tag {
        private final String text;

        Tag(String text) {
            this.text = text;
            touch();
        }

        String show() {
            return Item.this.id() + text + kind.label();
        }
    }
}
