package com.acme.depot.model;

/** Has an id and a version. */
public abstract class Entity {
    private final String id;
    private int version;

    protected Entity(String id) {
        this(id, 0);
    }

    private Entity(String id, int version) {
        this.id = id;
        this.version = version;
    }

    public String id() {
        return id;
    }

    protected final void touch() {
        version++;
        changed(version);
    }

    protected void changed(int version) {}

    public abstract String title();
}
