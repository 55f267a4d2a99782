/** A sentence in small letters, without Markdown; code and what looks like it stands as `‹0›`. */
export interface Phrase {
  readonly words: string;
  readonly spans: readonly Span[];
}

export interface Span {
  readonly text: string;
  /** It was marked as code. */
  readonly isCode: boolean;
}

const FILE = String.raw`(?:\.?\/?[\w@.*{}<>-]+\/[\w@./*{}<>,-]*|\.env(?:\.[\w*]+)*|(?:\*\.|\.)?[\w*-]+\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|lock|py|rs|go|rb|java|kt|cs|php|sh|sql|css|scss|html|vue|svelte|proto|prisma|graphql|env|txt|xml|gradle|tf|pb\.go)|node_modules|console\.\w+|--[a-z][\w-]+)`;
const BARE = new RegExp(String.raw`(?<![\w‹/.@-])${FILE}(?![\w›])`, 'g');
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/\b(do|does|must|should|did|is|are)n't\b/g, '$1 not'],
  [/\bcan't\b|\bcan not\b/g, 'cannot'],
  [/\bwon't\b/g, 'will not'],
];

export function phraseOf(text: string): Phrase {
  const spans: Span[] = [];
  const put = (code: string, isCode: boolean) => {
    spans.push({ text: code.trim(), isCode });
    return `‹${spans.length - 1}›`;
  };
  let words = text
    .replaceAll(/(`+)(.+?)\1/g, (_, _mark: string, code: string) => put(code, true))
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<\/?[a-z][^>]*>/gi, ' ')
    .replaceAll(/\*\*|__|(?<![\w*/])\*(?=\S)|(?<=\S)\*(?![\w*/.])|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)/g, '')
    .replaceAll(/[\p{Extended_Pictographic}\uFE0F]/gu, ' ')
    .replaceAll(/[’‘]/g, "'");
  words = words.replaceAll(BARE, (code) => {
    const end = /[.,]+$/.exec(code)?.[0] ?? '';
    const bare = code.slice(0, code.length - end.length);
    return /^\w+\/\w+$/.test(bare) && !/[.*]/.test(bare) ? code : put(bare, false) + end;
  });
  words = words.toLowerCase();
  for (const [short, long] of SHORT) words = words.replaceAll(short, long);
  return {
    words: words
      .replaceAll(/\s+/g, ' ')
      .replace(/[\s.!:;,]+$/, '')
      .trim(),
    spans,
  };
}

/** The spans that a part of the words names, in order. */
export function spansIn(part: string, { spans }: Phrase): readonly Span[] {
  return [...part.matchAll(/‹(\d+)›/g)].map(([, number]) => spans[Number(number)] as Span);
}
