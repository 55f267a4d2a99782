import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inPersonTerminal } from '../../test/person-terminal.ts';

/** Whose recorded events the benches send. */
const AGENT = 'claude-code';

/** A home of its own with all of examples/rules in force, wired by `fairlead init` as a person would. */
export interface ScratchHome {
  readonly folder: string;
  readonly project: string;
  readonly config: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  readonly launcher: string;
  fairlead(...args: readonly string[]): string;
  remove(): void;
}

export interface InstalledCommand {
  readonly argv: readonly string[];
}

export interface InstalledHttp {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Below `parent`: what lies among temporary files may go, and is neither looked at nor copied. */
export function createScratchHome(root: string, parent = tmpdir()): ScratchHome {
  mkdirSync(parent, { recursive: true });
  const folder = realpathSync(mkdtempSync(join(parent, 'fairlead-bench-')));
  const project = join(folder, 'project');
  const config = join(folder, '.config', 'fairlead');
  const state = join(folder, '.local', 'state', 'fairlead');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(project, 'src'));
  // The file that the recorded events are about.
  writeFileSync(join(project, 'src', 'app.ts'), 'export const app = 1;\n');
  cpSync(join(root, 'examples', 'rules'), join(config, 'rules'), { recursive: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, CLAUDE_PROJECT_DIR: project };
  const launcher = join(root, 'bin', 'fairlead');
  const fairlead = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
      cwd: project,
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    });
    if (status !== 0) throw new Error(`fairlead ${args.join(' ')}: ${stderr.trim() || stdout.trim()}`);
    return stdout;
  };
  // A process that has just been told to end may still write here.
  const remove = () => rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  return { folder, project, config, state, env, launcher, fairlead, remove };
}

/** What the agent would run before a tool call, read back from the settings that `init` wrote. */
export function installCommand({ fairlead, project }: ScratchHome): InstalledCommand {
  fairlead('init', '--yes', '--agent', AGENT, project);
  const { type, command, args } = installedHook(project);
  if (type !== 'command' || command === undefined || args === undefined) throw new Error('init installed no argv');
  return { argv: [command, ...args] };
}

/** Posts are for a person to want, in a terminal. */
export async function installHttp({ folder, launcher }: ScratchHome): Promise<InstalledHttp> {
  const project = join(folder, 'http-project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const { code, screen } = await inPersonTerminal(
    `HOME=${folder} ${process.execPath} ${launcher} init --yes --agent ${AGENT} --transport http --despite-other-users ${project}`,
  );
  if (code !== 0) throw new Error(`fairlead init: ${screen.trim()}`);
  const { type, url, headers } = installedHook(project);
  if (type !== 'http' || url === undefined || headers === undefined) throw new Error('init installed no http hook');
  return { url, headers };
}

interface Hook {
  readonly type: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function installedHook(project: string): Hook {
  const settings = JSON.parse(readFileSync(join(project, '.claude', 'settings.local.json'), 'utf8')) as {
    hooks: { PreToolUse?: readonly { hooks: readonly Hook[] }[] };
  };
  const hook = settings.hooks.PreToolUse?.[0]?.hooks[0];
  if (!hook) throw new Error('init installed nothing for PreToolUse');
  return hook;
}
