/** Colours and the end of a line of progress are ours; nothing else that controls a terminal goes out. */
const OUTGOING =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /\u001b(?!\[(?:\d{1,2}m|K))|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The last place where a name of others could turn the text around it; in JSON the escape means the same character. */
export function outgoing(text: string): string {
  return text.replaceAll(OUTGOING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
