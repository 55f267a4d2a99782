import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { isMeantForOther } from '../network/secret-owners.ts';

const HOLDS_SECRET =
  /SECRET|TOKEN|PASSW|(?:^|_)(?:KEY|PAT|PWD|CREDENTIALS?)(?:_|$)|PRIVATE_KEY|^(?:DATABASE|MONGO\w*|REDIS)_URL$/;

/** The variable in the word whose secret belongs to another service than the one at `host`. */
export function strayVariable({ env = [] }: Pick<ShellWord, 'env'>, host: string): string | undefined {
  return env.find((name) => isStray(name, host));
}

/** The secret of the variable is known to be for another service. */
export function isStray(name: string, host: string): boolean {
  return HOLDS_SECRET.test(name) && host !== '' && isMeantForOther(name, host);
}

/** Commands that print a token, and the variable that it would be kept in. */
const PRINTERS: readonly (readonly [RegExp, string])[] = [
  [/^gh auth token/, 'GITHUB_TOKEN'],
  [/^glab auth token/, 'GITLAB_TOKEN'],
  [/^gcloud (?:\S+ )?auth (?:application-default )?print-(?:access|identity)-token/, 'GOOGLE_TOKEN'],
  [/^az account get-access-token/, 'AZURE_TOKEN'],
  [
    /^aws (?:ecr get-login-password|sts (?:get-session-token|assume-role)|codeartifact get-authorization-token)/,
    'AWS_TOKEN',
  ],
  [/^(?:fly|flyctl) (?:auth token|tokens create)/, 'FLY_API_TOKEN'],
  [/^heroku auth:token/, 'HEROKU_API_KEY'],
  [/^(?:kubectl|oc) (?:create token|whoami -t)/, 'KUBE_TOKEN'],
  [/^(?:doctl auth token|vercel token|netlify token|supabase token)/, 'ACCESS_TOKEN'],
  [/^(?:docker-credential-\S+|git credential(?:-\S+)?) (?:get|fill)/, 'GIT_TOKEN'],
];

/** The name for a token that the command prints. */
export function printedToken({ program, words }: ShellCommand): string | undefined {
  if (
    !/^(?:gh|glab|gcloud|az|aws|fly|flyctl|heroku|kubectl|oc|doctl|vercel|netlify|supabase|git|docker-credential)/.test(
      program,
    )
  )
    return undefined;
  const text = [program, ...words.slice(1, 5).map(({ value }) => value)].join(' ');
  return PRINTERS.find(([form]) => form.test(text))?.[1];
}

export function isTokenName(name: string): boolean {
  return /^[A-Z_]+$/.test(name) && HOLDS_SECRET.test(name);
}

/** The variable in the word, or in a text, that holds a secret by its name. */
export function secretVariable({ env = [] }: Pick<ShellWord, 'env'>): string | undefined {
  return env.find((name) => HOLDS_SECRET.test(name));
}
