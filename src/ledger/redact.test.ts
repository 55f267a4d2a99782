import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { cutTexts, mayHoldSecret, redact, redactValue, shorten, redactAnswer } from './redact.ts';
import { CALLS } from './secret-calls.fixture.ts';

const A40 = 'abcdefghij0123456789ABCDEFGHIJ0123456789';

describe('redact', () => {
  it.each<readonly [string, string, string]>([
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', 'MIIE'],
    ['a private key that was cut', 'x -----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb\nc3No', 'b3Blb'],
    ['a cloud access key', 'id AKIAIOSFODNN7EXAMPLE here', 'AKIAIOSFODNN7EXAMPLE'],
    ['a temporary access key', 'ASIAIOSFODNN7EXAMPLE', 'ASIAIOSFODNN7EXAMPLE'],
    ['a personal token', `git clone https://ghp_${A40.slice(0, 36)}@host/x`, `ghp_${A40.slice(0, 10)}`],
    ['a fine-grained token', `github_pat_${A40}_${A40}`, A40],
    ['a forge token', `glpat-${A40.slice(0, 20)}`, A40.slice(0, 20)],
    ['a model key', `sk-ant-api03-${A40}-xy`, A40],
    ['a payment key', `sk_live_${A40.slice(0, 24)}`, A40.slice(0, 24)],
    ['a chat token', 'xoxb-1234567890-abcdefghij', '1234567890-abcdefghij'],
    ['a browser key', `AIza${A40.slice(0, 35)}`, A40.slice(0, 35)],
    ['a browser key that ends in a dash', `"AIza${A40.slice(0, 34)}-"`, A40.slice(0, 34)],
    ['a signed token', `eyJ${A40}.eyJ${A40}.${A40}`, A40],
    ['a registry token', `//host/:_authToken=npm_${A40.slice(0, 36)}`, A40.slice(0, 30)],
    ['a hub token', `hf_${A40.slice(0, 34)}`, A40.slice(0, 30)],
    ['a header', 'curl -H "Authorization: Bearer opaque-value-1"', 'opaque-value-1'],
    ['a header in a program', `{ 'Authorization': 'Bearer opaque-value-1' }`, 'opaque-value-1'],
    ['a header in a text inside JSON', '{\\"Authorization\\": \\"Basic b3BhcXVlOnZhbHVl\\"}', 'b3BhcXVl'],
    ['a password in an address', 'postgres://user:s3cr3tpw@db.example/x', 's3cr3tpw'],
    ['an assignment', 'export DB_PASSWORD=s3cr3tpw; run', 's3cr3tpw'],
    ['an option', 'mysql --password=s3cr3tpw db', 's3cr3tpw'],
    ['a quoted value with spaces', `password: "correct horse battery"`, 'horse'],
    ['a short quoted value', `"password": "abc"`, 'abc'],
    ['JSON', '{"client_secret":"s3cr3tvalue"}', 's3cr3tvalue'],
    ['JSON inside a text', '{\\"apiKey\\":\\"s3cr3tvalue\\"}', 's3cr3tvalue'],
    ['YAML', 'api-key: s3cr3tvalue', 's3cr3tvalue'],
    ['an environment file', 'GITHUB_TOKEN=opaque0value', 'opaque0value'],
    ['the secret half of a cloud key', 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalrXUtn'],
    ['a short name for a password', 'MYSQL_PWD=s3cr3tpw mysql; DB_PASS="s3cr3tpw"', 's3cr3tpw'],
    ['an option with its value beside it', "tool --password s3cr3tpw --token 's3cr3tpw'", 's3cr3tpw'],
    ['a storage key', `AccountName=a;AccountKey=${A40}==;`, A40],
    ['an encryption key', `AGE-SECRET-KEY-1${A40.toUpperCase()}${A40.toUpperCase().slice(0, 18)}`, A40.toUpperCase()],
    [
      'the address of a chat',
      `https://hooks.slack.com/services/T01ABCDEF/B02ABCDEF/${A40.slice(0, 24)}`,
      A40.slice(0, 24),
    ],
    ['that of another', `https://discord.com/api/webhooks/123456789/${A40}`, A40],
    ['a session in a header', "curl -H 'Cookie: sid=hunter; theme=dark' https://x", 'hunter'],
    ['a session that a server sets', 'Set-Cookie: sid=hunter; Path=/', 'hunter'],
    ['a header of another scheme', 'Authorization: Digest username="x", response="hunter"', 'username'],
    ['a header without a scheme', 'Authorization: hunterhunter', 'hunterhunter'],
    ...['pass', 'PASS', 'db_pass', 'dbPass', 'pwd', 'userPwd', 'pin', 'cardPin', 'auth', 'x-auth', 'passcode'].flatMap(
      (name) =>
        [`{"${name}":"hunter"}`, `${name}=hunter`, `${name}: hunter`, `{\\"${name}\\":\\"hunter\\"}`].map(
          (text) => [`the field ${name}`, text, 'hunter'] as const,
        ),
    ),
    ['a number', '{"pin": 4711}', '4711'],
    ...CALLS.map((text) => [text, text, 'hunter'] as const),
    ...CALLS.map((text) => [`${text}, nested`, `cd x && bash -c "${text.replaceAll('"', '')}"; ls`, 'hunter'] as const),
  ])('takes out %s', (_, text, secret) => {
    expect(text).toContain(secret);
    const clean = redact(text);
    expect(clean).not.toContain(secret);
    expect(clean).toContain('[redacted');
  });

  it.each([
    'the key to the door',
    'AKIA is how such ids start',
    'ghp_short',
    'task-force-one-hundred-and-one',
    'desk-lamp-on-the-left-side-of-it',
    'eyJ is how they start',
    'https://example.com:8080/path@2x.png',
    'git@github.com:owner/repo.git',
    'ssh://git@example.com/repo',
    'the password is wrong',
    'password=',
    'if (token == 0) return',
    'give it --password, or --token from the file',
    'tests_pass=12 of 12, and the rest in old_pwd=.',
    'https://hooks.slack.com/',
    'docker run -p 8080:80 nginx && mkdir -p mysql/data',
    'docker run -d -p 3306:3306 mysql',
    'mysql -u root -p"$DB_PASS" db && sshpass -p "${PW}" ssh x',
    'aws configure list; npm config set fund false; git config user.name Somebody',
    'PWD=/home/me OLDPWD=/tmp make; bypass=true; mapping: value; author: somebody; compass="north"',
    'pass: true, auth: null, pin: 0',
    'The tests pass; the author is spinning.',
    '-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----',
    '0123456789abcdef0123456789abcdef01234567',
  ])('leaves %j alone', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('names what it found once', () => {
    expect(redact(`TOKEN=ghp_${A40} rest`)).toBe('TOKEN=[redacted token] rest');
  });

  it('keeps what stands around a secret', () => {
    expect(redact('DB_PASSWORD=s3cr3tpw; next')).toBe('DB_PASSWORD=[redacted]; next');
    expect(redact('postgres://user:s3cr3tpw@db.example/x')).toBe('postgres://user:[redacted]@db.example/x');
  });

  /** Ten times the text may take longer than that on a busy machine, but never the hundred times of a square. */
  it.each([
    ['-'],
    ['a-'],
    ['eyJ'],
    ['eyJ-'],
    ['eyJaaaaaaaaaaa.'],
    ['sk-'],
    ['token'],
    ['token='],
    ['token="'],
    ["password: '"],
    ['a:'],
    ['a://'],
    ['a://b:'],
    ['authorization: '],
    ['-----BEGIN PRIVATE KEY-----'],
    ['\\"'],
    [' '],
    ['xoxb-'],
    ['[redacted'],
    ['mysql -p'],
    ['mysql '],
    ['pass='],
    ['aPass='],
    ['echo |'],
    ['echo a '],
    ["'"],
    ['git config '],
    ['cookie:'],
    ['--a-'],
    ['sudo -S '],
  ])('takes time in proportion to a text of %j', (piece) => {
    const small = piece.repeat(Math.ceil(20_000 / piece.length));
    const time = (text: string) => {
      const started = performance.now();
      redact(text);
      return performance.now() - started;
    };
    time(small);
    const once = Math.min(time(small), time(small), time(small));
    const large = small.repeat(10);
    expect(Math.min(time(large), time(large))).toBeLessThan(Math.max(once, 5) * 40);
  });
});

describe('shorten', () => {
  it.each([
    ['short', 10, 'short'],
    ['0123456789abcdef', 10, '0123456789 [+6 characters]'],
    [`12345 ghp_${A40}`, 20, '12345 [redacted toke [+30 characters]'],
  ])('%s to %i', (text, length, expected) => {
    expect(shorten(text, length)).toBe(expected);
  });

  it('recognises a secret that lies across the cut', () => {
    const text = `${'x'.repeat(95)} ghp_${A40} ${'y'.repeat(20_000)}`;
    expect(shorten(text, 100)).not.toContain('ghp_');
  });
});

describe('redactValue', () => {
  it('goes into every depth, and keeps what is no text', () => {
    expect(redactValue({ a: [{ b: 'password=s3cr3tpw' }], n: 1, t: true, z: null, big: 10n }, 100)).toEqual({
      a: [{ b: 'password=[redacted]' }],
      n: 1,
      t: true,
      z: null,
      big: '10',
    });
  });

  it.each([
    'password',
    'Passwd',
    'client_secret',
    'apiKey',
    'api-key',
    'x-api-key',
    'private_key',
    'token',
    'access_token',
    'refreshToken',
    'authToken',
    'credentials',
    'Authorization',
    'cookie',
    'pass',
    'dbPass',
    'DB_PWD',
    'pin',
    'auth',
    'x-auth',
  ])('takes out the value of %s whatever it looks like', (key) => {
    expect(redactValue({ [key]: 'opaque' }, 100)).toEqual({ [key]: '[redacted]' });
    expect(JSON.stringify(redactValue({ [key]: { a: ['opaque'] } }, 100))).not.toContain('opaque');
    expect(mayHoldSecret(JSON.stringify({ [key]: 'opaque' }))).toBe(true);
  });

  it.each([
    { name: 'password', value: 'opaque' },
    { key: 'API_KEY', value: 'opaque' },
    { fields: [{ id: 'x' }, { fieldName: 'userPwd', text: 'opaque' }] },
    { env: [{ name: 'DB_PASS', value: { plain: 'opaque' } }] },
    { headers: [['Authorization', 'opaque']] },
  ])('takes out what a pair names: %j', (value) => {
    expect(JSON.stringify(redactValue(value, 100))).not.toContain('opaque');
    expect(mayHoldSecret(JSON.stringify(value))).toBe(true);
  });

  it('leaves other pairs alone', () => {
    const value = { name: 'colour', value: 'blue', list: ['a', 'b'], type: 'text', text: 'x' };
    expect(redactValue(value, 100)).toEqual(value);
  });

  it('takes out a number under such a name, unless it counts', () => {
    expect(redactValue({ pin: 4711, max_tokens: 4096 }, 100)).toEqual({ pin: '[redacted]', max_tokens: 4096 });
  });

  it.each([
    'bypass',
    'author',
    'mapping',
    'spin',
    'tokens_used',
    'keyboard',
    'passwords_changed_at',
    'file_path',
    'command',
  ])('leaves %s alone', (key) => {
    expect(redactValue({ [key]: 'opaque' }, 100)).toEqual({ [key]: 'opaque' });
  });

  it('bounds lists, keys and depth', () => {
    expect(
      redactValue(
        Array.from({ length: 150 }, () => 1),
        10,
      ),
    ).toHaveLength(101);
    expect(
      Object.keys(redactValue(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`k${at}`, 1])), 10) as object),
    ).toHaveLength(200);
    const loop: Record<string, unknown> = {};
    loop['again'] = loop;
    expect(JSON.stringify(redactValue(loop, 10))).toContain('[deeper]');
  });
});

describe('the answer kept for a second delivery', () => {
  const TOKEN = `ghp_${'a'.repeat(36)}`;
  it.each([
    ['nothing secret', { action: 'deny', reason: 'No.' }, { action: 'deny', reason: 'No.' }],
    [
      'a secret in the reason',
      { action: 'deny', reason: `Not \`curl -H 'Authorization: Bearer ${TOKEN}'\`` },
      { action: 'deny', reason: "Not `curl -H 'Authorization: Bearer [redacted token]'`" },
    ],
    [
      'an input that is the same without secrets',
      { action: 'rewrite', input: { command: 'ls' } },
      { action: 'rewrite', input: { command: 'ls' } },
    ],
    ['a secret in what the agent is to run', { action: 'rewrite', input: { command: `echo ${TOKEN}` } }, undefined],
  ])('%s', (_, decision, expected) => {
    const kept = redactAnswer(JSON.stringify({ content: 'c', decision }));
    expect(kept === undefined ? undefined : JSON.parse(kept)).toEqual(expected && { content: 'c', decision: expected });
  });
});

describe('one look at the whole', () => {
  const pieces = fc.constantFrom(
    'pass',
    'w',
    'sec',
    'ret',
    'k',
    'ey',
    'to',
    'ken',
    ':',
    '//',
    'AK',
    'IA',
    'ghp',
    '_',
    '-',
    'u ',
    'xO',
    'x',
    ' ',
    'é',
    ...[
      'mysql ',
      '-p',
      'pw1234',
      'docker ',
      'login ',
      '=',
      '"',
      'pin',
      'auth',
      'Auth',
      'echo ',
      '| ',
      'sudo -S',
      '<<< ',
    ],
    ...['aws ', 'configure set ', 'git ', 'config ', 'cookie', 'redis-cli ', '-a ', '\\"', '7z ', 'zip ', '-P '],
  );

  it('never misses what would be redacted', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        expect(mayHoldSecret(text) || redact(text) === text).toBe(true);
      }),
    );
  });

  it.each([
    ['password=hunter22'],
    ['PASSWORD=hunter22'],
    [`AKIAIOSFODNN7EXAMPLE`],
    [`npm_${A40}`],
    ['{"Set-Cookie":"a=b"}'],
    ['x -u me:pw'],
  ])('sees %s', (text) => {
    expect(mayHoldSecret(text)).toBe(true);
  });

  it('sees what betrays a secret that is cut', () => {
    fc.assert(
      fc.property(fc.nat(60), (length) => {
        const text = `export TOKEN=${A40}`;
        const kept = cutTexts({ text }, length) as { text: string };
        expect(mayHoldSecret(kept.text) || !kept.text.includes('=a')).toBe(true);
      }),
    );
  });
});

describe('cutTexts', () => {
  it('leaves what is short as it is', () => {
    const value = { a: 'short', list: ['x', { b: 1 }], none: null };
    expect(cutTexts(value, 10)).toBe(value);
  });

  it('cuts as redaction does, wherever no secret is', () => {
    const value = {
      a: 'y'.repeat(50),
      list: [{ b: 'z'.repeat(50) }],
      many: Array.from({ length: 120 }, (_, at) => at),
      deep: { n: 1n },
    };
    expect(cutTexts(value, 10)).toEqual(redactValue(value, 10));
  });
});
