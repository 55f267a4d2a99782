package com.acme.depot.service;

import com.acme.depot.model.Item;
import com.acme.depot.model.Money;
import com.acme.depot.store.Store;
import com.acme.depot.words.Checked;
import com.acme.depot.words.Texts;
import java.util.stream.Collectors;

@Checked(by = "prices")
public class PriceService {
    private final Store<? extends Item> items;

    public PriceService(Store<? extends Item> items) {
        this.items = items;
    }

    @Checked
    public Money total() {
        Money sum = Money.ZERO;
        for (Item item : items.all()) {
            sum = sum.plus(item.price());
        }
        return sum;
    }

    public String report() {
        Object latest = items.first(item -> item.price().cents() > 0).orElse(null);
        if (latest instanceof Item item && item.price() != null) {
            item.shout();
        }
        String names = items.all().stream().map(i -> i.title()).collect(Collectors.joining());
        return Texts.join(names, ((Item) latest).title());
    }

    public <T extends Item> T cheaper(T a, T b) {
        return a.price().compareTo(b.price()) < 0 ? a : b;
    }
}
