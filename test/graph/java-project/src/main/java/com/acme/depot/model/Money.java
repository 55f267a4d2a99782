package com.acme.depot.model;

import com.acme.depot.words.Texts;

/** In cents. */
public record Money(long cents, String currency) implements Comparable<Money> {
    public static final Money ZERO = new Money(0, "EUR");

    public Money {
        if (currency == null) throw new IllegalArgumentException(Texts.quote("currency"));
    }

    public Money plus(Money other) {
        return new Money(cents + other.cents(), currency());
    }

    Money checked() {
        return cents < 0 ? ZERO : this;
    }

    public String format() {
        return Texts.join(", ", String.valueOf(cents), currency);
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, other.cents);
    }
}
