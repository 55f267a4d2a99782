package org.acme.yard;

import org.acme.kit.text.Words;

public interface Named {
    String PREFIX = "yard";

    Words name();

    default String label() {
        return PREFIX + name().text();
    }

    static Named of(String text) {
        return () -> Words.of(text);
    }
}
