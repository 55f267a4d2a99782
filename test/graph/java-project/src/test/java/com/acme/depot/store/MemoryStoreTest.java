package com.acme.depot.store;

import static org.junit.jupiter.api.Assertions.*;
import static com.acme.depot.words.Texts.*;

import com.acme.depot.model.Item;
import com.acme.depot.model.Kind;
import org.junit.jupiter.api.Test;

class MemoryStoreTest {
    private final MemoryStore store = new MemoryStore(1);

    @Test
    void keeps() {
        var item = make("a");
        store.put("a", item);
        assertEquals(quote("a"), store.get("a").get().title());
        assertThrows(MemoryStore.StoreFull.class, () -> store.put("b", make("b")));
        com.acme.depot.words.Texts.join("a", "b");
    }

    private Item make(String id) {
        return Item.of(id, Kind.BOOK).tag("new");
    }
}
