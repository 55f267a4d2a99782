package com.acme.depot.util;

public @interface Checked {
    String by() default "";
}
