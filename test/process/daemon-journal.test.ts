import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { recordedTranscript, recordsDir } from '../../src/packs/context/cli/transcripts.fixture.ts';
import { eventIn, isLinux, newHome, put, send } from './daemon-home.ts';

const SESSION = '0b8e8c1e-7d0f-4a57-9b36-0d3b2f4d2a11';

describe.runIf(isLinux)('the journal', () => {
  it('has a session soon after its end was answered', async () => {
    const home = newHome({
      config: 'packs: { context: { enabled: true, journal: { export_on_session_end: true } } }\n',
    });
    for (const name of ['CONSTITUTION', 'TASKS', 'DECISIONS']) put(join(home.project, `.context/${name}.md`), '# x\n');
    const transcript = join(recordsDir(join(home.dir, 'person'), home.project), `${SESSION}.jsonl`);
    put(transcript, recordedTranscript('transcript.jsonl', home.project, SESSION));
    const end = eventIn(home, 'SessionEnd/other.json', { session_id: SESSION, transcript_path: transcript });
    const ran = await send(home, end);
    expect(ran.out).toBe('');
    const journal = join(home.project, '.context/journal');
    const [entry = ''] = await until(
      'an entry is written',
      () => existsSync(join(journal, '.state.json')) && readdirSync(journal).filter((name) => name.endsWith('.md')),
    );
    expect(entry).toMatch(/-0b8e8c1e\.md$/);
    expect(readFileSync(join(journal, entry), 'utf8')).toContain(`session: "${SESSION}"`);
    expect(existsSync(join(home.state, 'failures.jsonl'))).toBe(false);
  });
});
