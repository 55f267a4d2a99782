/** Keys that are known by their shape. The number of an account is none, but goes with one. */
const KEY =
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\b(?:gh[pousr]_[A-Za-z0-9]{20}|github_pat_\w{20}|glpat-[\w-]{20}|xox[abeoprs]-[\w-]{10}|npm_[A-Za-z0-9]{30}|hf_[A-Za-z0-9]{30}|dop_v1_[a-f0-9]{60})|\bsk[-_](?:[a-z]{2,10}[-_])?[A-Za-z0-9_-]{20}|\bAGE-SECRET-KEY-1|-----BEGIN [A-Z ]{0,30}PRIVATE KEY|LS0tLS1CRUdJTi[\w+/%-]{0,40}FURSBLRV/;
/** Who signs an address names the key that it was signed with. */
const SIGNED = /[?&]X-(?:Amz|Goog)-Signature=/i;

/** An address that carries somebody's key. */
export function carriesKey(address: string): boolean {
  return KEY.test(address.replaceAll(/%20|\+/g, ' ')) && !SIGNED.test(address);
}
