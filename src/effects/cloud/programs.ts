import { CONTAINER_PROGRAMS } from './containers.ts';
import { INFRASTRUCTURE_PROGRAMS } from './infrastructure.ts';
import { PLATFORM_PROGRAMS } from './platforms.ts';
import { PROVIDER_PROGRAMS } from './providers.ts';
import type { ProgramTable, ReadEffects } from '../scene.ts';
import { readOptions } from '../../shell/options.ts';
import { NONE } from '../words/arguments.ts';
import { hostOf, isOwnHost } from '../network/hosts.ts';
import { isScratchDatabase } from '../paths/scratch-names.ts';
import { CURL } from '../network/curl.ts';

/** Search engines keep their data behind plain requests on this port. */
const SEARCH_ENGINE = /^(?:[a-z]+:\/\/)?[^/]*:9200\/([^/?#]*)/i;

/** `curl -X DELETE`: what an address names is removed on the other end. */
const readCurl: ReadEffects = (command, scene) => {
  const options = readOptions(command.words.slice(1), CURL);
  const [method] = options.values('-X', '--request').slice(-1);
  if (method?.value.toUpperCase() !== 'DELETE') return NONE;
  return [...options.operands, ...options.values('--url')].flatMap(({ value, text }) => {
    const index = SEARCH_ENGINE.exec(value)?.[1];
    if (index !== undefined && index !== '' && !isScratchDatabase(index)) {
      const target = index === '_all' || index === '*' ? 'every index' : `the index ${index}`;
      return [scene.effect(command, { kind: 'destroy-data', how: 'drop', target })];
    }
    const host = hostOf(value);
    if (isOwnHost(host)) return [];
    return [
      scene.effect(command, { kind: 'destroy-cloud', how: 'http-delete', target: text, ...(host !== '' && { host }) }),
    ];
  });
};

const HTTP_DELETE_PROGRAMS: ProgramTable = { curl: readCurl };

export const CLOUD_PROGRAMS: ProgramTable = {
  ...CONTAINER_PROGRAMS,
  ...INFRASTRUCTURE_PROGRAMS,
  ...PLATFORM_PROGRAMS,
  ...PROVIDER_PROGRAMS,
  ...HTTP_DELETE_PROGRAMS,
};
