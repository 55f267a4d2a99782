import type { ShellWord } from '../../shell/command.ts';

/** Whose credentials a variable holds, by the beginning of its name, and the hosts they are for. */
const OWNERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:GITHUB|GH)_/, /github|ghcr\.io/],
  [/^(?:GITLAB|CI_JOB)_/, /gitlab/],
  [/^AWS_/, /amazonaws|aws/],
  [/^(?:AZURE|ARM)_/, /azure|microsoft|windows\.net/],
  [/^(?:GOOGLE|GCP|GCLOUD|GEMINI|FIREBASE)_/, /google|firebase|gstatic/],
  [/^(?:NPM|NODE_AUTH)_/, /npm|github/],
  [/^(?:PYPI|TWINE)_/, /pypi/],
  [/^DOCKER(?:HUB)?_/, /docker/],
  [/^OPENAI_/, /openai/],
  [/^ANTHROPIC_/, /anthropic/],
  [/^(?:HF|HUGGINGFACE|HUGGING_FACE)_/, /huggingface|\bhf\./],
  [/^STRIPE_/, /stripe/],
  [/^SLACK_/, /slack/],
  [/^(?:CLOUDFLARE|CF)_/, /cloudflare/],
  [/^DIGITALOCEAN_/, /digitalocean/],
  [/^HEROKU_/, /heroku/],
  [/^VERCEL_/, /vercel/],
  [/^SENTRY_/, /sentry/],
  [/^VAULT_/, /vault/],
  // What opens a project's own database or signs its sessions is for no service at all.
  [/^(?:DB|DATABASE|POSTGRES|PG|MYSQL|MONGO|REDIS|JWT|SECRET_KEY|SESSION|SSH|PRIVATE_KEY)/, /^$/],
];
const HOLDS_SECRET =
  /SECRET|TOKEN|PASSW|(?:^|_)(?:KEY|PAT|PWD|CREDENTIALS?)(?:_|$)|PRIVATE_KEY|^(?:DATABASE|MONGO\w*|REDIS)_URL$/;
const VARIABLE = /\$\{?([A-Z][A-Z0-9_]{3,63})(?![A-Z0-9_])/g;

/** The variable in the word whose secret belongs to another service than the one at `host`. */
export function strayVariable({ text, known }: ShellWord, host: string): string | undefined {
  if (known || host === '' || !text.includes('$')) return undefined;
  for (const [, name = ''] of text.matchAll(VARIABLE)) {
    const owner = HOLDS_SECRET.test(name) ? OWNERS.find(([prefix]) => prefix.test(name)) : undefined;
    if (owner && !owner[1].test(host)) return name;
  }
  return undefined;
}
