import type { Definition, FileFacts } from '../../model/facts.ts';
import { below, directoryOf, join, upwards } from '../../model/paths.ts';
import type { Located, World } from '../../resolve/world.ts';
import { listedFile } from '../../resolve/listed-file.ts';
import type { ModuleFinder } from '../module-finder.ts';

/**
 * Where headers lie, seen from the directories around the file that includes them. Others are said to the compiler alone,
 * and files cannot be looked for by the end of their path: what is in such a header is found by its own name.
 */
const INCLUDE_DIRECTORIES = ['', 'include', 'src', 'inc', 'lib', 'lib/include', 'src/include'];

/** What comes with the compiler or the system, unless a project names its own in quotes. */
const SYSTEM =
  /^(?:(?:linux|sys|net|netinet|arpa|asm|asm-generic|bits|gnu|machine|rpc|mach|boost|Foundation|CoreFoundation)\/.*|c?(?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|tgmath|time|uchar|wchar|wctype)(?:\.h)?|(?:stdatomic|stdalign|stdnoreturn|threads|unistd|fcntl|pthread|dirent|dlfcn|getopt|glob|grp|poll|pwd|regex|sched|semaphore|strings|syslog|termios|memory|malloc|alloca|windows|winsock2|io|direct|execinfo|netdb|libgen|err)\.h|[a-z_]+)$/;

/** The same header for C and C++. */
export const c: ModuleFinder = {
  find(world, from, module) {
    const isQuoted = !module.startsWith('<');
    const path = isQuoted ? module : module.slice(1, -1);
    if (!isQuoted && SYSTEM.test(path)) return 'outside';
    const directory = directoryOf(from.path);
    // `store/api.h` of a library that lies beside this one: `libs/store/include/store/api.h`.
    const library = path.includes('/') ? [`${path.slice(0, path.indexOf('/'))}/include`] : [];
    for (const around of upwards(directory)) {
      for (const place of [...INCLUDE_DIRECTORIES, ...library]) {
        const found = fileAt(world, place === '' ? around : below(around, place), path);
        if (found && found !== from) return [found];
      }
    }
    return isQuoted ? 'missing' : 'outside';
  },
};

function fileAt(world: World, directory: string, path: string): FileFacts | undefined {
  const target = join(directory, path);
  const file = target === undefined ? undefined : listedFile(world, target);
  return file?.language === 'c' || file?.language === 'cpp' ? file : undefined;
}

/** Definitions of one name for one class or namespace, which its declarations elsewhere lead to. */
interface Defined {
  readonly byStem: ReadonlyMap<string, readonly Located[]>;
  /** All of them, when they are in one file. */
  readonly together: readonly Located[];
}

const known = new WeakMap<World, Map<string, Defined>>();

/**
 * A declaration and its definition in another file are one symbol, which is where the definition is. Stays with the
 * declaration when there is no definition, or some in several files and none beside the header.
 */
export function definitionOf(world: World, declared: Located): Located {
  const { file, index } = declared;
  const declaration = file.definitions[index];
  if (!declaration?.traits.includes('declared')) return declared;
  let answers = known.get(world);
  if (answers === undefined) known.set(world, (answers = new Map()));
  const key = `${isRun(declaration) ? '(' : '='}${ownerOf(file, declaration)} ${declaration.name}`;
  let defined = answers.get(key);
  if (defined === undefined) answers.set(key, (defined = definitionsFor(world, declared, declaration)));
  const found = defined.byStem.get(stemOf(file.path)) ?? defined.together;
  const { length } = declaration.parameters;
  const fitting = found.find((one) => one.file.definitions[one.index]?.parameters.length === length);
  return fitting ?? found[0] ?? declared;
}

function definitionsFor(world: World, declared: Located, declaration: Definition): Defined {
  const owner = ownerOf(declared.file, declaration);
  const byStem = new Map<string, Located[]>();
  const paths = new Set<string>();
  const all: Located[] = [];
  for (const located of world.named(declaration.name)) {
    const { file, index } = located;
    const definition = file.definitions[index];
    if (!definition || definition.traits.includes('declared') || isRun(definition) !== isRun(declaration)) continue;
    if (file.language !== 'c' && file.language !== 'cpp') continue;
    if (ownerOf(file, definition) !== owner || !definition.exported) continue;
    all.push(located);
    const stem = stemOf(file.path);
    const same = byStem.get(stem);
    // Of two files called the same, the first by path.
    if (same === undefined) byStem.set(stem, [located]);
    else if (same[0]?.file === file) same.push(located);
    paths.add(file.path);
  }
  return { byStem, together: paths.size === 1 ? all : [] };
}

/** A macro has no declaration, and a variable is none of a function. */
function isRun({ kind }: Definition): boolean {
  return kind === 'function' || kind === 'method';
}

/** The class or namespace around it, by name: in it, or before the name as in `Store::save`. */
function ownerOf(file: FileFacts, { container, bases }: Definition): string {
  for (const { how, type } of bases)
    if (how === 'adds' && (type.is === 'name' || type.is === 'member')) return type.name;
  return file.definitions[container]?.name ?? '';
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? name : name.slice(0, dot);
}
