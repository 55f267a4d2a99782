package org.acme.kit.text;

public class Words {
    public String text = "";

    public static Words of(String text) {
        return new Words().text(text);
    }

    /** A field and a method of the same name are apart. */
    public Words text(String text) {
        this.text = text;
        return this;
    }

    public String text() {
        return text.trim();
    }

    public Words join(Words other) {
        return join(other, ' ');
    }

    public Words join(Words other, char between) {
        return of(text() + between + other.text());
    }

    public Words join(Words first, Words second, Words... more) {
        Words all = join(first).join(second);
        for (Words each : more) all = all.join(each);
        return all;
    }

    protected int width() {
        return text().length();
    }
}
