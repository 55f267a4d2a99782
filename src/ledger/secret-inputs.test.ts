import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countOf, SEED } from '../../test/cases.ts';
import { cpuTimeOf } from '../../test/cpu-time.ts';
import { redact } from './redact.ts';

/** Programs that read a secret. */
const TAKERS = [
  ...['ssh-add -', 'docker login -u me --password-stdin', 'helm registry login --password-stdin x', 'npm login'],
  ...['gh auth login --with-token', 'gh secret set NAME', 'wrangler secret put NAME', 'fly secrets import'],
  ...['sudo -S ls', 'sudo -kS ls', 'sudo --stdin ls', 'chpasswd', 'sudo passwd --stdin me', 'smbpasswd -s', 'su -c ls'],
  ...['openssl rsa -passin stdin -in k', 'cryptsetup luksOpen /dev/x y', 'keyctl padd user k @u', 'vault login -'],
  ...['secret-tool store --label=x a b', 'pass insert -e x', 'gpg --batch --passphrase-fd 0 -d x', 'gpg --import'],
  ...['kubectl create secret generic x --from-file=k=/dev/stdin', 'gcloud secrets versions add x --data-file=-'],
  ...['htpasswd -i f u', 'mysql_config_editor set --password', 'rclone obscure -', 'read -rs PASSWORD', 'kinit me'],
];
/** Programs that read anything. */
const OTHERS = ['grep -n x', 'wc -l', 'tee out.txt', 'jq .', 'node server.js', 'kubectl apply -f -', 'sudo tee /etc/x'];
/** How they get it. */
const WAYS: readonly ((taker: string, text: string) => string)[] = [
  (taker, text) => `${taker} <<< ${text}`,
  (taker, text) => `${taker} <<<'${text}'`,
  (taker, text) => `${taker} <<< "$(echo ${text})"`,
  (taker, text) => `<<< ${text} ${taker}`,
  (taker, text) => `${taker} <<'E'\n${text}\nE`,
  (taker, text) => `${taker} <<-E\n\tuser\n\t${text}\n\tE\nls`,
  (taker, text) => `echo ${text} | ${taker}`,
  (taker, text) => `echo -n "${text}" | ${taker}`,
  (taker, text) => `printf '%s\\n' '${text}' | ${taker}`,
  (taker, text) => `cat <<< ${text} | ${taker}`,
  (taker, text) => `cat <<E | ${taker}\n${text}\nE`,
  (taker, text) => `echo ${text} | tr -d x | ${taker}`,
];
const AROUND: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `cd x && ${command}`,
  (command) => `ls; ${command}\nls`,
];

it('what a program reads that takes a secret from its input is not kept, and what others read is', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TAKERS),
      fc.constantFrom(...OTHERS),
      fc.constantFrom(...WAYS),
      fc.constantFrom(...AROUND),
      (taker, other, way, around) => {
        const taken = around(way(taker, 'hunter'));
        expect(redact(taken), taken).not.toContain('hunter');
        const kept = around(way(other, 'hunter'));
        expect(redact(kept)).toBe(kept);
      },
    ),
    { numRuns: countOf(2_000), seed: SEED },
  );
});

it('a variable stays, and a command for another shell is read too', () => {
  expect(redact('echo "$TOKEN" | docker login --password-stdin')).toContain('$TOKEN');
  expect(redact(`ssh h 'echo hunter | sudo -S ls'`)).not.toContain('hunter');
});

it('long texts take no longer than their length', () => {
  for (const part of ['sudo ', 'echo a | ', '<<E\n', `'`, '"', '$(', 'read -s <<< ', '\\', '| login <<< x ']) {
    const text = `secret ${part.repeat(Math.ceil(64_000 / part.length))}`;
    expect(
      cpuTimeOf(() => redact(text)),
      part,
    ).toBeLessThan(1_500);
  }
});
