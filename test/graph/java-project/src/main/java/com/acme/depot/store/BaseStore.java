package com.acme.depot.store;

import com.acme.depot.event.EventBus;
import com.acme.depot.event.Listener;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

abstract class BaseStore<T> implements Store<T> {
    protected final Map<String, T> values = new LinkedHashMap<>();
    private final EventBus<T> changed = new EventBus<>();

    @Override
    public Optional<T> get(String id) {
        return Optional.ofNullable(values.get(id));
    }

    @Override
    public void put(String id, T value) {
        check(value);
        values.put(id, value);
        changed.send(value);
    }

    @Override
    public Collection<T> all() {
        return values.values();
    }

    public BaseStore<T> listen(Listener<T> listener) {
        changed.add(listener);
        return this;
    }

    protected abstract void check(T value);
}
