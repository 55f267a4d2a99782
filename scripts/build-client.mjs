// Compiles native/client.c with whatever C compiler there is. Needs nothing but Node: an installed package has clients for the
// most usual machines alone, and makes its own elsewhere when it is wired.
import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const COMPILERS = ['cc', 'gcc', 'clang'];
const TIMEOUT_MS = 60_000;

export const STANDARD = ['-std=c11', '-O2'];

/** The best first: every shared library, relocation and page that is left out makes each start of the client shorter. */
export const LINKING = [
  { flags: ['-static', '-no-pie', '-s', '-Wl,-z,norelro'], isStatic: true },
  { flags: ['-static', '-s'], isStatic: true },
  { flags: ['-s'], isStatic: false },
  { flags: [], isStatic: false },
];

/** Puts a client that was seen to run at `out`, or leaves `out` as it was and says why. */
export function buildClient({ root, out, stamp, cc }) {
  const source = join(root, 'native', 'client.c');
  const fresh = `${out}.${process.pid}`;
  let why = whyNone() ?? 'no C compiler found';
  try {
    mkdirSync(dirname(out), { recursive: true });
    for (const compiler of whyNone() ? [] : compilersToTry(cc)) {
      for (const { flags, isStatic } of LINKING) {
        const problem = compile(compiler, flags, { source, stamp, fresh }) ?? tryOut(fresh, stamp);
        if (problem === MISSING) break;
        if (problem === undefined) {
          renameSync(fresh, out);
          return { built: true, static: isStatic };
        }
        why = `${compiler.join(' ')}: ${problem}`;
      }
    }
  } catch (error) {
    why = error.message;
  } finally {
    rmSync(fresh, { force: true });
  }
  return { built: false, static: false, why };
}

const MISSING = 'not found';

function whyNone() {
  if (process.platform === 'win32') return 'the native client needs a POSIX system';
  // Without the developer tools, `cc` of macOS is a program that asks the person to install them.
  if (process.platform === 'darwin' && spawnSync('/usr/bin/xcode-select', ['-p'], { stdio: 'ignore' }).status !== 0)
    return 'no C compiler found';
  return undefined;
}

/** A compiler may be a command with arguments, such as `ccache gcc`. */
function compilersToTry(cc) {
  const wanted = cc ?? process.env['CC'];
  const names = cc ? [cc] : [...(wanted ? [wanted] : []), ...COMPILERS];
  return names.map((name) => name.trim().split(/\s+/));
}

function compile([program, ...args], flags, { source, stamp, fresh }) {
  const { status, error, stderr } = spawnSync(
    program,
    [...args, ...STANDARD, `-DFAIRLEAD_STAMP="${stamp}"`, ...flags, '-o', fresh, source],
    { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], timeout: TIMEOUT_MS },
  );
  if (error?.code === 'ENOENT') return MISSING;
  if (error) return error.message;
  if (status === 0) return undefined;
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => line.includes('error')) ?? lines[0] ?? `exit code ${status}`;
}

function tryOut(client, stamp) {
  const { stdout, error } = spawnSync(client, ['--version'], { encoding: 'utf8', timeout: TIMEOUT_MS });
  if (error) return `what it made does not start: ${error.message}`;
  return stdout === `${stamp}\n` ? undefined : 'what it made does not tell its version';
}
