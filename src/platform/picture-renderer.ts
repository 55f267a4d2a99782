import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { InitInput } from '@resvg/resvg-wasm';
import { encodePng } from './encode-png.ts';

/** Where each comes from when this runs from source; the build puts them all into one folder beside the program. */
const PACKAGES = {
  'resvg.wasm': '@resvg/resvg-wasm/index_bg.wasm',
  'DejaVuSans.ttf': 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  'DejaVuSans-Bold.ttf': 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
} as const;

function readPart(name: keyof typeof PACKAGES): Uint8Array {
  const built = join(import.meta.dirname, 'pictures', name);
  if (existsSync(built)) return readFileSync(built);
  return readFileSync(createRequire(import.meta.url).resolve(PACKAGES[name]));
}

let started: Promise<Uint8Array[]> | undefined;

/** The fonts, once the renderer runs. What failed is tried again: the file may be there by then. */
function start(): Promise<Uint8Array[]> {
  started ??= load().catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  return started;
}

async function load(): Promise<Uint8Array[]> {
  const fonts = [readPart('DejaVuSans.ttf'), readPart('DejaVuSans-Bold.ttf')];
  const { Module } = (globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => InitInput } })
    .WebAssembly;
  const bytes = readPart('resvg.wasm');
  await initWasm(unoptimised(() => new Module(bytes)));
  return fonts;
}

/**
 * An opaque SVG as PNG, pixel for pixel, with the bundled fonts and no others. Rejects when a part of the renderer is
 * missing or damaged.
 */
export async function renderPng(svg: string): Promise<Uint8Array> {
  const fontBuffers = await start();
  return unoptimised(() => {
    const picture = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'DejaVu Sans' } });
    try {
      const image = picture.render();
      try {
        return encodePng(image.pixels, image.width, image.height);
      } finally {
        image.free();
      }
    } finally {
      picture.free();
    }
  });
}

/**
 * What is compiled meanwhile is never optimised. Measured on Node 20 with the start of the renderer: one picture takes
 * 0.2 s of CPU time instead of 1.8 s, thirty take 1.8 s instead of 3.4 s, and the process stays 100 MB smaller. The
 * flags are of the whole process, so this belongs in the indexing process alone, and `draw` must not be asynchronous:
 * parsers, for which it pays, are compiled before or after it.
 */
function unoptimised<Result>(draw: () => Result): Result {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  try {
    return draw();
  } finally {
    setFlagsFromString('--wasm-tier-up');
    setFlagsFromString('--wasm-dynamic-tiering');
  }
}
