import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { generatedFrom, isSource, loadModules } from './load-modules.mjs';

const INDEX = 'src/cli/verbs.generated.ts';
const GATED = 'src/event/gated-verbs.generated.ts';

/**
 * Every verb with what help says of it, and an import of its code that runs only when the verb does; and those that only a
 * person may use, for whoever has to know them without the command line.
 */
export async function verbIndex(root) {
  const packs = readdirSync(join(root, 'src/packs')).map((pack) => `src/packs/${pack}/cli/commands`);
  const paths = ['src/cli/commands', ...packs]
    .filter((dir) => existsSync(join(root, dir)))
    .flatMap((dir) =>
      readdirSync(join(root, dir))
        .filter(isSource)
        .sort()
        .map((name) => `${dir}/${name}`),
    );
  const modules = await loadModules(root, paths);
  const verbs = paths
    .map((path, index) => ({ path, ...verbsOf(path, modules[index].default) }))
    .sort((a, b) => a.order - b.order)
    .flatMap(({ path, own }) =>
      own.map(([verb, { summary, gated, redeem, now, options = {} }]) => ({
        path,
        verb,
        summary,
        gated,
        options: Object.entries(options).filter(([, option]) => option.gated !== undefined),
        asked: redeem !== undefined,
        now,
      })),
    );
  const groups = Object.assign({}, ...modules.map((module) => module.default.groups ?? {}));
  const twice = verbs.find(({ verb }, index) => verbs.findIndex((other) => other.verb === verb) !== index);
  if (twice) throw new Error(`${twice.path} has the verb ${twice.verb}, which another file has too`);
  return { seen: `${verbs.length} verbs`, files: { [INDEX]: text(verbs, groups), [GATED]: gatedText(verbs) } };
}

function verbsOf(path, file) {
  if (typeof file?.order !== 'number') throw new Error(`${path} exports no verbs; see VerbFile in src/cli/command.ts`);
  return { order: file.order, own: Object.entries(file.verbs) };
}

function text(verbs, groups) {
  const rows = verbs.map(({ path, verb, summary, now }) => {
    const from = posix.relative(posix.dirname(INDEX), path);
    const load = `async () => (await import('${from.startsWith('.') ? from : `./${from}`}')).default.verbs['${verb}']`;
    const pack = /^src\/packs\/([^/]+)\//.exec(path)?.[1];
    const more = Object.entries({ pack, now }).filter(([, value]) => value !== undefined);
    const lines = [['summary', summary], ...more].map(([key, value]) => `    ${key}: ${JSON.stringify(value)},\n`);
    return `  '${verb}': {\n${lines.join('')}    load: ${load},\n  },\n`;
  });
  return (
    `${generatedFrom('the files of verbs')}import type { Command } from './command.ts';\n\n` +
    `export interface VerbEntry {\n  readonly summary: string;\n  /** Whose verb it is. */\n  readonly pack?: string;\n` +
    `  /** On its way out: what to use now. */\n  readonly now?: string;\n  load(): Promise<Command>;\n}\n\n` +
    `export const VERBS: Readonly<Record<string, VerbEntry>> = {\n${rows.join('')}};\n\n` +
    `/** What groups of verbs are about. */\nexport const GROUPS: Readonly<Record<string, string>> = ${JSON.stringify(groups, null, 2)};\n`
  );
}

function gatedText(verbs) {
  const rows = verbs
    .filter(({ gated }) => gated !== undefined)
    .map(({ verb, gated, asked }) => {
      const but = verbs.flatMap((other) =>
        other.verb.startsWith(`${verb} `) ? [other.verb.slice(verb.length + 1)] : [],
      );
      const more = `${asked ? ', asked: true' : ''}${but.length > 0 ? `, but: ${JSON.stringify(but)}` : ''}`;
      return `  { verb: '${verb}', why: ${JSON.stringify(gated)}${more} },\n`;
    });
  const withOptions = verbs.flatMap(({ verb, options }) =>
    options.map(([name, { gated }]) => `  { verb: '${verb}', option: '--${name}', why: ${JSON.stringify(gated)} },\n`),
  );
  return (
    `${generatedFrom('the files of verbs')}\n` +
    `/** \`asked\`: an agent's call of it is asked about, and what the person approves holds for that very call. \`but\`: words that make another verb of it. */\n` +
    `interface GatedVerb {\n  readonly verb: string;\n  readonly why: string;\n  readonly asked?: true;\n  readonly but?: readonly string[];\n}\n\n` +
    `export const GATED_VERBS: readonly GatedVerb[] = [\n${rows.join('')}];\n\n` +
    `/** Verbs that are for a person alone where they are given an option. */\n` +
    `export const GATED_OPTIONS: readonly { readonly verb: string; readonly option: string; readonly why: string }[] = [\n${withOptions.join('')}];\n`
  );
}
