import { counted } from '../../text/counted.ts';
import { genesisOf } from '../record/chain.ts';
import type { Collected } from './collected.ts';
import { hasWithin, rangesOf, sizeOf, within, without } from './ranges.ts';
import type { Range } from './ranges.ts';
import type { Finding, FindingKind } from './report.ts';

const AFTER = 'Somebody changed it after it left the machine.';
const MOVED = 'Somebody changed the order of records within a batch, or moved some to another.';
const GONE = 'Somebody took them out after they left the machine, or they are in a file that was not given.';
const SILENT = 'All of it was taken out, or it sent nothing in this time, or it is in a file that was not given.';
const COPIED =
  'The state directory was copied or restored from a backup, and both went on; or somebody who has the key of the machine wrote another history.';

const isOne = ({ from, to }: Range): boolean => from === to;
const wordsOf = (range: Range): string =>
  isOne(range) ? `Record ${range.from}` : `Records ${range.from} to ${range.to}`;

/** What is wrong with the records of a machine, whoever signed them. */
export function findingsIn(collected: Collected): readonly Finding[] {
  const numbers = collected.numbers();
  const last = numbers.at(-1) ?? 0;
  const cut = cutIn(collected, last);
  const isAbsent = numbers.length === 0 && collected.bad.size === 0 && cut.length === 0;
  return [
    ...(isAbsent ? [found(collected, 'absent', 'There is no record of this machine.', SILENT)] : []),
    ...changedIn(collected),
    ...removedIn(collected, numbers, last),
    ...reorderedIn(collected, numbers),
    ...forksIn(collected, numbers),
    ...cut,
  ];
}

function found({ machine }: Collected, kind: FindingKind, what: string, means: string, range?: Range): Finding {
  return { kind, machine, ...(range && { from: range.from, to: range.to }), what, means };
}

function changedIn(collected: Collected): Finding[] {
  return [...collected.bad].flatMap(([damage, { where, numbers }]) =>
    rangesOf(numbers).map((range) =>
      found(collected, 'changed', `${wordsOf(range)} in ${where} ${damage}.`, AFTER, range),
    ),
  );
}

/** The first number that must be here. */
function beginningOf(collected: Collected, first: number): number {
  const { machine, known } = collected;
  // Records from before there was a chain are not in it.
  if (collected.at(first).some(({ previous }) => previous === genesisOf(machine))) return first;
  return known?.at && first > known.at.sequence ? known.at.sequence + 1 : 1;
}

function removedIn(collected: Collected, numbers: readonly number[], last: number): Finding[] {
  const [first] = numbers;
  if (first === undefined) return [];
  const damaged = [...collected.bad.values()].flatMap((each) => [...each.numbers]);
  const told = collected.all().flatMap(({ about }) => about ?? []);
  const whole = { from: beginningOf(collected, first), to: last };
  const explained = [...rangesOf([...numbers, ...damaged]), ...told.filter(({ kind }) => kind === 'resumed')];
  const missing = without(whole, explained);
  // Which ones a receiver left out nobody knows, but how many.
  const refused = told.filter((one) => one.kind === 'refused' && sizeOf(within(missing, one)) <= one.count);
  return without(whole, [...explained, ...refused]).map((range) =>
    found(collected, 'removed', `${wordsOf(range)} ${isOne(range) ? 'is' : 'are'} missing.`, GONE, range),
  );
}

function reorderedIn(collected: Collected, numbers: readonly number[]): Finding[] {
  return collected.jumps
    .filter((jump) => hasWithin(numbers, jump))
    .map(({ where, ...range }) => {
      const [does, it] = isOne(range) ? ['does', 'it'] : ['do', 'them'];
      const what = `${wordsOf(range)} ${does} not stand in ${where} where the machine put ${it}.`;
      return found(collected, 'reordered', what, MOVED, range);
    });
}

function forksIn(collected: Collected, numbers: readonly number[]): Finding[] {
  const headsAt = (number: number) => collected.at(number).map(({ head }) => head);
  const two = new Set(numbers.filter((number) => collected.at(number).length > 1));
  const torn = numbers.filter((number) => {
    const before = headsAt(number - 1);
    return (
      !two.has(number) && before.length > 0 && collected.at(number).some(({ previous }) => !before.includes(previous))
    );
  });
  const other = collected.points.filter(({ sequence, head }) => {
    if (head === undefined) return false;
    const [here, next] = [headsAt(sequence), collected.at(sequence + 1)];
    return (
      (here.length > 0 && !here.includes(head)) || (next.length > 0 && next.every(({ previous }) => previous !== head))
    );
  });
  const fork = (range: Range, what: string) => found(collected, 'fork', what, COPIED, range);
  return [
    ...rangesOf(two).map((range) =>
      fork(range, `${wordsOf(range)} ${isOne(range) ? 'has' : 'have'} two versions, and the machine signed both.`),
    ),
    ...rangesOf(torn).map((range) =>
      fork(range, `${wordsOf(range)} ${isOne(range) ? 'follows' : 'follow'} on another history than the one here.`),
    ),
    ...other.map(({ sequence, by }) =>
      fork(
        { from: sequence, to: sequence },
        `What ${by} says of record ${sequence} is of another history than the one here.`,
      ),
    ),
  ];
}

function cutIn(collected: Collected, last: number): Finding[] {
  const newest = collected.points.toSorted((one, other) => other.sequence - one.sequence)[0];
  if (!newest || newest.sequence <= last) return [];
  const range = { from: last + 1, to: newest.sequence };
  const what = `The record ends with ${last}, and ${newest.by} goes to ${newest.sequence}.`;
  return [
    found(collected, 'cut', what, `The tail was cut off: ${counted(range.to - last, 'record')} at least.`, range),
  ];
}
