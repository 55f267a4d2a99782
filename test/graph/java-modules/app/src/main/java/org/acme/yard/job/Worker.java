package org.acme.yard.job;

import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.acme.kit.Kit;
import org.acme.kit.text.Words;
import org.acme.yard.Crate;
import org.acme.yard.Named;
import org.acme.yard.gone.Missing;

public abstract class Worker<T extends Named> implements Callable<Integer> {
    private static int count = start();
    protected final Function<T, Words> naming;
    private final Kit.Box<T> todo;

    static {
        count += start();
    }

    {
        done(null);
    }

    protected Worker(Kit.Box<T> todo, Function<T, Words> naming) {
        this.todo = todo;
        this.naming = naming;
    }

    private static int start() {
        return Kit.LIMIT;
    }

    @Override
    public Integer call() throws Exception {
        for (T one : todo) {
            one.label();
            naming.apply(one).text();
            work(one);
        }
        T first = todo.first();
        first.name().join(Words.of("a"), 'b');
        return done(first);
    }

    protected abstract void work(T one);

    protected int done(T last) {
        BiFunction<Words, Words, Words> join = Words::join;
        Runnable later = this::finish;
        later.run();
        return join.apply(null, null).text().length();
    }

    private void finish() {
        class Step {
            void go() {
                finish();
                done(null);
            }
        }
        new Step().go();
        Missing.run();
    }

    public static Worker<Crate> forCrates(Crate... crates) {
        return new Worker<>(new Kit.Box<>(crates), Crate::name) {
            private int seen;

            @Override
            protected void work(Crate one) {
                seen += one.price();
                note(one.box().first().words());
                super.done(one);
            }

            private void note(Words words) {
                words.text = words.text();
            }
        };
    }
}
