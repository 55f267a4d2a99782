class Other {
    Other run(String... args) {
        Script.main();
        return this;
    }

    void run() {
        Object made = new Object() {
            @Override
            public String toString() {
                run();
                return "made";
            }
        };
        made.toString();
    }
}
