package com.acme.depot.model;

public interface Titled {
    String title();

    default String shout() {
        return title().toUpperCase() + suffix();
    }

    private String suffix() {
        return "!";
    }
}
