import { PACK_DOCTORS } from '../../packs/cli.generated.ts';
import { openToOthers } from '../../platform/private-dir.ts';
import { askStatus } from '../../transport/ask-daemon.ts';
import { socketOf } from '../../transport/meeting-place.ts';
import { weakeningIn } from '../accepted-settings.ts';
import { JSON_OPTION, printJson } from '../command.ts';
import type { Command, VerbFile } from '../command.ts';
import { checkFailures, checkLedger, checkSessions } from '../doctor/activity.ts';
import { checkAdopted } from '../doctor/adopted.ts';
import { checkCareful } from '../doctor/careful.ts';
import { checkDaemon } from '../doctor/daemon.ts';
import { checkDatabase, checkInstallation } from '../doctor/installation.ts';
import { checkPolicy } from '../doctor/policy.ts';
import { checkProof } from '../doctor/proof.ts';
import { checkNotify } from '../doctor/notify.ts';
import { needsAttention, showReport } from '../doctor/report.ts';
import { checkRights } from '../doctor/rights.ts';
import { checkRules } from '../doctor/rules.ts';
import { checkServer } from '../doctor/server.ts';
import { checkSettings } from '../doctor/settings.ts';
import { checkTeamState } from '../doctor/team-state.ts';
import { checkTelemetry } from '../doctor/telemetry.ts';
import { checkUndo } from '../doctor/undo.ts';
import { checkOriginals, checkWiring } from '../doctor/wiring.ts';
import { failClosedAt } from '../install/fail-closed.ts';
import { heardAt } from '../install/heard.ts';
import { knownRules } from '../known-rules.ts';

export const doctor: Command = {
  summary: 'what is wired, alive, inert or broken',
  details: `Looks at the project it is called in. Exit code 0 when nothing needs attention, 1 when something does.
With --prove it also calls every hook of Fairlead as the agent would, with an event in a session of its own, and tells
which events arrive and whether a text comes back whole. Where the agent's program is on PATH, it then plays a short
session to it, in a temporary directory, with copies of the settings that decide about hooks, a model of its own on
this machine, and no key. All hooks in those settings run then, also those of others. Nothing of it stays in the
ledger or in what rules remember.`,
  options: {
    prove: { type: 'boolean', help: 'send an event through every hook, and see what comes back' },
    ...JSON_OPTION,
  },
  async run(input, world) {
    const open = openToOthers(world.paths.state);
    const status = await askStatus(socketOf(world.paths), world.paths.state);
    const known = await knownRules(world);
    const packs = await Promise.all(PACK_DOCTORS.map(({ load }) => load()));
    const sections = [
      checkInstallation(world),
      checkDaemon(status, world),
      checkDatabase(world),
      checkRights(open, world),
      checkWiring(known.root, world, await failClosedAt(known.root, world), await heardAt(known.root, world)),
      ...checkOriginals(known, world),
      ...checkAdopted(known.root, world),
      ...(await checkServer(known.root, world)),
      checkSettings(known, (await weakeningIn(world)).lines, world),
      ...checkPolicy(known, world),
      checkRules(known, world),
      await checkCareful(known.root, world),
      ...packs.toSorted((a, b) => a.order - b.order).flatMap(({ check }) => check(known, status, world)),
      ...checkNotify(known, world),
      ...checkTeamState(known, status, world),
      ...checkTelemetry(known, status, world),
      checkSessions(world),
      checkLedger(known, status, world),
      checkUndo(known, world),
      checkFailures(world),
      ...(input.has('prove') ? [await checkProof(known, world)] : []),
    ];
    const healthy = needsAttention(sections).length === 0;
    if (input.has('json'))
      printJson(world, {
        healthy,
        sections: sections.map(({ facts, ...section }) => ({ ...section, facts: Object.fromEntries(facts) })),
      });
    else showReport(sections, world);
    return healthy ? 0 : 1;
  },
};

export default { order: 40, verbs: { doctor } } satisfies VerbFile;
