import org.acme.kit.Kit;

class Script {
    static Other other = new Other();

    public static void main(String... args) {
        other.run(args).run();
        Kit.used += Kit.<Integer>lazily(() -> 1);
        Kit.most(java.util.Map.of("a", 1)).intValue();
    }
}
