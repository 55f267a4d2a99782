import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { goBuiltIns } from './built-ins.ts';
import { go as modules } from './module-finder.ts';
import type { FileFacts } from '../../model/facts.ts';
import { directoryOf } from '../../model/paths.ts';
import type { Located } from '../../resolve/world.ts';

/** Systems and processors that the name of a Go file may end with, and what projects call the rest. */
const TAG =
  /_(aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|nacl|netbsd|openbsd|plan9|solaris|wasip1|windows|zos|unix|posix|bsd|nonlinux|unsupported|other|others|stub|386|amd64|arm|arm64|loong64|mips|mips64|ppc64|ppc64le|riscv64|s390x|wasm)(?=_|\.go$)/g;

/**
 * A Go package has a function once for each system: one of them is meant in every build, and all are called. Those written
 * for the same system as the caller are meant before the others. Undefined when the definitions are not of that sort.
 */
function variantsFor(from: FileFacts, targets: readonly Located[]): readonly Located[] | undefined {
  const [first] = targets;
  if (first === undefined || targets.length < 2) return undefined;
  const directory = directoryOf(first.file.path);
  for (const { file } of targets) if (directoryOf(file.path) !== directory) return undefined;
  if (new Set(targets.map(({ file }) => file)).size < targets.length) return undefined;
  const own = tagsOf(from.path);
  const same = own === '' ? [] : targets.filter(({ file }) => tagsOf(file.path) === own);
  return same.length > 0 ? same : targets;
}

function tagsOf(path: string): string {
  return (path.match(TAG) ?? []).join('');
}

export const go: LanguageRules = {
  ...COMMON,
  family: 'go',
  builtIns: goBuiltIns,
  modules,
  sharesDirectory: true,
  namesPackages: true,
  addsMembers: true,
  callsConvert: true,
  variantsFor,
};
