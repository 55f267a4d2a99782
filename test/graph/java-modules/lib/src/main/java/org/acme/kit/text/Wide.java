package org.acme.kit.text;

class Wide extends Words {
    @Override
    protected int width() {
        return 2 * super.width();
    }

    static Wide wide(Words words) {
        Wide wide = new Wide();
        wide.text(words.text()).join(wide);
        return wide;
    }
}
