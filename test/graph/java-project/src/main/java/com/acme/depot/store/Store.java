package com.acme.depot.store;

import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds and keeps values. */
public interface Store<T> {
    Optional<T> get(String id);

    void put(String id, T value);

    Collection<T> all();

    default Optional<T> first(Predicate<? super T> test) {
        return all().stream().filter(test).findFirst();
    }
}
