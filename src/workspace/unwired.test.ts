import { expect, it } from 'vitest';
import type { RuleMeta } from '../engine/rule.ts';
import type { EventName } from '../event/event.ts';
import { unwiredNotices } from './unwired.ts';

const rule = (id: string, ...event: EventName[]) =>
  ({ meta: { id, on: [{ event }] } as unknown as RuleMeta }) as Parameters<typeof unwiredNotices>[0]['rules'][number];
const LATER = rule('user/later', 'notification', 'tool.before');
const local = { scope: 'local', unwired: ['notification', 'cwd.changed'] };

it.each<[string, unknown, readonly ReturnType<typeof rule>[], readonly string[]]>([
  ['a rule on such an event', { '/w/.a/s.json': local }, [LATER], ['notification', 'user/later']],
  ['no such rule', { '/w/.a/s.json': local }, [rule('user/now', 'tool.before')], []],
  ['another project', { '/other/.a/s.json': local }, [LATER], []],
  ['settings for all projects', { '/home/.a/s.json': { ...local, scope: 'user' } }, [LATER], ['notification']],
  ['another file has it', { '/w/.a/s.json': local, '/home/s.json': { scope: 'user', unwired: [] } }, [LATER], []],
  ['an older installation', { '/w/.a/s.json': { existed: true } }, [LATER], []],
  ['nothing installed', undefined, [LATER], []],
  ['a damaged record', 'x', [LATER], []],
  ['records of another kind', { '/w/s.json': null, '/w/t.json': 3 }, [LATER], []],
])('%s', (_, records, rules, named) => {
  const text = typeof records === 'string' ? records : JSON.stringify(records);
  const notices = unwiredNotices({ rules }, '/w', { files: { readText: () => text }, state: '/s' });
  expect(notices).toHaveLength(named.length === 0 ? 0 : 1);
  for (const word of named) expect(notices[0]).toContain(word);
});

it('long lists are cut', () => {
  const rules = Array.from({ length: 5 }, (_, at) => rule(`user/${at}`, 'notification'));
  const files = { readText: () => JSON.stringify({ '/w/s.json': local }) };
  expect(unwiredNotices({ rules }, '/w', { files, state: '/s' })[0]).toMatch(/user\/2 and 2 more do not hear/);
});
