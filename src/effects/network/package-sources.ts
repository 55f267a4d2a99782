import type { ShellCommand } from '../../shell/command.ts';
import { hostOf, isOwnHost } from './hosts.ts';
import type { ProgramTable, ReadEffects } from '../scene.ts';
import { systemEffect } from '../system/effect.ts';
import { listed } from '../words/arguments.ts';

/** Where everybody's packages come from, and the services that projects keep their own in. */
const KNOWN =
  /(?:^|\.)(?:npmjs\.(?:org|com)|yarnpkg\.com|npmmirror\.com|jsr\.io|pypi\.org|pythonhosted\.org|pytorch\.org|nvidia\.com|anaconda\.(?:org|com)|rubygems\.org|golang\.org|goproxy\.(?:io|cn)|crates\.io|maven\.org|apache\.org|nuget\.org|packagist\.org|github\.com|githubusercontent\.com|gitlab\.com|azure\.com|visualstudio\.com|amazonaws\.com|pkg\.dev|googleapis\.com|google\.com|jfrog\.io|cloudsmith\.io|gemfury\.com|edu\.cn|aliyun\.com|tencent\.com|huaweicloud\.com)$/;
/** Inside a company or a house. */
const NEAR =
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)|\.(?:local|internal|corp|lan|intra|intranet|home\.arpa)$|^[\w-]+$/;

/** Names of options, settings and variables that say where packages come from. */
const SOURCE =
  /registry|index-?_?url|^--?(?:i|index|extra-index|default-index|find-links|f|source|s|add|a)$|^sources?$|goproxy|_index$|mirror|repositor(?:y|ies)/i;
const URL_IN = /^(?:(-*[\w@:./-]+)=)?(https?:\/\/[^\s,|]+)/i;

function isUnknown(address: string): boolean {
  const host = hostOf(address);
  return host !== '' && !isOwnHost(host) && !KNOWN.test(host) && !NEAR.test(host);
}

function unknownSource({ words, assigns }: ShellCommand): string | undefined {
  const isSetting = words[1]?.value === 'config';
  const given = words.flatMap(({ value }, at) => {
    const found = URL_IN.exec(value);
    const before = isSetting
      ? words
          .slice(2, at)
          .map((word) => word.value)
          .join('')
      : words[at - 1]?.value;
    return found?.[2] === undefined ? [] : [[found[1] ?? before ?? '', found[2]] as const];
  });
  const set = assigns.map(({ name, value }) => [name, URL_IN.exec(value.value)?.[2] ?? ''] as const);
  return [...given, ...set].find(([name, address]) => SOURCE.test(name) && isUnknown(address))?.[1];
}

/** Packages bring code that runs when they are installed; whoever names their source decides what runs. */
const readSource: ReadEffects = (command, scene) => {
  const address = unknownSource(command);
  if (address !== undefined)
    return [systemEffect('source', `where packages come from (${hostOf(address)})`, command, scene)];
  const [, verb, act, key, value] = command.words.map((word) => word.value);
  const isShell = verb === 'config' && act === 'set' && /^(?:script-shell|shell)\b/.test(key ?? '');
  return isShell && `${key ?? ''}${value ?? ''}`.includes('/') && !/\/(?:usr\/)?bin\/\w+$/.test(value ?? key ?? '')
    ? [systemEffect('later', 'the program that runs scripts of packages', command, scene)]
    : [];
};

const readModule: ReadEffects = (command, scene) =>
  /^(?:pip|uv)$/.test(command.words[command.words.findIndex(({ value }) => value === '-m') + 1]?.value ?? '')
    ? readSource(command, scene)
    : [];

export const SOURCE_PROGRAMS: ProgramTable = {
  python: readModule,
  ...Object.fromEntries(
    listed(
      'npm pnpm yarn bun npx bunx pip pip3 pipx uv uvx poetry pdm conda mamba gem bundle go cargo composer nuget dotnet',
    ).map((name) => [name, readSource]),
  ),
};
