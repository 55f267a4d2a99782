package com.acme.depot.words;

public @interface Checked {
    String by() default "";
}
