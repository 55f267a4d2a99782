import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { InitInput } from '@resvg/resvg-wasm';
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const BITS = 8;
const COLOUR = 2;

/**
 * Opaque pixels of four bytes each as PNG without transparency. Pictures of flat colours get smaller without any of
 * the filters that photographs need.
 */
function encodePng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  let to = 0;
  let from = 0;
  for (let y = 0; y < height; y += 1) {
    to += 1;
    for (let x = 0; x < width; x += 1) {
      rows[to] = pixels[from] as number;
      rows[to + 1] = pixels[from + 1] as number;
      rows[to + 2] = pixels[from + 2] as number;
      to += 3;
      from += 4;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = BITS;
  header[9] = COLOUR;
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from(SIGNATURE), ...chunks]);
}

function chunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
}

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
