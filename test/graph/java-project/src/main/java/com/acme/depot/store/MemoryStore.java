package com.acme.depot.store;

import com.acme.depot.event.Listener;
import com.acme.depot.model.Item;

/** Keeps items in memory. */
public class MemoryStore extends BaseStore<Item> {
    private final int limit;
    private final Counter counter = new Counter();

    public MemoryStore(int limit) {
        super();
        this.limit = limit;
        listen(new Listener<Item>() {
            @Override
            public void on(Item item) {
                item.title();
                counter.bump();
            }
        }).listen(Item::shout).listen(item -> item.price().format());
    }

    @Override
    public void put(String id, Item value) {
        if (values.size() >= limit) throw new StoreFull(limit);
        super.put(id, value);
    }

    @Override
    protected void check(Item value) {
        value.price().format();
        for (Item item : values.values()) {
            item.title();
        }
        values.get("a").price();
    }

    private static class Counter {
        int count;

        void bump() {
            count++;
        }
    }

    static class StoreFull extends RuntimeException {
        StoreFull(int limit) {
            super("more than " + limit);
        }
    }
}
