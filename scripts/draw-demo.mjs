// Runs the demo and draws its screen as docs/demo.svg, the picture in the README.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const LINE = 19;
const CHARACTER = 8.43;
const COLOURS = { 2: '#8b949e', 31: '#ff7b72', 33: '#e3b341', 36: '#79c0ff' };
// eslint-disable-next-line no-control-regex
const STYLED = /\u001b\[(\d+)m([^\u001b]*)\u001b\[0m|([^\u001b]+)/g;

const { stdout, status, stderr } = spawnSync(process.execPath, [join(root, 'bin', 'fairlead'), 'demo'], {
  encoding: 'utf8',
  env: { PATH: process.env.PATH, HOME: process.env.HOME, FORCE_COLOR: '1' },
});
if (status !== 0) throw new Error(stderr);

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const lines = ['$ npm start', '', ...stdout.trimEnd().split('\n')];
// eslint-disable-next-line no-control-regex
const plain = lines.map((line) => line.replaceAll(/\u001b\[\d+m/g, ''));
const width = Math.ceil(Math.max(...plain.map((line) => line.length)) * CHARACTER) + 40;
const height = lines.length * LINE + 40;

const rows = lines.map((line, at) => {
  const spans = [...line.matchAll(STYLED)].map(([, code, styled, text]) =>
    code === undefined ? escape(text) : `<tspan fill="${COLOURS[code] ?? '#e6edf3'}">${escape(styled)}</tspan>`,
  );
  return `<text x="20" y="${at * LINE + 34}" xml:space="preserve">${spans.join('')}</text>`;
});

writeFileSync(
  join(root, 'docs', 'demo.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>A recorded session played through the engine</title>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">
${rows.join('\n')}
</g>
</svg>
`,
);
console.log(`docs/demo.svg: ${lines.length} lines`);
