package com.acme.depot.event;

import java.util.ArrayList;
import java.util.List;

public class EventBus<E> {
    private final List<Listener<E>> listeners = new ArrayList<>();

    public void add(Listener<E> listener) {
        listeners.add(listener);
    }

    public void send(E event) {
        for (Listener<E> listener : listeners) listener.on(event);
        listeners.forEach(each -> each.on(event));
        Runnable done = () -> finish(event);
        done.run();
    }

    private void finish(E event) {}
}
