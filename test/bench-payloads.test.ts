import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readPayloads } from '../bench/hook/payloads.ts';
import { BUILT_IN } from '../src/packs/index.generated.ts';

const { reaching, ...payloads } = readPayloads(fileURLToPath(new URL('..', import.meta.url)), '/home/dev/project');

describe('the events of the benches', () => {
  it('are whole', () => {
    for (const payload of [...Object.values(payloads), ...Object.values(reaching)])
      expect(JSON.parse(payload)).toHaveProperty('hook_event_name');
  });

  it.each(['basics', 'guard', 'peers'])('reach each rule of %s', (pack) => {
    const wanted = BUILT_IN.filter(({ meta }) => meta.pack === pack && meta.optIn !== true).map(({ meta }) => meta.id);
    expect(
      Object.keys(reaching)
        .filter((id) => id.startsWith(`${pack}/`))
        .toSorted(),
    ).toEqual(wanted.toSorted());
  });
});
