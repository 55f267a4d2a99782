import { isSecretToOthers } from '../paths/secret-names.ts';
import type { SecretPlace } from '../paths/secret-names.ts';

/** Directories that hold secrets, when they leave as a whole; reading one of their files may be harmless. */
const SECRET_DIRS: ReadonlySet<string> = new Set(
  '.ssh .aws .gnupg .kube .azure .gcloud .password-store certs certificates secrets .secrets credentials keychains'.split(
    ' ',
  ),
);
/** Free to read, but of use to nobody else. */
const OWN_FILES: ReadonlySet<string> = new Set([
  '.aws/config',
  '.ssh/config',
  '.bash_history',
  '.zsh_history',
  '.envrc',
]);

/** A path that must not leave this machine; `whole` when a directory would leave with all that is in it. */
export function isSecretWhenSent(path: string, whole: boolean, place: SecretPlace): boolean {
  if (isSecretToOthers(path, place)) return true;
  const parts = path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (OWN_FILES.has(parts.slice(-2).join('/')) || OWN_FILES.has(parts.at(-1) ?? '')) return true;
  return whole && parts.some((part) => SECRET_DIRS.has(part));
}
