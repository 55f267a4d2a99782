package com.acme.depot.util;

import java.util.function.Function;

public final class Texts {
    private Texts() {}

    public static String quote(String text) {
        return '"' + text + '"';
    }

    public static String join(String separator, String... parts) {
        Function<String, String> quote = Texts::quote;
        return String.join(separator, parts) + quote(separator);
    }
}
