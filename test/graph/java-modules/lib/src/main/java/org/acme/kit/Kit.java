package org.acme.kit;

import java.util.function.Supplier;

/** Static members, nested types and an interface with methods of its own. */
public final class Kit {
    public static final int LIMIT = 3;
    public static int used;

    public interface Check<T> {
        Check<Object> ANY = value -> true;

        boolean test(T value);

        static <T> Check<T> not(Check<T> other) {
            return value -> !other.test(value);
        }

        default Check<T> and(Check<? super T> other) {
            return value -> test(value) && other.test(value);
        }
    }

    public static class Box<T> implements Iterable<T> {
        private final T[] items;
        protected int size;

        @SafeVarargs
        public Box(T... items) {
            this.items = items;
            this.size = items.length;
        }

        public T first() {
            return items[0];
        }

        @Override
        public Cursor iterator() {
            return new Cursor();
        }

        public class Cursor implements java.util.Iterator<T> {
            private int at;

            @Override
            public boolean hasNext() {
                return at < size;
            }

            @Override
            public T next() {
                return items[at++];
            }
        }
    }

    public enum Mode {
        FAST {
            @Override
            int cost() {
                return LIMIT;
            }
        },
        SLOW;

        int cost() {
            return ordinal() + LIMIT;
        }

        public static Mode cheapest() {
            Mode best = SLOW;
            for (Mode mode : values()) if (mode.cost() < best.cost()) best = mode;
            return best;
        }
    }

    private Kit() {}

    public static <T> T lazily(Supplier<T> make) {
        used++;
        return make.get();
    }

    public static <K, V extends Comparable<V>> V most(java.util.Map<K, V> of) {
        V best = null;
        for (java.util.Map.Entry<K, V> entry : of.entrySet()) {
            if (best == null || entry.getValue().compareTo(best) > 0) best = entry.getValue();
        }
        return best;
    }
}
