package org.acme.yard;

interface Priced {
    default String label() {
        return "price " + price();
    }

    int price();
}
