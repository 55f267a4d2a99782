import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CHECKOUT } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, say, turn } from './model.ts';
import { until } from './until.ts';

const NO_TOUCH = '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n';

let top: string;
let root: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-package-')));
  root = join(top, 'v1', 'lib', 'node_modules', 'fairlead');
  put();
});
afterEach(() => rmSync(top, { recursive: true }));

/** Is loaded after all else that an engine may need, and says so. */
const LAST = 'zz-last.js';

/** The product as npm lays it down: without sources. */
function put(): void {
  mkdirSync(dirname(root), { recursive: true });
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(CHECKOUT, part), join(root, part), { recursive: true });
  symlinkSync(join(CHECKOUT, 'node_modules'), join(root, 'node_modules'));
  const built = JSON.parse(readFileSync(join(root, 'dist/build.json'), 'utf8')) as { late: string[] };
  writeFileSync(join(root, 'dist/build.json'), JSON.stringify({ ...built, late: [...built.late, LAST] }));
  writeFileSync(
    join(root, 'dist', LAST),
    "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('loaded', import.meta.url), '');\n",
  );
}

it('a package that is replaced and then removed in the middle of a session leaves no hook that fails', () =>
  inHome({ transport: 'command', rules: { 'no-touch': NO_TOUCH }, checkout: root }, async (home, run) => {
    const [first, replaced, removed, later] = ['a', 'b', 'c', 'd'].map((name) => bash(`touch ${name}`));
    if (!first || !replaced || !removed || !later) throw new Error('no calls');
    const replace = async () => {
      renameSync(root, join(top, 'old'));
      await sleep(500);
      put();
    };
    const remove = async () => {
      // What an engine has not loaded by then it cannot load any more, and stops calls for that reason.
      await until(() => existsSync(join(root, 'dist/loaded')));
      rmSync(root, { recursive: true });
      const pid = home.daemon();
      if (pid !== undefined) process.kill(pid, 'SIGTERM');
      await until(() => home.daemon() === undefined);
    };
    const { results } = await run({
      script: {
        main: [
          turn(first),
          { ...turn(replaced), first: replace },
          { ...turn(removed), first: remove },
          turn(later),
          say('Done.'),
        ],
      },
    });
    for (const { id, input } of [first, replaced])
      expect(results.get(id)).toMatchObject({
        failed: true,
        text: expect.stringContaining(`Not by \`${String(input['command'])}\``),
      });
    // Nobody can be asked here, which the client takes for a no.
    expect(results.get(removed.id)).toMatchObject({ failed: true, text: expect.stringContaining('Fairlead is gone') });
    expect(results.get(later.id)).toMatchObject({ failed: false });
    expect(['a', 'b', 'c', 'd'].filter((name) => existsSync(join(home.project, name)))).toEqual(['d']);
  }));
