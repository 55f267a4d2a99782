package com.acme.depot.words;

import java.util.function.Function;

public final class Texts {
    private Texts() {}

    public static String quote(String text) {
        return '"' + text + '"';
    }

    public static String join(String separator, String... parts) {
        Function<String, String> quote = Texts::quote;
        return String.join(separator, parts) + quote(separator) + pad(separator, 2);
    }

    static String pad(String text, int width) {
        return pad(text, ' ', width);
    }

    static String pad(String text, String with) {
        return text + with;
    }

    private static String pad(String text, char with, int width) {
        return text + String.valueOf(with).repeat(width);
    }
}
