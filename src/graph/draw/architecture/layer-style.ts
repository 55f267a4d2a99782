import { TINTS } from '../theme.ts';
import type { LayerName } from './layers.ts';

export interface LayerStyle {
  readonly title: string;
  readonly meaning: string;
  /** What holds where circles blur it. */
  readonly roughly: string;
  /** Readable on the band and on cards. */
  readonly accent: string;
  /** Of lines and borders. */
  readonly soft: string;
  readonly band: string;
}

export const STYLES: Readonly<Record<LayerName, LayerStyle>> = {
  entry: {
    title: 'Entry',
    meaning: 'imported by none',
    roughly: 'mostly imports',
    accent: '#1d5fb8',
    soft: '#7fa8dd',
    band: TINTS.blue,
  },
  core: {
    title: 'Core',
    meaning: 'between the two',
    roughly: 'between the two',
    accent: '#0b6b62',
    soft: '#63aba3',
    band: TINTS.green,
  },
  foundation: {
    title: 'Foundation',
    meaning: 'imports none',
    roughly: 'mostly imported',
    accent: '#7a3fb0',
    soft: '#b08fd3',
    band: TINTS.violet,
  },
};
