import type { Reading, ShellCommand, ShellWord } from '../shell/command.ts';
import { UNKNOWN } from '../shell/command.ts';
import { placeOf } from './place.ts';
import type { Placed, Surroundings } from './scene.ts';
import { placesFound, readSearch } from './searches.ts';

/** Where a command's word points to, with what the commands that made the word tell about it. */
export function placeWord(
  word: ShellWord | string,
  command: ShellCommand,
  surroundings: Surroundings,
  reading: Reading,
): Placed {
  if (typeof word !== 'string' && !word.known) {
    const maker = makerOf(word, command, reading);
    if (maker?.program === 'mktemp') return placeMade(word, command, surroundings);
    if (maker?.program === 'find' && isItem(word)) return placeFound(maker, surroundings);
  }
  return placeOf(word, command.dir, surroundings);
}

/** The `mktemp` or `find` whose output the word holds. */
function makerOf(word: ShellWord, command: ShellCommand, { commands }: Reading): ShellCommand | undefined {
  if (command.road.at(-1)?.startsWith('find -') === true && word.text.includes('{}')) {
    for (let at = command.number - 1; at >= 0; at -= 1) if (commands[at]?.program === 'find') return commands[at];
  }
  return word.from.length === 1 ? commands[word.from[0] as number] : undefined;
}

/** The word is what was found, with nothing put to it. */
function isItem({ text, value }: ShellWord): boolean {
  return value === UNKNOWN || text === '{}' || text === "'{}'" || text === '"{}"';
}

/** `$(mktemp -d)` and what is below it. */
function placeMade(word: ShellWord, command: ShellCommand, surroundings: Surroundings): Placed {
  const { value } = word;
  const own = value.startsWith(UNKNOWN) && (value.length === 1 || value[1] === '/') && !value.includes('..');
  return own ? { name: word.text, scope: 'temp' } : placeOf(word, command.dir, surroundings);
}

/** The place that matters most among those that the search finds. */
function placeFound(find: ShellCommand, surroundings: Surroundings): Placed {
  const search = readSearch(find.words);
  const places = search.starts.flatMap((start) =>
    placesFound(search, start, (word) => placeOf(word, find.dir, surroundings)),
  );
  return (places.find(({ placed }) => placed.scope !== 'made') ?? (places[0] as { placed: Placed })).placed;
}

/** The word stands for all that a search without tests finds: a whole tree. */
export function isWholeSearch(word: ShellWord, { road }: ShellCommand): boolean {
  return word.known && word.text.includes('{}') && road.at(-1)?.startsWith('find -') === true;
}
