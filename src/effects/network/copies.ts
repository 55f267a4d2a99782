import type { ShellWord } from '../../shell/command.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { archiveOf, looksLikeTree } from '../files/archives.ts';
import { baseName, hostOf, isRemotePath } from './hosts.ts';
import type { ReadTransfer, Transfer } from './transfer.ts';

/** Copying between here and there: the last operand is where to. */
function copyTransfer(
  operands: readonly ShellWord[],
  isThere: (value: string) => boolean,
  recursive: boolean,
): Transfer | undefined {
  const to = operands.at(-1);
  if (!to || operands.length < 2) return undefined;
  const sources = operands.slice(0, -1);
  const remote = sources.find(({ value }) => isThere(value));
  if (isThere(to.value)) {
    const files = sources.filter(({ value }) => !isThere(value) && value !== '-');
    return { host: hostOf(to.value), files, recursive, takesInput: sources.some(({ value }) => value === '-') };
  }
  if (!remote) return undefined;
  if (to.value === '-' || to.value === '/dev/stdout') return { host: hostOf(remote.value), brings: true };
  const inside = sources.map(({ value }) => `${to.value}/${baseName(value.slice(value.indexOf(':') + 1))}`);
  const isDir = /(?:^|\/)\.{0,2}$/.test(to.value);
  return { host: hostOf(remote.value), saves: isDir ? inside : looksLikeTree(to) ? [to, ...inside] : [to] };
}

const SCP: OptionSpec = { values: ['-c', '-D', '-F', '-i', '-J', '-l', '-o', '-P', '-S', '-X'] };

const readScp: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), SCP);
  return copyTransfer(options.operands, isRemotePath, options.has('-r'));
};

const RSYNC: OptionSpec = {
  values: [
    ...['-B', '-e', '-f', '-M', '-T', '--address', '--backup-dir', '--block-size', '--bwlimit', '--checksum-choice'],
    ...['--chmod', '--chown', '--compare-dest', '--compress-choice', '--compress-level', '--config', '--contimeout'],
    ...['--copy-as', '--copy-dest', '--debug', '--early-input', '--exclude', '--exclude-from', '--files-from'],
    ...['--filter', '--groupmap', '--iconv', '--include', '--include-from', '--info', '--link-dest', '--log-file'],
    ...['--log-file-format', '--max-alloc', '--max-delete', '--max-size', '--min-size', '--modify-window'],
    ...['--only-write-batch', '--out-format', '--outbuf', '--partial-dir', '--password-file', '--port', '--protocol'],
    ...['--read-batch', '--remote-option', '--rsh', '--rsync-path', '--sockopts', '--stop-after', '--stop-at'],
    ...['--suffix', '--temp-dir', '--timeout', '--usermap', '--write-batch'],
  ],
  flags: ['--archive', '--recursive', '--dry-run', '--list-only', '--no-recursive', '--delete', '--delete-before'],
};

const readRsync: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), RSYNC);
  if (options.has('-n', '--dry-run', '--list-only', '--help', '--version', '-V')) return undefined;
  const recursive = options.has('-a', '-r', '--archive', '--recursive') && !options.has('--no-recursive', '--no-r');
  return copyTransfer(options.operands, isRemotePath, recursive);
};

const isBucket = (value: string) => /^(?:s3|gs):\/\//.test(value);

const readAws: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), {
    values:
      '--profile --region --acl --exclude --include --content-type --cache-control --endpoint-url --sse --storage-class --metadata --output --query --body --bucket --key'.split(
        ' ',
      ),
    flags: ['--recursive', '--dryrun', '--delete', '--quiet'],
  });
  const [service, verb, ...rest] = options.operands;
  if (options.has('--dryrun')) return undefined;
  if (service?.value === 's3api' && verb?.value === 'put-object') {
    return { host: 's3', files: options.values('--body') };
  }
  if (service?.value !== 's3') return undefined;
  return verb && /^(?:cp|mv|sync)$/.test(verb.value)
    ? copyTransfer(rest, isBucket, verb.value === 'sync' || options.has('--recursive'))
    : undefined;
};

const readGsutil: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), { values: ['-o', '-h', '-a', '-x', '-j', '-z'] });
  const operands = options.operands[0]?.value === 'storage' ? options.operands.slice(1) : options.operands;
  const [verb, ...rest] = operands;
  if (verb?.value === 'cat') return { host: hostOf(rest[0]?.value ?? ''), brings: true };
  return verb && /^(?:cp|mv|rsync)$/.test(verb.value)
    ? copyTransfer(rest, isBucket, verb.value === 'rsync' || options.has('-r', '-R', '--recursive'))
    : undefined;
};

const readGcloud: ReadTransfer = (command) => (command.words[1]?.value === 'storage' ? readGsutil(command) : undefined);

const readRclone: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), {
    values: ['--config', '--include', '--exclude', '--filter', '--transfers', '--checkers', '--bwlimit', '--log-file'],
    flags: ['--dry-run', '--progress'],
  });
  const [verb, ...rest] = options.operands;
  if (options.has('-n', '--dry-run')) return undefined;
  switch (verb?.value) {
    case 'cat':
      return { host: hostOf(rest[0]?.value ?? ''), brings: true };
    case 'rcat':
      return { host: hostOf(rest[0]?.value ?? ''), takesInput: true };
    case 'copy':
    case 'sync':
    case 'move':
    case 'copyto':
    case 'moveto':
      return copyTransfer(rest, isRemotePath, true);
    default:
      return undefined;
  }
};

/** `put` and its kin in the scripts of ftp clients. */
function filesPut(script: string): string[] {
  const files: string[] = [];
  for (const line of script.split(/[\n;]/)) {
    const [verb, ...rest] = line.trim().split(/\s+/);
    if (verb === undefined || !/^(?:put|mput|send|reput|mirror)$/.test(verb)) continue;
    if (verb === 'mirror' && !rest.some((one) => one === '-R' || one === '--reverse')) continue;
    files.push(...rest.filter((one) => one !== '' && !one.startsWith('-')).slice(0, verb === 'mput' ? undefined : 1));
  }
  return files;
}

const readFtp: ReadTransfer = ({ words, input }) => {
  const options = readOptions(words.slice(1), { values: ['-e', '-c', '-u', '-p', '-b', '-i', '-o', '-P', '-F', '-J'] });
  const script = [...options.values('-e', '-c'), ...(options.operands[1] ? options.operands.slice(1) : [])];
  const texts = script.map(({ value }) => value);
  if (input?.kind === 'text') texts.push(input.text);
  const host = hostOf(options.operands[0]?.value ?? '');
  const files = texts.flatMap(filesPut).map(literalWord);
  return { host, files, recursive: true };
};

export function literalWord(value: string): ShellWord {
  return { text: value, value, known: true, glob: /[*?[]/.test(value), from: [] };
}

const readMail: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), {
    values: '-s -c -b -r -S -a -A -F -f -q -e -i -H --attach --subject --body --to --server'.split(' '),
  });
  const files = options.values('-a', '-A', '--attach').filter(({ value }) => !value.includes(':'));
  return {
    host: options.operands[0]?.value ?? '',
    files,
    texts: options.values('--body'),
    seen: options.values('-s', '--subject'),
    takesInput: true,
  };
};

const readGh: ReadTransfer = ({ words }) => {
  const [, group, verb] = words.map(({ value }) => value);
  if (group === 'api') {
    const options = readOptions(words.slice(2), {
      values: ['-f', '-F', '-H', '-X', '-q', '-t', '--field', '--raw-field', '--input', '--jq', '--method', '--header'],
    });
    const fields = options.values('-f', '-F', '--field', '--raw-field');
    const named = fields.flatMap((word) =>
      word.value.includes('=@') ? [{ ...word, value: word.value.slice(word.value.indexOf('=@') + 2) }] : [],
    );
    return { host: 'github.com', brings: true, files: [...named, ...options.values('--input')], seen: fields };
  }
  if (group === 'issue' || group === 'pr') {
    const options = readOptions(words.slice(3), {
      values: ['-b', '-t', '-F', '-l', '-a', '-R', '--body', '--title', '--body-file', '--label', '--repo'],
    });
    return {
      host: 'github.com',
      files: options.values('-F', '--body-file'),
      seen: options.values('-b', '-t', '--body', '--title'),
    };
  }
  if (group !== 'gist') return undefined;
  if (verb === 'view') return { host: 'github.com', brings: true };
  if (verb !== 'create' && verb !== 'new') return undefined;
  const options = readOptions(words.slice(3), { values: ['-d', '-f', '--desc', '--filename'] });
  const files = options.operands.filter(({ value }) => value !== '-');
  return { host: 'github.com', files, takesInput: files.length === 0 };
};

const readAz: ReadTransfer = ({ words }) => {
  if (!words.some(({ value }) => /^upload(?:-batch)?$/.test(value))) return undefined;
  const options = readOptions(words.slice(1), {
    values: '-f -s -c -n -d --file --source --name --container-name --account-name --destination'.split(' '),
  });
  return { host: 'azure', files: options.values('-f', '-s', '--file', '--source'), recursive: true };
};

/** Programs that hand files to whoever knows a phrase. */
const readHandOver: ReadTransfer = ({ words }) => {
  const options = readOptions(words.slice(1), { values: ['--code', '--text', '--relay', '--pass'] });
  const [verb, ...files] = options.operands;
  if (verb?.value !== 'send') return undefined;
  return { files, recursive: true, texts: options.values('--text'), takesInput: files.length === 0 };
};

const readTar: ReadTransfer = (command) => {
  const archive = archiveOf(command);
  if (archive?.to === undefined || archive.forceLocal || !isRemotePath(archive.to.value)) return undefined;
  return { host: hostOf(archive.to.value), files: archive.members, recursive: archive.recursive };
};

export const COPY_TRANSFERS: Readonly<Record<string, ReadTransfer>> = {
  scp: readScp,
  rsync: readRsync,
  sftp: readFtp,
  ftp: readFtp,
  lftp: readFtp,
  tftp: readFtp,
  aws: readAws,
  az: readAz,
  gsutil: readGsutil,
  gcloud: readGcloud,
  rclone: readRclone,
  mail: readMail,
  mailx: readMail,
  mutt: readMail,
  sendmail: readMail,
  msmtp: readMail,
  ssmtp: readMail,
  swaks: readMail,
  gh: readGh,
  tar: readTar,
  gtar: readTar,
  bsdtar: readTar,
  croc: readHandOver,
  wormhole: readHandOver,
};
