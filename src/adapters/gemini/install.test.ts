import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import type { EventName } from '../../event/event.ts';
import type { Delivery } from '../installer.ts';
import { applyEdits, invertEdits } from '../json-edit.ts';
import { geminiInstaller as installer } from './install.ts';

const deliveryOf = (command: string, hears: (event: EventName) => boolean = () => true): Delivery => ({
  launch: { command, args: [], homeArgs: ['--state', "/s p'ace"] },
  hears,
  failsClosed: (event) => event === 'tool.before',
});
const OURS = deliveryOf('/opt/f/fairlead-client');

function added(text: string, delivery = OURS) {
  const result = installer.add(text, delivery);
  if ('refusal' in result) throw new Error(result.refusal);
  return { ...result, text: applyEdits(text, result.edits) };
}

/** A settings file as people write it: comments, other settings, hooks of others. */
const COMMENTED = `{
  // what the team agreed on
  "theme": "Default", /* not "Dark" */
  "hooks": {
    "BeforeTool": [
      // theirs
      { "matcher": "write_file", "hooks": [{ "type": "command", "command": "./check.sh", "timeout": 5000 }] } // last
    ]
  } // end
}
`;

describe('entries in the settings of the client', () => {
  it('are lines for a shell, with limits in milliseconds; those for calls stop where nothing starts', () => {
    const { hooks } = JSON.parse(added('').text) as { hooks: Record<string, [{ hooks: [Record<string, unknown>] }]> };
    expect(Object.keys(hooks)).toEqual(installer.wired.map(({ name }) => name));
    expect(hooks['BeforeTool']?.[0].hooks[0]).toEqual({
      type: 'command',
      command: `/opt/f/fairlead-client hook --agent gemini --event BeforeTool --state '/s p'\\''ace' --within 55000 || /bin/sh -c 'echo "Fairlead cannot start: run fairlead init again, or take its hooks out of .gemini/settings.json" >&2; exit 2'`,
      timeout: 60_000,
    });
    expect(hooks['AfterTool']?.[0].hooks[0]).toMatchObject({ timeout: 10_000 });
    expect(hooks['AfterTool']?.[0].hooks[0]['command']).toMatch(/ \|\| true$/);
  });

  it('are not made for what comes before every request, and are for calls that failed', () => {
    expect(installer.wired.map(({ name }) => name)).not.toContain('PreCompress');
    const onlyFailed = added(
      '',
      deliveryOf('/f/fairlead', (event) => event === 'tool.failed'),
    );
    expect(Object.keys((JSON.parse(onlyFailed.text) as { hooks: object }).hooks)).toEqual(['AfterTool']);
  });

  it('stand beside those of others, in a file with comments, and go without a trace', () => {
    const { text, kept } = added(COMMENTED);
    expect(text).toContain('// theirs');
    expect(text).toContain('/* not "Dark" */');
    const { own, foreign, problems } = installer.read(text);
    expect({ own: own.length, foreign, problems }).toEqual({ own: installer.wired.length, foreign: 1, problems: [] });
    expect(own.find(({ event }) => event === 'BeforeTool')).toMatchObject({ blocks: true });
    expect(added(text).text, 'a second time').toBe(text);
    expect(applyEdits(text, installer.remove(text, kept))).toBe(COMMENTED);
  });

  it('are brought to where the program is now', () => {
    const first = added(COMMENTED).text;
    const moved = added(first, deliveryOf('/new/fairlead-client')).text;
    expect(moved).not.toContain('/opt/f/');
    expect(added(COMMENTED, deliveryOf('/new/fairlead-client')).text).toBe(moved);
  });

  it('leave every file as it was, whatever is in it', () => {
    const blank = fc.constantFrom('', ' ', '\n', '// x\n', '/* y */', '\t');
    const member = fc.tuple(fc.constantFrom('a', 'theme', 'ui'), fc.json({ maxDepth: 2 }));
    const file = fc
      .tuple(fc.array(fc.tuple(member, blank, blank), { maxLength: 4 }), blank, fc.constantFrom('\n', ''))
      .map(([members, lead, end]) => {
        const inner = members.map(([[key, value], before, after], at) => `${before}"${key}${at}": ${value}${after}`);
        return `{${lead}${inner.join(',')}}${end}`;
      });
    fc.assert(
      fc.property(file, (before) => {
        const { text, kept, edits } = added(before);
        expect(installer.read(text).problems).toEqual([]);
        expect(applyEdits(text, invertEdits(edits)), 'by what was recorded').toBe(before);
        const bare = (source: string) => source.replaceAll(/\s/g, '');
        expect(bare(applyEdits(text, installer.remove(text, kept))), 'by what is ours').toBe(bare(before));
      }),
      cases(1_000),
    );
  });

  it('are switched off by two settings', () => {
    const of = (config: object) => installer.read(JSON.stringify({ hooksConfig: config })).switches;
    expect(of({ enabled: false })).toEqual(['hooksConfig.enabled']);
    expect(of({ disabled: ['/x/fairlead-client hook --agent gemini'] })).toEqual(['hooksConfig.disabled']);
    expect(of({ enabled: true, disabled: ['other'] })).toEqual([]);
  });
});
