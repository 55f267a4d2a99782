import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const LINE = 19;
const CHARACTER = 8.43;
const TEXT = '#e6edf3';
const BASIC = ['#484f58', '#ff7b72', '#3fb950', '#e3b341', '#79c0ff', '#bc8cff', '#56d4dd', TEXT];
const FAINT = '#8b949e';
// eslint-disable-next-line no-control-regex
const STYLE = /\u001b\[([\d;:]*)m/g;

/** Draws the lines of a terminal, with their colours, as docs/NAME. */
export function drawScreen(name, title, lines) {
  const plain = lines.map((line) => line.replaceAll(STYLE, ''));
  const width = Math.ceil(Math.max(...plain.map((line) => line.length)) * CHARACTER) + 40;
  const height = lines.length * LINE + 40;
  let colour = TEXT;
  const rows = lines.map((line, at) => {
    const spans = line.split(STYLE).map((part, index) => {
      if (index % 2 === 1) {
        colour = colourAfter(part, colour);
        return '';
      }
      return part === '' || colour === TEXT ? escape(part) : `<tspan fill="${colour}">${escape(part)}</tspan>`;
    });
    return `<text x="20" y="${at * LINE + 34}" xml:space="preserve">${spans.join('')}</text>`;
  });
  writeFileSync(
    join(root, 'docs', name),
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escape(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${TEXT}">
${rows.join('\n')}
</g>
</svg>
`,
  );
  console.log(`docs/${name}: ${lines.length} lines`);
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Only colours of letters are drawn. */
function colourAfter(codes, before) {
  const numbers = codes.split(/[;:]/).map(Number);
  let colour = before;
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at];
    if (code === 0 || code === 39 || code === 22) colour = TEXT;
    else if (code === 2) colour = FAINT;
    else if (code >= 30 && code <= 37) colour = BASIC[code - 30];
    else if (code >= 90 && code <= 97) colour = BASIC[code - 90];
    else if (code === 38 && numbers[at + 1] === 2) {
      colour = `rgb(${numbers.slice(at + 2, at + 5).join(',')})`;
      at += 4;
    } else if (code === 38 || code === 48) {
      if (code === 38) colour = ofPalette(numbers[at + 2]);
      at += numbers[at + 1] === 2 ? 4 : 2;
    }
  }
  return colour;
}

function ofPalette(code) {
  if (code < 16) return BASIC[code % 8];
  if (code >= 232)
    return `rgb(${Array(3)
      .fill(8 + (code - 232) * 10)
      .join(',')})`;
  const level = (step) => (step === 0 ? 0 : 55 + step * 40);
  const cube = code - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(',')})`;
}
