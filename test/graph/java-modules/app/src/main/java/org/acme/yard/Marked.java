package org.acme.yard;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Retention(RetentionPolicy.RUNTIME)
public @interface Marked {
    Class<? extends Named> by() default Named.class;

    String[] words() default {};
}
