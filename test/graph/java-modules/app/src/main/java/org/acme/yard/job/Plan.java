package org.acme.yard.job;

import java.util.List;
import org.acme.yard.Crate;
import org.acme.yard.Crate.Part;
import org.acme.yard.Named;

sealed interface Plan permits Plan.One, Plan.Many {
    record One(Crate crate) implements Plan {}

    record Many(List<Plan> plans) implements Plan {
        Plan first() {
            return plans.get(0);
        }
    }

    static int cost(Plan plan) {
        return switch (plan) {
            case One one -> one.crate().price();
            case Many many -> many.plans().stream().mapToInt(Plan::cost).sum() + cost(many.first());
        };
    }

    static String name(Object thing) {
        if (thing instanceof Named named && !named.label().isEmpty()) return named.name().text();
        if (!(thing instanceof Crate crate)) return String.valueOf(thing);
        try (Lock lock = new Lock()) {
            crate.put(crate.new Part("p", 2));
            lock.hold();
        } catch (Broken | RuntimeException broken) {
            broken.getMessage();
        }
        Part[] all = {crate.dearest().get()};
        return crate.labels(List.of(crate, Named.of("x"))).get(all.length);
    }
}

class Lock implements AutoCloseable {
    void hold() throws Broken {
        throw new Broken("held");
    }

    @Override
    public void close() {}
}

class Broken extends Exception {
    Broken(String why) {
        super(why);
    }
}
