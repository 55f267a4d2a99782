import { glassPath, keptPath, MAX_GLASS_MS, readGlass } from '../../team/place.ts';
import { readKept } from '../../team/kept-policy.ts';
import type { TeamSettings } from '../../team/place.ts';
import type { Files } from '../../platform/files.ts';
import { messageOf } from '../../text/message-of.ts';
import type { Problem } from '../../user-rules/problem.ts';
import type { Compiled } from './compiled.ts';
import type { FileKind, Scan } from './scan.ts';
import { sign } from './signature.ts';

type PolicyScan = Scan & Pick<Compiled, 'policy' | 'glass'>;

/** The files of the policy that is kept, once its signature was checked. */
export function scanPolicy(dir: string, settings: TeamSettings, files: Files, now: number): PolicyScan {
  const path = keptPath(dir);
  const signatures = [sign(path, files), sign(glassPath(dir), files)];
  const glass = readGlass(dir, files);
  const broken = glass && glass.until > now && glass.until <= now + MAX_GLASS_MS ? { glass } : {};
  try {
    const kept = readKept(dir, settings, files);
    if (!kept) throw new Error('is not there; `fairlead policy refresh` fetches the policy');
    const { bundle, digest, machine, acceptedAt } = kept;
    const { files: texts, ...head } = bundle;
    const found = Object.entries(texts).map(([name, text]) => ({
      path: `${path}:${name}`,
      name,
      kind: kindOf(name),
      bytes: new TextEncoder().encode(text),
    }));
    const policy = { ...head, digest, machine, acceptedAt };
    return { found, signatures, problems: [], policy, ...broken };
  } catch (error) {
    const problem: Problem = { file: path, line: 1, key: '', message: messageOf(error), severity: 'error' };
    return { found: [], signatures, problems: [problem], ...broken };
  }
}

function kindOf(name: string): FileKind {
  if (name === 'config.yaml') return 'config';
  return name.startsWith('rules/') ? 'rule' : 'message';
}
