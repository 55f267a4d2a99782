// Runs the real agent client in a terminal with Fairlead and draws its screen as docs/client.svg, the picture in the README.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawScreen } from './draw-screen.mjs';
import { installClient } from './install-client.mjs';
import { runBundled } from './run-bundled.mjs';

const dir = mkdtempSync(join(tmpdir(), 'fairlead-screen-'));
const file = join(dir, 'screen');
await runBundled('test/e2e/client-screen.ts', 'draw-client', [file], { env: { FAIRLEAD_E2E_CLIENT: installClient() } });
drawScreen('client.svg', 'Claude Code with Fairlead', readFileSync(file, 'utf8').split('\n'));
rmSync(dir, { recursive: true });
