export interface Bar {
  readonly name: string;
  readonly kind: 'ours' | 'floor' | 'other';
  readonly p50: number;
  readonly p95: number;
}

const WIDTH = 860;
const LEFT = 250;
const RIGHT = 130;
const TOP = 64;
const ROW = 30;
const BAR = 16;

/** Horizontal bars on a logarithmic scale: the median as the bar, the 95th percentile as the whisker. */
export function drawBars(title: string, note: string, bars: readonly Bar[]): string {
  const low = 10 ** Math.floor(Math.log10(Math.min(...bars.map(({ p50 }) => p50))));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...bars.map(({ p95 }) => p95))));
  const plot = WIDTH - LEFT - RIGHT;
  const x = (ms: number) => round(LEFT + (plot * Math.log10(ms / low)) / Math.log10(high / low));
  const bottom = TOP + bars.length * ROW;
  const decades = Array.from({ length: Math.round(Math.log10(high / low)) + 1 }, (_, at) => low * 10 ** at);
  const grid = decades.map(
    (ms) => `<path class="grid" d="M${x(ms)} ${TOP - 6}V${bottom}"/>
<text class="dim" x="${x(ms)}" y="${bottom + 18}" text-anchor="middle">${decade(ms)} ms</text>`,
  );
  const rows = bars.map(({ name, kind, p50, p95 }, at) => {
    const top = TOP + at * ROW + (ROW - BAR) / 2;
    const middle = top + BAR / 2;
    return `<text class="${kind === 'ours' ? 'strong' : 'text'}" x="${LEFT - 10}" y="${middle + 4}" text-anchor="end">${escapeText(name)}</text>
<rect class="${kind}" x="${LEFT}" y="${top}" width="${round(x(p50) - LEFT)}" height="${BAR}" rx="2"/>
<path class="whisker" d="M${x(p50)} ${middle}H${x(p95)}M${x(p95)} ${middle - 4}v8"/>
<text class="${kind === 'ours' ? 'strong' : 'text'}" x="${round(x(p95) + 8)}" y="${middle + 4}">${milliseconds(p50)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${bottom + 34}" viewBox="0 0 ${WIDTH} ${bottom + 34}" role="img">
<title>${escapeText(title)}</title>
<style>
text { font: 13px ui-sans-serif, system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 } .strong { font-weight: 600 } .dim { fill: #59636e; font-size: 12px }
.ours { fill: #0969da } .floor { fill: #8c959f } .other { fill: #bc4c00 }
.grid { stroke: #d1d9e0; fill: none } .whisker { stroke: #59636e; stroke-width: 1.5; fill: none }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .dim { fill: #9198a1 }
.ours { fill: #4493f8 } .floor { fill: #656c76 } .other { fill: #db6d28 }
.grid { stroke: #3d444d } .whisker { stroke: #9198a1 }
}
</style>
<text class="title" x="16" y="26">${escapeText(title)}</text>
<text class="dim" x="16" y="46">${escapeText(note)}</text>
${grid.join('\n')}
${rows.join('\n')}
</svg>
`;
}

export function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(2) : ms < 100 ? ms.toFixed(1) : ms.toFixed(0)} ms`;
}

function decade(ms: number): string {
  return ms < 1 ? ms.toPrecision(1) : ms.toFixed(0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
