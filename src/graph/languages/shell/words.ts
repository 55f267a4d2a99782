/** What shells themselves have, and what is on every machine: a call of one is no call of a function unless a file defines it. */
const WORDS = new Set(
  (
    'alias autoload bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable ' +
    'emulate eval exec exit export false fc fg getopts hash help history integer jobs kill let local logout mapfile noglob ' +
    'popd printf print pushd pwd read readarray readonly return set setopt shift shopt suspend test times trap true type ' +
    'typeset ulimit umask unalias unset unsetopt wait zmodload zstyle ' +
    'awk basename bash cat chmod chown cp curl cut date dd diff dirname docker du env expr find git grep egrep fgrep gzip ' +
    'head hostname id install ln ls make mkdir mktemp mv node npm npx nohup paste pip ps python python3 readlink realpath rm ' +
    'rmdir ruby sed seq sh sleep sort ssh stat stty sudo sync tail tar tee time timeout touch tr tty uname uniq unzip wc wget ' +
    'which whoami xargs yes zip'
  ).split(' '),
);

export function isShellWord(name: string): boolean {
  return WORDS.has(name);
}
