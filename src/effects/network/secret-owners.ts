/** Whose credentials a variable holds, by the beginning of its name, and the hosts they are for. */
const OWNERS: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:GITHUB|GH)_/, /github|ghcr\.io/],
  [/^(?:GITLAB|CI_JOB)_/, /gitlab/],
  [/^AWS_/, /amazonaws|aws/],
  [/^(?:AZURE|ARM)_/, /azure|microsoft|windows\.net/],
  [
    /^(?:GOOGLE|GCP|GCLOUD|GEMINI|FIREBASE)_/,
    /google|firebase|gstatic|\.run\.app$|\.a\.run\.app|appspot|cloudfunctions/,
  ],
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

/** The service at `host` is the one that the variable's secret is for. */
export function isMeantFor(name: string, host: string): boolean {
  return ownerOf(name)?.test(host) === true;
}

/** The variable's secret is for a service, and not for the one at `host`. */
export function isMeantForOther(name: string, host: string): boolean {
  return ownerOf(name)?.test(host) === false;
}

function ownerOf(name: string): RegExp | undefined {
  return OWNERS.find(([prefix]) => prefix.test(name))?.[1];
}
