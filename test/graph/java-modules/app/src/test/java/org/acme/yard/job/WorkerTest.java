package org.acme.yard.job;

import static org.acme.yard.job.Plan.cost;
import static org.junit.Assert.assertEquals;

import org.acme.kit.text.Words;
import org.acme.yard.*;
import org.junit.Test;

public class WorkerTest extends Base {
    @Test
    public void works() throws Exception {
        Worker<Crate> worker = Worker.forCrates(crate);
        assertEquals(1, (int) worker.call());
        worker.work(crate.put(null));
        cost(new Plan.One(crate));
        new Lock().hold();
        helper.help();
        unknown().label();
        undefined(3);
        shared();
    }
}

abstract class Base {
    protected final Crate crate = new Crate(new Words());
    protected Helper helper;

    void shared() {
        org.acme.yard.Named.of("full").label();
        Plan.name(new int[0]);
    }

    interface Helper {
        void help();

        void help(int times);
    }
}
