/** Programs that take a secret on their command line, and where in it. */
interface Client {
  readonly programs: string;
  /** What a text that calls them holds, where their names alone are in too many texts. */
  readonly hints?: readonly string[];
  /** Options whose value is secret, in the next word or, for one letter, in the rest of the same word. */
  readonly options?: string;
  /** Options whose value can only be in the same word. */
  readonly attached?: string;
  /** No value is written together with its option. */
  readonly apart?: true;
  /** Letters without a value, which may stand before the letter of an option in one word: `-sSu`. */
  readonly flags?: string;
  /** What must have been said before the option: `docker run -p` names a port. */
  readonly verb?: RegExp;
  /** Once this was said, operands are secret, but for the first `named` of them. */
  readonly after?: RegExp;
  readonly named?: number;
}

const LOGIN = / (?:login|signin)\b/;
const SECRET_KEY = /\bconfig(?: --?[\w-]+)*(?: set)? \S*(?:auth|token|passw|secret|http-basic|pypi|key)\S*$/i;

const CLIENTS: readonly Client[] = [
  {
    programs:
      'mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlslap mysqlpump mysqlsh mysqlbinlog mariadb mariadb-dump mariadb-admin mycli',
    options: '-p --password',
    flags: 'ABCEfGHILNnoqrstTvVwWX',
  },
  { programs: 'smbclient rpcclient smbget', options: '-U --user' },
  { programs: 'lftp', options: '-u --user' },
  { programs: 'ansible-vault', after: / encrypt_string$/ },
  { programs: 'rclone', hints: ['rclone'], after: / config (?:create|update|password) \S+ \S+$/ },
  {
    programs: 'snowsql sshpass cqlsh rdesktop ncftp ncftpput ncftpget twine psexec evil-winrm',
    options: '-p --password',
  },
  { programs: 'mongo mongosh mongodump mongorestore mongoimport mongoexport mongostat', options: '-p --password' },
  { programs: 'redis-cli keydb-cli valkey-cli redis-benchmark', options: '-a --pass' },
  {
    programs: 'docker podman nerdctl buildah skopeo helm oras crane regctl oc az gcloud cf heroku gh glab',
    hints: ['login', 'signin'],
    verb: LOGIN,
    options: '-p --password --passphrase --token --client-secret',
  },
  { programs: 'ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldapcompare', options: '-w' },
  { programs: 'ldappasswd', options: '-w -s -a' },
  { programs: 'sqlcmd bcp osql tsql ipmitool mosquitto_pub mosquitto_sub zip unzip', options: '-P --password' },
  { programs: 'plink pscp psftp', options: '-pw', apart: true },
  { programs: '7z 7za 7zr rar unrar', hints: ['7z', 'rar '], attached: '-p -hp' },
  {
    programs: 'keytool jarsigner apksigner',
    options: '-storepass -keypass -srcstorepass -deststorepass -destkeypass -new --ks-pass --key-pass',
    apart: true,
  },
  { programs: 'openssl', options: '-pass -passin -passout -password -k -K', apart: true },
  {
    programs: 'curl curlie',
    options: '-u --user -b --cookie --oauth2-bearer --pass --proxy-pass -U --proxy-user',
    flags: 'fsSLkgGiIjNOpqRvZ#0123456aBJlMn',
  },
  { programs: 'http https xh xhs', hints: ['http ', 'https ', 'xh ', 'xhs '], options: '-a --auth' },
  { programs: 'ssh-keygen', options: '-N -P' },
  { programs: 'snmpwalk snmpget snmpset snmpbulkwalk', options: '-A -X -c' },
  { programs: 'security', options: '-w -p -P', verb: / (?:add|import|unlock|create|set)\b/ },
  { programs: 'useradd usermod', options: '-p --password' },
  { programs: 'gpg gpg2', options: '--passphrase' },
  {
    programs: 'clickhouse-client influx svn wget aria2c',
    options: '--password -password --http-password',
    apart: true,
  },
  { programs: 'gh', hints: ['secret'], options: '-b --body', verb: / secret\b/ },
  {
    programs: 'kubectl',
    options: '--from-literal --token --password --docker-password',
    verb: / (?:create|config|login)\b/,
  },
  { programs: 'aws', hints: ['configure set'], after: / configure set$/, named: 1 },
  { programs: 'aws', hints: ['--secret-string', 'put-parameter'], options: '--secret-string' },
  { programs: 'aws', hints: ['put-parameter'], options: '--value', verb: / put-parameter\b/ },
  { programs: 'az', hints: ['keyvault'], options: '--value', verb: / keyvault\b/ },
  { programs: 'rclone', hints: ['obscure'], after: / obscure$/ },
  { programs: 'bw', hints: ['bw unlock', 'bw login'], after: / (?:unlock|login \S+)$/ },
  { programs: 'npm pnpm yarn poetry git composer bundle pip helm', hints: ['config'], after: SECRET_KEY },
  { programs: 'vault', after: / (?:login|kv put \S+|write \S+)$/ },
  { programs: 'cargo', hints: ['login'], after: / login$/ },
  { programs: 'heroku', after: / config:set$/ },
  {
    programs: 'fly flyctl doppler railway netlify',
    hints: ['secrets', 'variables', 'env:set', 'env set'],
    after: / (?:secrets|variables|env)[: ](?:set|import)$/,
  },
  { programs: 'htpasswd', after: / -\w*b\w*$/, named: 2 },
  { programs: 'rabbitmqctl', after: / (?:add_user|change_password|authenticate_user)$/, named: 1 },
  { programs: 'wpa_passphrase', after: /^\S+$/, named: 1 },
  { programs: 'nmcli', after: / password$/ },
];

const BY_PROGRAM = new Map<string, Client[]>();
for (const client of CLIENTS)
  for (const name of client.programs.split(' ')) BY_PROGRAM.set(name, [...(BY_PROGRAM.get(name) ?? []), client]);

/** A text without any of these calls none of the programs. */
export const CLIENT_HINTS: readonly string[] = CLIENTS.flatMap(({ programs, hints }) => hints ?? programs.split(' '));

const PROGRAM = new RegExp(`(?<![\\w.-])(?:${[...BY_PROGRAM.keys()].join('|')})(?=[ \\t])`, 'g');
/** A word as a shell reads it, or the space between two; a quote that nothing closes is a character like others. */
const WORD = /[ \t]+|(?:\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|[^\s;|&()`\\])+/y;
const MOST_WORDS = 200;

/** Takes out the secrets that programs are given as options or operands. */
export function redactOptions(text: string): string {
  let clean = '';
  let done = 0;
  PROGRAM.lastIndex = 0;
  for (let match = PROGRAM.exec(text); match !== null; match = PROGRAM.exec(text)) {
    const { cuts, end } = readCall(text, match[0], PROGRAM.lastIndex);
    for (const [from, to] of cuts) {
      clean += `${text.slice(done, from)}[redacted]`;
      done = to;
    }
    PROGRAM.lastIndex = end;
  }
  return done === 0 ? text : clean + text.slice(done);
}

type Cut = readonly [from: number, to: number];

/** Reads a simple command on from its program. A program that it runs takes over with its own options. */
function readCall(
  text: string,
  program: string,
  from: number,
): { readonly cuts: readonly Cut[]; readonly end: number } {
  const cuts: Cut[] = [];
  let call = createCall(program);
  let at = from;
  for (let count = 0; count < MOST_WORDS; count += 1) {
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[0];
    if (word === undefined) break;
    if (word.trim() !== '') {
      const name = word.slice(word.lastIndexOf('/') + 1);
      if (BY_PROGRAM.has(name) && !call.wants()) call = createCall(name);
      else {
        const { bare, places } = unquote(word);
        const kept = call.keepsOf(bare);
        const keeps = kept >= bare.length ? word.length : (places[kept] ?? 0);
        if (keeps < word.length && !isReference(word.slice(keeps))) cuts.push([at + keeps, at + endOf(word)]);
      }
    }
    at += word.length;
  }
  return { cuts, end: at };
}

/** The word as its program gets it, and where each of its characters stands in the text. */
function unquote(word: string): { readonly bare: string; readonly places: readonly number[] } {
  if (!/["'\\]/.test(word)) return { bare: word, places: Array.from(word, (_, at) => at) };
  let bare = '';
  let quote = '';
  const places: number[] = [];
  for (let at = 0; at < word.length; at += 1) {
    const char = word[at] as string;
    if (quote === '' ? char === '"' || char === "'" : char === quote) {
      quote = quote === '' ? char : '';
      continue;
    }
    if (char === '\\' && quote !== "'" && at + 1 < word.length) at += 1;
    places.push(bare === '' ? 0 : at);
    bare += word[at] as string;
  }
  return { bare, places };
}

interface Call {
  /** Whether the next word is a secret. */
  wants(): boolean;
  /** How many characters at the beginning of a word are no secret. */
  keepsOf(word: string): number;
}

const MOST_SAID = 200;

function createCall(program: string): Call {
  const clients = BY_PROGRAM.get(program) ?? [];
  let said = program;
  let wanted = false;
  let mark: Client | undefined;
  let operands = 0;
  return {
    wants: () => wanted,
    keepsOf(word) {
      const isOption = word.startsWith('-');
      if (wanted && !isOption) {
        wanted = false;
        return 0;
      }
      wanted = false;
      for (const client of isOption ? clients : []) {
        if (client.verb?.test(said) === false) continue;
        const keeps = optionIn(word, client);
        if (keeps === undefined) continue;
        wanted = keeps === word.length && client.attached === undefined;
        return keeps;
      }
      if (mark && !isOption) {
        operands += 1;
        return operands <= (mark.named ?? 0)
          ? word.length
          : (/^["']?[A-Za-z_][\w.-]{0,40}=(?!=?$)/.exec(word)?.[0].length ?? 0);
      }
      if (said.length < MOST_SAID) said += ` ${word.slice(0, MOST_SAID)}`;
      mark ??= clients.find(({ after }) => after?.test(said));
      return word.length;
    },
  };
}

/** How much of the word is an option with a secret behind it; undefined when it is none. */
function optionIn(word: string, { options = '', attached = '', apart, flags }: Client): number | undefined {
  const [exact, together] = [options.split(' '), attached === '' ? [] : attached.split(' ')];
  if (exact.includes(word)) return word.length;
  const equals = word.indexOf('=');
  if (equals > 0 && exact.includes(word.slice(0, equals))) return equals + 1;
  if (word.startsWith('--') || apart) return undefined;
  const letters = [...together, ...exact.filter((option) => option.length === 2)];
  const joined = letters.find((option) => word.startsWith(option) && word.length > option.length)?.length;
  if (joined !== undefined || flags === undefined) return joined;
  let at = 1;
  while (flags.includes(word[at] ?? ' ')) at += 1;
  return letters.includes(`-${word[at] ?? ''}`) ? at + 1 : undefined;
}

/** A variable or a command in the value's place is no secret. */
function isReference(value: string): boolean {
  return /^["']?\$(?:\{?\w+\}?["']?$|\()/.test(value);
}

/** Without a quote that was opened before the program and ends behind the value. */
function endOf(word: string): number {
  return /^[^'"]+['"]$/.test(word) ? word.length - 1 : word.length;
}
