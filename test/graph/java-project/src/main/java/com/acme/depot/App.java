package com.acme.depot;

import com.acme.depot.model.*;
import com.acme.depot.service.PriceService;
import com.acme.depot.store.MemoryStore;
import com.acme.depot.store.Store;
import java.util.List;

import static com.acme.depot.words.Texts.quote;

/** Starts the program. */
public final class App {
    private final Store<Item> store;
    private final PriceService prices;

    App(Store<Item> store) {
        this.store = store;
        prices = new PriceService(store);
    }

    public static void main(String[] args) throws Exception {
        App app = new App(new MemoryStore(Limits.DEFAULT));
        app.fill(List.of(args));
        System.out.println(app.describe());
    }

    void fill(List<String> names) {
        for (String name : names) {
            Item item = Item.of(name, Kind.parse(name));
            store.put(item.id(), item);
        }
        names.forEach(this::log);
        store.all().forEach(item -> log(item.title()));
    }

    String describe() {
        var total = prices.total();
        var first = store.get("a").map(Item::title).orElse(quote("none"));
        return total.plus(Money.ZERO).format() + first;
    }

    private void log(String text) {
        System.out.println(text);
    }

    static class Limits {
        static final int DEFAULT = limit();

        private static int limit() {
            return Integer.parseInt("10");
        }
    }
}
