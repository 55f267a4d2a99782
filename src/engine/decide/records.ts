import type { Adapter, RecordsLocation, ProjectTranscripts } from '../../adapters/adapter.ts';
import type { Event } from '../../event/event.ts';
import type { Draft } from '../../state/draft.ts';
import type { Engine, Place } from '../engine.ts';
import type { AgentRecords, StartPlaces, TranscriptFile } from '../session/agent-records.ts';
import { NO_USAGE, readFloor, readToldWindow, readUsage } from '../session/usage.ts';
import type { Usage } from '../session/usage.ts';

const MAX_LOOKS = 64;
const MAX_PLACES = 10_000;
/** Their names say nothing of their age, so all that people really have are looked at. */
const MAX_LISTED = 20_000;
/** A session's first prompt, which names its directory, stands this near to the beginning. */
const BEGINNING = 256 << 10;
/** Most name it much earlier. */
const FIRST_LINES = 16 << 10;
const MAX_MEMORY = 4 << 20;

export interface RecordsParts {
  readonly event: Event;
  readonly place: Place;
  readonly adapter: Adapter;
  readonly engine: Engine;
  readonly draft: Draft;
}

export function recordsFor({ event, place: { workspace, root }, adapter, engine, draft }: RecordsParts): AgentRecords {
  const { files } = engine;
  const transcripts = adapter.projectTranscripts;
  const at: RecordsLocation = {
    root: workspace.root,
    home: workspace.home,
    variable: (name) => workspace.variable(name),
    ...(event.transcript === undefined ? {} : { transcript: event.transcript }),
  };
  let told: Usage | undefined;
  return {
    usage: () => (told ??= usageOf()),
    transcripts: () =>
      transcripts ? listTranscripts(transcripts.dir(at), transcripts, files, engine.startPlaces) : [],
    memory() {
      const path = adapter.memoryFile?.(at);
      if (path === undefined) return undefined;
      const found = files.stat(path);
      const text = found?.kind === 'file' ? files.readText(path, MAX_MEMORY) : undefined;
      return found && text !== undefined
        ? { path, text, sha256: engine.seal(text), mtimeMs: found.mtimeMs }
        : undefined;
    },
  };

  function usageOf(): Usage {
    const { session, transcript } = event;
    if (transcript === undefined || !transcripts) return NO_USAGE;
    const looks = engine.usageLooks;
    const look = readUsage(files, transcript, readFloor(draft, session), transcripts.usageIn, looks?.get(transcript));
    if (look && looks) {
      if (looks.size >= MAX_LOOKS) looks.clear();
      looks.set(transcript, look);
    }
    const record = look?.record;
    const window = readToldWindow(draft, session) ?? record?.window ?? engine.setupOf(event, root).window;
    return {
      tokens: record?.tokens ?? 0,
      ...(record && { model: record.model }),
      ...(window === undefined ? {} : { window }),
    };
  }
}

type TranscriptReader = Pick<ProjectTranscripts, 'sessionOf' | 'readLine'>;

export function* listTranscripts(
  dir: string,
  reader: TranscriptReader,
  files: Engine['files'],
  places: StartPlaces = new Map(),
): Generator<TranscriptFile, void, undefined> {
  for (const name of files.list(dir, MAX_LISTED)) {
    const session = reader.sessionOf(name);
    const path = `${dir}/${name}`;
    const found = session === undefined ? undefined : files.stat(path);
    if (session === undefined || found?.kind !== 'file') continue;
    const { size, mtimeMs } = found;
    const startOf = () => places.get(path) ?? keepPlace(places, path, placeIn(path, reader, files));
    const isEmpty = () => size <= BEGINNING && !isTold(path, reader, files);
    yield { session, path, size, mtimeMs, startedIn: startOf, isEmpty };
  }
}

function keepPlace(places: StartPlaces, path: string, place: string | undefined): string | undefined {
  if (place === undefined) return undefined;
  if (places.size >= MAX_PLACES) places.clear();
  places.set(path, place);
  return place;
}

function placeIn(path: string, reader: TranscriptReader, files: Engine['files']): string | undefined {
  return placeWithin(FIRST_LINES) ?? placeWithin(BEGINNING);

  function placeWithin(bytes: number): string | undefined {
    for (const line of firstLines(path, bytes, files)) {
      const cwd = reader.readLine(line)?.cwd;
      if (cwd !== undefined) return cwd;
    }
    return undefined;
  }
}

function isTold(path: string, reader: TranscriptReader, files: Engine['files']): boolean {
  return firstLines(path, BEGINNING, files).some((line) => {
    const { prompt = '', answer } = reader.readLine(line) ?? {};
    return prompt !== '' || answer !== undefined;
  });
}

function firstLines(path: string, bytes: number, files: Engine['files']): readonly string[] {
  return new TextDecoder().decode(files.readRange(path, 0, bytes) ?? new Uint8Array()).split('\n');
}
