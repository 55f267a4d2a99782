package com.acme.depot.model;

public enum Kind {
    BOOK("book"),
    TOOL("tool") {
        @Override
        String label() {
            return "a " + name();
        }
    };

    private final String word;

    Kind(String word) {
        this.word = word;
    }

    String label() {
        return word;
    }

    public static Kind parse(String text) {
        for (Kind kind : values()) {
            if (kind.label().equals(text)) return kind;
        }
        return Kind.valueOf(text);
    }
}
