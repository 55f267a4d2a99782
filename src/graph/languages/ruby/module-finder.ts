import type { FileFacts } from '../../model/facts.ts';
import { below, directoryOf, join, upwards } from '../../model/paths.ts';
import type { World } from '../../resolve/world.ts';
import { listedFile } from '../../resolve/listed-file.ts';
import type { ModuleFinder } from '../module-finder.ts';

/** What comes with the language; asking the project for these would be in vain. */
const STANDARD = new Set(
  (
    'abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate digest drb English erb etc fiddle fileutils ' +
    'find forwardable getoptlong io ipaddr irb json logger matrix minitest monitor mutex_m net objspace observer open3 ' +
    'open-uri openssl optparse ostruct pathname pp prettyprint prime pstore psych racc rake rbconfig rdoc readline reline ' +
    'resolv rexml rinda ripper rubygems securerandom set shellwords singleton socket stringio strscan syslog tempfile ' +
    'test time timeout tmpdir tracer tsort un uri weakref webrick yaml zlib'
  ).split(' '),
);

export const ruby: ModuleFinder = {
  find(world, from, module) {
    const directory = directoryOf(from.path);
    if (module.startsWith('/')) return 'outside';
    if (module.startsWith('./') || module.startsWith('../')) {
      const found = fileAt(world, directory, module);
      return found ? [found] : 'missing';
    }
    if (STANDARD.has(module.split('/')[0] ?? '')) return 'outside';
    for (const around of upwards(directory)) {
      const found = fileAt(world, below(around, 'lib'), module) ?? fileAt(world, around, module);
      if (found) return [found];
    }
    return 'outside';
  },
};

function fileAt(world: World, directory: string, module: string): FileFacts | undefined {
  const path = join(directory, module);
  if (path === undefined) return undefined;
  const file = listedFile(world, /\.\w+$/.test(path) ? path : `${path}.rb`);
  return file?.language === 'ruby' ? file : undefined;
}
