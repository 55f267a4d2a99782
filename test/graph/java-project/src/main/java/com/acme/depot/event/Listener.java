package com.acme.depot.event;

@FunctionalInterface
public interface Listener<E> {
    void on(E event);
}
