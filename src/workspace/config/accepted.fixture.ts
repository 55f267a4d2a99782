import { nodeFiles } from '../../platform/files.ts';
import type { HomePaths } from '../../platform/paths.ts';
import { acceptAll, entriesOf } from './accepted.ts';
import { parseConfig } from './parse.ts';

/** Records a config as the one that the person has accepted, as the verbs do with what they write. */
export function acceptConfig(text: string, { state }: Pick<HomePaths, 'state'>): void {
  const { config = {} } = parseConfig(text, 'config.yaml');
  acceptAll(entriesOf({ config, files: [] }, {}), { files: nodeFiles, state });
}
