/** Modules that start programs, touch files or reach out; what others are called does not matter. */
const MODULES: ReadonlySet<string> = new Set(
  'os subprocess pty shutil socket base64 requests httpx child_process fs fs.promises vm net axios rimraf'.split(' '),
);

/** Looking for each is expensive, and most code has none. */
const MAY_NAME = /import|require|=\s*[A-Za-z_]\w*\./;

/** `import s as t` and `from m import s as t`, without the module. */
const RENAMED = /(?<![\w.])([A-Za-z_][\w.]*)\s+as\s+(\w+)/g;
const FROM_MODULE = /\bfrom\s+([\w.]+)\s+import\s+\(?([^\n;()]*)/g;
const WHOLE_MODULE = /\bimport\s+(?:\*\s+as\s+)?([\w$]+)\s+from\s*['"]([\w/@.:-]+)['"]/g;
/** `{ a: b } = require('m')`, `import { a as b } from 'm'`, `{ a: b } = m`. */
const TAKEN =
  /\{([^{}]*)\}\s*(?:=\s*(?:await\s+)?(?:(?:require|import)\s*\(\s*['"]([\w/@.:-]+)['"]|([\w$]+))|from\s*['"]([\w/@.:-]+)['"])/g;
const ASSIGNED =
  /(?<![\w$.])([A-Za-z_$][\w$]*)\s*=\s*(?:await\s+)?(?:(?:require|import|__import__|importlib\.import_module)\s*\(\s*['"]([\w/@.:-]+)['"]\s*\)((?:\.\w+)*)|([A-Za-z_]\w*(?:\.\w+)+))(?![\w.(])/g;

/** What code calls modules and the functions it takes out of them: `s` for `subprocess`, `x` for `fs.rmSync`. */
export function namesIn(code: string): ReadonlyMap<string, string> | undefined {
  if (!MAY_NAME.test(code)) return undefined;
  const names = new Map<string, string>();
  const add = (name: string, meant: string): void => {
    if (name !== meant) names.set(name, meant);
  };
  for (const [, module = '', name = ''] of code.matchAll(RENAMED)) {
    if (MODULES.has(module)) add(name, module);
  }
  for (const [, name = '', module = ''] of code.matchAll(WHOLE_MODULE)) {
    if (MODULES.has(plainModule(module))) add(name, plainModule(module));
  }
  for (const [, name = '', module, parts = '', dotted = ''] of code.matchAll(ASSIGNED)) {
    const owner = module === undefined ? dotted.slice(0, dotted.indexOf('.')) : plainModule(module);
    const meant = names.get(owner) ?? owner;
    if (MODULES.has(meant)) add(name, meant + (module === undefined ? dotted.slice(dotted.indexOf('.')) : parts));
  }
  const take = (list: string, from: string): void => {
    const module = names.get(from) ?? plainModule(from);
    if (!MODULES.has(module)) return;
    for (const item of list.split(',')) {
      const [taken = '', name = taken] = item.trim().split(/\s*:\s*|\s+as\s+/);
      if (taken !== '') add(name, `${module}.${taken}`);
    }
  };
  for (const [, module = '', list = ''] of code.matchAll(FROM_MODULE)) take(list, module);
  for (const [, list = '', required, held, imported] of code.matchAll(TAKEN))
    take(list, required ?? held ?? imported ?? '');
  return names.size === 0 ? undefined : names;
}

/** The name as its module calls it. */
export function meantName(name: string, names: ReadonlyMap<string, string> | undefined): string {
  if (!names) return name;
  const dot = name.indexOf('.');
  const meant = names.get(dot < 0 ? name : name.slice(0, dot));
  if (meant === undefined) return name;
  return dot < 0 ? meant : meant + name.slice(dot);
}

function plainModule(module: string): string {
  return (module.startsWith('node:') ? module.slice(5) : module).replaceAll('/', '.');
}
