// Runs the demo and draws its screen as docs/demo.svg.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { drawScreen } from './draw-screen.mjs';
import { root } from './prepare.mjs';

const { stdout, status, stderr } = spawnSync(process.execPath, [join(root, 'bin', 'fairlead'), 'demo'], {
  encoding: 'utf8',
  env: { PATH: process.env.PATH, HOME: process.env.HOME, FORCE_COLOR: '1' },
});
if (status !== 0) throw new Error(stderr);
drawScreen('demo.svg', 'A recorded session played through the engine', [
  '$ npm start',
  '',
  ...stdout.trimEnd().split('\n'),
]);
