// java --add-exports ... JavaOracle.java ROOT CLASSPATH: what javac knows about a tree, as JSON lines. Definitions and
// call sites are its parser's, the targets of calls those of its attribution. Errors do not end it: where a library is
// missing, the calls that lean on it are unresolved.

import com.sun.source.tree.*;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import com.sun.tools.javac.api.BasicJavacTask;
import com.sun.tools.javac.code.Flags;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Type;
import com.sun.tools.javac.code.Types;
import com.sun.tools.javac.tree.JCTree;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.stream.Collectors;
import javax.lang.model.element.*;
import javax.lang.model.type.TypeKind;
import javax.tools.ToolProvider;

public class JavaOracle {
    record Place(String file, int line, int column) {}

    /** A file with the starts of its lines. */
    record Source(String path, String text, int[] lines) {
        Place at(long offset) {
            int found = Arrays.binarySearch(lines, (int) offset);
            int line = found >= 0 ? found : -found - 2;
            return new Place(path, line, (int) offset - lines[line]);
        }
    }

    static PrintStream out;
    static Trees trees;
    static SourcePositions positions;
    static Types types;
    static final Map<Symbol, Place> places = new HashMap<>();
    static final Map<Symbol, Set<Symbol>> standIns = new HashMap<>();
    static final List<Symbol.ClassSymbol> classes = new ArrayList<>();

    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]).toRealPath();
        List<Path> files;
        try (var walk = Files.walk(root)) {
            files = walk.filter(path -> path.toString().endsWith(".java"))
                .filter(path -> !path.endsWith("module-info.java") && !path.endsWith("package-info.java"))
                .sorted().collect(Collectors.toList());
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        var manager = compiler.getStandardFileManager(ignored -> {}, null, StandardCharsets.UTF_8);
        List<String> options = List.of("-proc:none", "-Xlint:none", "-XDshould-stop.ifError=FLOW", "-cp", args[1]);
        var task = (JavacTask) compiler.getTask(null, manager, ignored -> {}, options, null, manager.getJavaFileObjectsFromPaths(files));
        trees = Trees.instance(task);
        positions = trees.getSourcePositions();
        types = Types.instance(((BasicJavacTask) task).getContext());
        out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        Map<CompilationUnitTree, Source> sources = new LinkedHashMap<>();
        for (var unit : units) sources.put(unit, sourceOf(root, unit));
        sources.forEach((unit, source) -> new Definitions(unit, source).scan(unit, null));
        sources.forEach((unit, source) -> new Calls(unit, source).scan(unit, null));
        for (var made : classes) noteImplementations(made);
        printMembers();
        out.flush();
    }

    static Source sourceOf(Path root, CompilationUnitTree unit) {
        try {
            String text = unit.getSourceFile().getCharContent(true).toString();
            List<Integer> lines = new ArrayList<>(List.of(0));
            for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.add(at + 1);
            String path = root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
            print("file", new Place(path, 0, 0), "", "", null, List.of());
            return new Source(path, text, lines.stream().mapToInt(Integer::intValue).toArray());
        } catch (IOException failed) {
            throw new RuntimeException(failed);
        }
    }

    static void print(String is, Place at, String kind, String name, String verdict, Collection<Place> targets) {
        String where = targets.stream()
            .map(place -> "{" + inJson(place) + ",\"kind\":\"" + kind + "\"}").collect(Collectors.joining(","));
        out.println("{\"is\":\"" + is + "\"," + inJson(at) + ",\"kind\":\"" + kind + "\",\"name\":\"" + name + "\""
            + (verdict == null ? "" : ",\"verdict\":\"" + verdict + "\"") + ",\"targets\":[" + where + "]}");
    }

    static String inJson(Place at) {
        return "\"file\":\"" + at.file + "\",\"line\":" + at.line + ",\"column\":" + at.column;
    }

    /** What the index has to list, and all other names, which it may list. */
    static class Definitions extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final Source source;

        Definitions(CompilationUnitTree unit, Source source) {
            this.unit = unit;
            this.source = source;
        }

        /** Without an end it stands in no file: the compiler has added it. */
        boolean isWritten(Tree tree) {
            return positions.getEndPosition(unit, tree) >= 0;
        }

        void define(Tree tree, String kind, String name, long offset) {
            Place at = source.at(offset);
            if (trees.getElement(getCurrentPath()) instanceof Symbol symbol) places.put(symbol, at);
            print(kind == null ? "name" : "definition", at, kind == null ? "" : kind, name, null, List.of());
        }

        @Override
        public Void visitClass(ClassTree tree, Void nothing) {
            if (trees.getElement(getCurrentPath()) instanceof Symbol.ClassSymbol made) classes.add(made);
            String name = tree.getSimpleName().toString();
            int from = ((JCTree) tree).pos;
            if (!name.isEmpty() && isWritten(tree)) define(tree, "type", name, nameFrom(from, name));
            return super.visitClass(tree, nothing);
        }

        /** A class is placed at its keyword. */
        long nameFrom(int from, String name) {
            var matcher = java.util.regex.Pattern.compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b").matcher(source.text);
            return matcher.find(from) ? matcher.start() : from;
        }

        @Override
        public Void visitMethod(MethodTree tree, Void nothing) {
            boolean isAdded = (((JCTree.JCMethodDecl) tree).mods.flags & (Flags.GENERATEDCONSTR | Flags.GENERATED_MEMBER)) != 0;
            if (!isAdded && isWritten(tree)) define(tree, "method", tree.getName().toString(), ((JCTree) tree).pos);
            return super.visitMethod(tree, nothing);
        }

        @Override
        public Void visitVariable(VariableTree tree, Void nothing) {
            Tree holder = getCurrentPath().getParentPath().getLeaf();
            String name = tree.getName().toString();
            if (!name.isEmpty() && isWritten(tree)) define(tree, holder instanceof ClassTree ? "field" : null, name, ((JCTree) tree).pos);
            return super.visitVariable(tree, nothing);
        }

        @Override
        public Void visitNewClass(NewClassTree tree, Void nothing) {
            if (tree.getClassBody() != null && isWritten(tree.getIdentifier())) {
                print("name", source.at(positions.getStartPosition(unit, tree.getIdentifier())), "", "new", null, List.of());
            }
            return super.visitNewClass(tree, nothing);
        }
    }

    static class Calls extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final Source source;

        Calls(CompilationUnitTree unit, Source source) {
            this.unit = unit;
            this.source = source;
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
            Tree callee = tree.getMethodSelect();
            // A call of the base that the compiler has added has no end.
            if (positions.getEndPosition(unit, tree) >= 0 && nameAt(callee) >= 0) {
                String name = callee instanceof MemberSelectTree select ? select.getIdentifier().toString() : callee.toString();
                judge("call", name, source.at(nameAt(callee)), trees.getElement(new TreePath(getCurrentPath(), callee)));
            }
            return super.visitMethodInvocation(tree, nothing);
        }

        @Override
        public Void visitNewClass(NewClassTree tree, Void nothing) {
            Tree holder = getCurrentPath().getParentPath().getLeaf();
            boolean isConstant = holder instanceof VariableTree variable && (((JCTree.JCVariableDecl) variable).mods.flags & Flags.ENUM) != 0;
            Tree type = plainType(tree.getIdentifier());
            if (!isConstant && nameAt(type) >= 0) {
                Element made = tree.getClassBody() == null
                    ? trees.getElement(getCurrentPath())
                    : trees.getElement(new TreePath(getCurrentPath(), type));
                if (tree.getClassBody() != null && ((JCTree.JCNewClass) tree).clazz.type != null) made = ((JCTree.JCNewClass) tree).clazz.type.tsym;
                String name = type instanceof MemberSelectTree select ? select.getIdentifier().toString() : type.toString();
                judge("new", name, source.at(nameAt(type)), made);
            }
            return super.visitNewClass(tree, nothing);
        }

        /** A method that is handed on stands for the one method of the interface that is expected. */
        @Override
        public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
            var reference = (JCTree.JCMemberReference) tree;
            if (reference.target != null && reference.target.tsym != null && reference.sym != null && places.containsKey(reference.sym)) {
                try {
                    standIns.computeIfAbsent(types.findDescriptorSymbol(reference.target.tsym), ignored -> new LinkedHashSet<>()).add(reference.sym);
                } catch (Types.FunctionDescriptorLookupError noInterface) {
                    // What is expected is not known.
                }
            }
            return super.visitMemberReference(tree, nothing);
        }

        /** A lambda runs as a part of what it is written in. */
        @Override
        public Void visitLambdaExpression(LambdaExpressionTree tree, Void nothing) {
            var lambda = (JCTree.JCLambda) tree;
            Symbol around = around();
            if (lambda.target != null && lambda.target.tsym != null && around != null) {
                try {
                    standIns.computeIfAbsent(types.findDescriptorSymbol(lambda.target.tsym), ignored -> new LinkedHashSet<>()).add(around);
                } catch (Types.FunctionDescriptorLookupError noInterface) {
                    // What is expected is not known.
                }
            }
            return super.visitLambdaExpression(tree, nothing);
        }

        /** The innermost method or field around a place. */
        Symbol around() {
            for (TreePath path = getCurrentPath(); path != null; path = path.getParentPath()) {
                Tree leaf = path.getLeaf();
                boolean isField = leaf instanceof VariableTree && path.getParentPath().getLeaf() instanceof ClassTree;
                if (!(leaf instanceof MethodTree) && !isField) continue;
                return trees.getElement(path) instanceof Symbol symbol && places.containsKey(symbol) ? symbol : null;
            }
            return null;
        }

        Tree plainType(Tree type) {
            if (type instanceof ParameterizedTypeTree applied) return plainType(applied.getType());
            if (type instanceof AnnotatedTypeTree annotated) return plainType(annotated.getUnderlyingType());
            return type;
        }

        /** Where the last name of `a.b.c` stands; negative where there is none. */
        long nameAt(Tree tree) {
            if (tree instanceof IdentifierTree) return positions.getStartPosition(unit, tree);
            if (!(tree instanceof MemberSelectTree select)) return -1;
            return positions.getEndPosition(unit, tree) - select.getIdentifier().length();
        }

        void judge(String kind, String name, Place at, Element element) {
            if (!(element instanceof Symbol symbol) || symbol.type == null || symbol.type.getKind() == TypeKind.ERROR
                || symbol.owner == null || symbol.owner.type != null && symbol.owner.type.getKind() == TypeKind.ERROR) {
                print("site", at, kind, name, "unresolved", List.of());
                return;
            }
            List<Place> targets = targetsOf(symbol);
            String verdict = targets.isEmpty() ? "outside" : isNamed(symbol) ? "edge" : "local";
            print("site", at, kind, name, verdict, targets);
        }
    }

    /** A class and the constructor that is called are one; of a class with a body of its own any constructor may be. */
    static List<Place> targetsOf(Symbol symbol) {
        List<Place> targets = new ArrayList<>();
        if (places.containsKey(symbol)) targets.add(places.get(symbol));
        if (symbol.isConstructor() || !isNamed(symbol)) {
            Place owner = places.get(symbol.owner);
            if (owner != null) targets.add(owner);
        }
        if (symbol instanceof Symbol.ClassSymbol made && places.containsKey(made)) {
            for (Symbol member : made.getEnclosedElements()) {
                if (member.isConstructor() && places.containsKey(member)) targets.add(places.get(member));
            }
        }
        return targets;
    }

    /** What the compiler adds to a class, as the values of an enum, has no definition. */
    static boolean isNamed(Symbol symbol) {
        return symbol.isConstructor() || places.containsKey(symbol);
    }

    /** For each method above a class, the one that runs when it is called on an object of the class. */
    static void noteImplementations(Symbol.ClassSymbol made) {
        if (made.isInterface()) return;
        for (Type above : types.closure(made.type)) {
            if (!places.containsKey(above.tsym)) continue;
            for (Symbol member : above.tsym.getEnclosedElements()) {
                if (!(member instanceof Symbol.MethodSymbol method) || method.isConstructor() || method.isStatic() || method.isPrivate()) continue;
                Symbol own = method.implementation(made, types, true);
                if (own == null || own == method || !places.containsKey(own) || own.getModifiers().contains(Modifier.ABSTRACT)) continue;
                standIns.computeIfAbsent(method, ignored -> new LinkedHashSet<>()).add(own);
            }
        }
    }

    static void printMembers() {
        for (var made : classes) {
            for (Symbol member : made.getEnclosedElements()) {
                if (!(member instanceof Symbol.MethodSymbol) || member.isConstructor() || !places.containsKey(member)) continue;
                Set<Place> targets = new LinkedHashSet<>();
                for (Symbol own : standIns.getOrDefault(member, Set.of())) targets.add(places.get(own));
                print("member", places.get(member), "method", member.name.toString(), null, targets);
            }
        }
    }
}
