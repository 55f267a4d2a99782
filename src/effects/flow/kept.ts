import type { Effect } from '../../event/effect.ts';
import type { ShellCommand } from '../../shell/command.ts';
import { runsOf } from '../code/runners.ts';
import { ENVIRONMENT, FETCHED, SECRET } from './cargo.ts';
import { contentsOf } from './contents.ts';
import { isSecretWhenSent } from './secrets.ts';
import type { FlowState } from './state.ts';
import { fileKey } from './state.ts';

const CHECKS: ReadonlySet<string> = new Set(
  'sha256sum sha512sum sha1sum shasum md5sum b2sum cksum gpg gpg2 cosign minisign signify file vim vi nvim nano emacs code less more view'.split(
    ' ',
  ),
);

/** Keeps in mind which files the command shows to whoever reads its output, or holds against what they should be. */
export function keepShown(state: FlowState, command: ShellCommand): void {
  const { program, words, redirects } = command;
  if (state.files.size === 0) return;
  const isCheck = CHECKS.has(program);
  const contents = isCheck ? undefined : contentsOf(command);
  const reads = isCheck ? words.slice(1) : contents?.output === true ? contents.reads : [];
  if (
    reads.length === 0 ||
    (!isCheck && !isSeen(state, command)) ||
    redirects.some(({ operator }) => operator === '<>')
  )
    return;
  for (const word of reads) state.shown.add(fileKey(state, word, command));
}

/** What is printed comes out at the end, and neither a file nor an interpreter takes it. */
function isSeen(state: FlowState, command: ShellCommand): boolean {
  let last: ShellCommand | undefined = command;
  for (let hops = 0; last && hops < 16; hops += 1) {
    if (last.keptIn !== undefined || runsOf(last)?.input === true) return false;
    if (last.redirects.some(({ descriptor, operator, target }) => descriptor === 1 && operator !== '<' && target))
      return false;
    if (last.pipedTo === undefined) return contentsOf(last)?.output === true;
    last = state.scene.reading.commands[last.pipedTo];
  }
  return false;
}

/** What files carry afterwards that their names do not tell, and which marks are gone. */
export function readMarks(state: FlowState): readonly Effect[] {
  const { scene, files, set, shown } = state;
  const effects: Effect[] = [];
  for (const [path, command] of set) {
    const { marks, name, host } = files.get(path) ?? { marks: 0, name: '', host: '' };
    const target = command.words.find(({ value }) => path.endsWith(`/${value}`))?.value ?? path;
    if (!path.startsWith('/')) continue;
    const about = { target, path };
    if (marks & (SECRET | ENVIRONMENT)) {
      if (isSecretWhenSent(path, false, scene.surroundings)) continue;
      const of = marks & SECRET ? 'secret' : 'environment';
      effects.push(scene.effect(command, { kind: 'copy-secret', how: name, of, ...about }));
    } else if (marks & FETCHED && !shown.has(path)) {
      effects.push(scene.effect(command, { kind: 'download', how: host, ...about, ...(host !== '' && { host }) }));
    }
  }
  const [first] = scene.reading.commands;
  for (const { path, what } of scene.surroundings.marks?.files ?? []) {
    const gone = !files.has(path) || (set.has(path) && (files.get(path)?.marks ?? 0) === 0);
    if (first && (gone || (what === 'download' && shown.has(path))))
      effects.push(scene.effect(first, { kind: 'inspect', target: path, path }));
  }
  return effects;
}
