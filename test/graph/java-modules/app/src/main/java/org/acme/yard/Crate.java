package org.acme.yard;

import static org.acme.kit.Kit.LIMIT;
import static org.acme.kit.Kit.lazily;
import static org.acme.kit.text.Words.*;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.acme.kit.Kit.Box;
import org.acme.kit.Kit.Check;
import org.acme.kit.Kit.Mode;
import org.acme.kit.text.*;

@Marked(by = Crate.class, words = {Named.PREFIX})
public class Crate implements Named, Priced {
    private final Map<String, List<Part>> parts = new HashMap<>();
    private final Words name;
    protected Mode mode = Mode.SLOW;

    public Crate(Words name) {
        this(name, Mode.cheapest());
    }

    protected Crate(Words name, Mode mode) {
        this.name = name;
        this.mode = mode;
    }

    @Override
    public Words name() {
        return name;
    }

    @Override
    public String label() {
        return Named.super.label() + Priced.super.label();
    }

    @Override
    public int price() {
        return parts.values().stream().flatMap(List::stream).mapToInt(Part::price).sum() + LIMIT;
    }

    public Crate put(Part part) {
        parts.computeIfAbsent(part.kind(), kind -> new ArrayList<>()).add(part);
        return this;
    }

    public Optional<Part> dearest() {
        return parts.values().stream()
            .flatMap(all -> all.stream())
            .filter(part -> part.price() > 0)
            .max(Comparator.comparing(part -> part.price()));
    }

    public String list() {
        for (Map.Entry<String, List<Part>> entry : parts.entrySet()) {
            for (Part part : entry.getValue()) part.check(Check.not(other -> other.price() > 1));
        }
        Part first = parts.get("a").get(0);
        first.owner().put(first);
        return dearest().map(Part::words).map(Words::text).orElseGet(() -> of("none").text());
    }

    public Box<Part> box() {
        Box<Part> box = new Box<>(lazily(() -> new Part("b", 1)));
        for (Part part : box) part.price();
        var cursor = box.iterator();
        cursor.next().words().join(name, name, name, name);
        return box;
    }

    public List<String> labels(List<? extends Named> all) {
        return all.stream().map(Named::label).collect(Collectors.toList());
    }

    /** Sees all of the crate around it. */
    public class Part {
        private final String kind;
        private final int price;

        public Part(String kind, int price) {
            this.kind = kind;
            this.price = price;
        }

        String kind() {
            return kind + mode.name() + name();
        }

        int price() {
            return price;
        }

        Crate owner() {
            return Crate.this;
        }

        Words words() {
            return owner().name().join(of(kind()));
        }

        boolean check(Check<Part> check) {
            return check.and(Check.ANY).test(this) && Crate.this.price() > price();
        }
    }

    record Size(int width, int height) {
        static final Size NONE = new Size(0, 0);

        Size {
            if (width < 0) throw new IllegalArgumentException(describe(width));
        }

        Size(int both) {
            this(both, both);
        }

        int area() {
            return width() * height;
        }

        static String describe(int width) {
            return "width " + width;
        }
    }
}
