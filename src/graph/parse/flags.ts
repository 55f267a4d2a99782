import type { FileFlag, Language } from '../model/facts.ts';
import { descriptorOf } from '../walk/known-languages.ts';

const VENDORED =
  /(?:^|\/)(?:vendor|vendors|vendored|_vendor|third[_-]?party|3rd[_-]?party|externals?|node_modules|bower_components)\//i;

const GENERATED_NAME =
  /(?:\.pb(?:\.gw)?\.go|\.pb\.(?:h|cc|c)|_pb2(?:_grpc)?\.pyi?|_pb\.(?:js|ts|d\.ts|rb)|\.min\.[cm]?js|\.(?:generated|gen)\.\w+|(?:^|[_/])zz_generated[^/]*|(?:^|\/)\.pnp\.c?js|(?:^|\/)bindata\.go)$/;
/** What generators write at the top; the words of people about generated things are longer or stand elsewhere. */
const GENERATED_HEAD = new RegExp(
  [
    String.raw`@generated\b`,
    String.raw`code generated\b.*\bdo not edit`,
    String.raw`<auto-?generated`,
    String.raw`\bdo not (?:edit|modify)(?: this file| by hand| manually| directly)?[.!]? *(?:\*\/|-->)?\r?$`,
    String.raw`(?:this|the) (?:file|code|module|class) (?:is|was|has been) (?:(?:auto|automatically|machine)[- ]?)?generated`,
    String.raw`^\W*(?:auto|automatically|machine)[- ]?generated (?:by|from|with|using|file|code)\b`,
    String.raw`^\W*generated (?:automatically )?(?:by|from|with|using) `,
  ].join('|'),
  'i',
);
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|pragma|if)|--|;|<!--|"""|''')/;
const HEAD_LINES = 20;

export function isTestPath(path: string, language: Language): boolean {
  return descriptorOf(language)?.tests.test(path) ?? false;
}

/** By its text, where its name does not say it. */
function hasTests(text: string, language: Language): boolean {
  return descriptorOf(language)?.testText?.test(text) ?? false;
}

export function isVendored(path: string): boolean {
  return VENDORED.test(path);
}

export function isGenerated(path: string, text: string, lines: readonly number[]): boolean {
  if (GENERATED_NAME.test(path)) return true;
  for (let line = 0; line < HEAD_LINES && line < lines.length; line += 1) {
    const start = lines[line] ?? 0;
    const end = Math.min(lines[line + 1] ?? text.length, start + 300);
    const words = text.slice(start, end).trimEnd();
    if (COMMENT.test(words) && GENERATED_HEAD.test(words)) return true;
  }
  return false;
}

/** In the order in which all flags of a file are written. */
export function flagsOf(path: string, language: Language, text: string, lines: readonly number[]): FileFlag[] {
  const flags: FileFlag[] = [];
  if (isTestPath(path, language) || hasTests(text, language)) flags.push('test');
  if (isGenerated(path, text, lines)) flags.push('generated');
  if (isVendored(path)) flags.push('vendored');
  return flags;
}
