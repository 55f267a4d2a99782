import { dirname, isAbsolute, join } from 'node:path';
import { asPath, compileGlob, defineRule, matchGlob, own } from '../../engine/rule.ts';
import type { OwnWords, RuleContext } from '../../engine/rule.ts';
import { isReadWhole } from '../../shell/command.ts';
import { readShell } from '../../shell/read.ts';
import { shorten } from '../../text/shorten.ts';
import { CONTEXT_DIR, contextPath } from './files.ts';
import { textsIn } from './options.ts';
import { pathCallsIn } from './path-calls.ts';
import type { PathCall } from './path-calls.ts';
import { block } from './relay-blocks.ts';

const DEFAULTS = {
  binaries: ['ctx'],
  system_dirs: ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'],
  test_prefixes: ['/tmp/ctx-test'],
  allow: ['node_modules/.bin/*'],
};

/** The plainest case of a local build is told first. */
const CASCADE = ['go-run', 'dot-slash', 'absolute-path'] as const;

const HOW = { 'go-run': 'from its sources', 'dot-slash': 'by a relative path', 'absolute-path': 'by an absolute path' };

const INSTEAD = 'Here only the copy on PATH is supported{constitution}.\nInstead: {instead}';

export default defineRule({
  id: 'context/block-non-path-ctx',
  pack: 'context',
  summary: 'Programs that are installed are called by their bare name, not from a build or another place.',
  on: [{ event: 'tool.before', tool: ['shell'], words: DEFAULTS.binaries, optionWords: 'binaries' }],
  at: 'cwd',
  mode: 'enforce',
  guard: true,
  priority: 80,
  options: DEFAULTS,
  messages: {
    'go-run': `\`{seen}\` builds {name} from its sources and runs that. ${INSTEAD}`,
    'dot-slash': `\`{seen}\` runs {name} by a relative path. ${INSTEAD}`,
    'absolute-path': `\`{seen}\` runs {name} from a place of its own. ${INSTEAD}`,
  },
  examples: {
    deny: ['./ctx status', 'go run ./cmd/ctx status', 'cd x && ./dist/ctx agent', "bash -c '/var/x/ctx status'"],
    pass: ['ctx status', 'echo ./ctx', 'cat ./ctx/main.go', '/usr/local/bin/ctx status'],
  },
  check({ tool, cwd }, context) {
    const { home, root } = context.workspace;
    const reading = readShell(tool?.command ?? '', { cwd, home, root });
    const settings = readSettings(context.options, home);
    const calls = pathCallsIn(reading, settings.binaries).filter((call) => !isFine(call, settings, context));
    const form = CASCADE.find((each) => calls.some((call) => call.form === each));
    const same = calls.filter((each) => each.form === form);
    const call = same.find(({ isKnown }) => isKnown) ?? same[0];
    if (form === undefined || !call) return context.pass('every program is called by its bare name');
    const { name, seen, instead } = call;
    // What cannot be read whole may be something else; a person tells.
    const isSure = call.isKnown && isReadWhole(reading);
    const say = isSure ? context.deny : context.ask;
    const shown = { name: own(name), seen, instead: own(shorten(instead, 200)) };
    const blocked = { variant: form, message: `${name} was called ${HOW[form]}`, relayed: { name } };
    return block(context, blocked, say(form, { ...shown, constitution: pointer(context) }));
  },
});

interface Settings {
  readonly binaries: ReadonlySet<string>;
  readonly systemDirs: readonly string[];
  readonly testPrefixes: readonly string[];
  readonly allow: readonly string[];
}

function readSettings(options: Readonly<Record<keyof typeof DEFAULTS, unknown>>, home: string): Settings {
  const listOf = (key: keyof typeof DEFAULTS): readonly string[] => {
    const given = options[key];
    return Array.isArray(given) ? textsIn(given) : DEFAULTS[key];
  };
  const placesOf = (key: keyof typeof DEFAULTS) =>
    listOf(key).map((path) => (path.startsWith('~/') ? join(home, path.slice(2)) : path));
  return {
    binaries: new Set(listOf('binaries')),
    systemDirs: placesOf('system_dirs'),
    testPrefixes: placesOf('test_prefixes'),
    allow: placesOf('allow'),
  };
}

type Look = Pick<RuleContext, 'workspace' | 'files'>;

function isFine({ form, name, path, isKnown }: PathCall, settings: Settings, look: Look): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  // A pattern without a place of its own fits wherever its end is the path's.
  const patterns = settings.allow.map((each) => (isAbsolute(each) ? each : `**/${each}`));
  if (patterns.some((pattern) => matchGlob(compileGlob(pattern), undefined, parts))) return true;
  if (form !== 'absolute-path' || !isKnown) return false;
  return (
    settings.systemDirs.includes(dirname(path)) ||
    settings.testPrefixes.some((prefix) => path.startsWith(prefix)) ||
    isFoundByName(path, name, look)
  );
}

/** The bare name would run the same file. */
function isFoundByName(path: string, name: string, { workspace, files }: Look): boolean {
  const dirs = workspace.variable('PATH')?.split(':').filter(isAbsolute) ?? [];
  const found = dirs.map((dir) => join(dir, name)).find((each) => files.stat(each)?.kind === 'file');
  return found !== undefined && (found === path || files.realpath(found) === files.realpath(path));
}

function pointer({ workspace, files }: Look): OwnWords {
  const holder = workspace.nearest(CONTEXT_DIR);
  const path = holder === undefined ? undefined : contextPath(holder, 'CONSTITUTION.md');
  if (path === undefined || files.stat(path)?.kind !== 'file') return own('');
  return own`; see ${asPath(workspace.relative(path))}`;
}
