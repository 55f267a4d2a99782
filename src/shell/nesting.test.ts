import { describe, expect, it } from 'vitest';
import { lastOf, linesOf, read } from './reading.fixture.ts';

/** What is read after the first command. */
function nestedIn(text: string): readonly string[] {
  return read(text).commands[0]?.position === 'lead' ? linesOf(text).slice(1) : linesOf(text);
}

describe('shells', () => {
  it.each<[string, readonly string[]]>([
    ["bash -c 'rm -rf /'", ['bash -c> rm -rf /']],
    ["/bin/sh -c 'a; b'", ['sh -c> a', 'sh -c> b']],
    ["zsh -lc 'a'", ['zsh -c> a']],
    ["bash -euo pipefail -c 'a'", ['bash -c> a']],
    ["bash -O extglob -c 'a'", ['bash -c> a']],
    ["bash --norc --rcfile x -c 'a'", ['bash -c> a']],
    ["fish -c 'a'", ['fish -c> a']],
    ["ksh -c 'rm $1 $@' name x y", ['ksh -c> rm x x y']],
    ["sh -c 'rm $0' x", ['sh -c> rm x']],
    ["X=a bash -c 'rm $X'", ['bash -c> rm a']],
    ['export X=rm; bash -c \'"$X" a\'', ['bash -c "$X" a', 'bash -c> rm a']],
    ["bash -n -c 'a'", []],
    ["bash -n +n -c 'a'", ['bash -c> a']],
    ["bash -o noexec -c 'a'", []],
    ['bash <<E\na\nE', ['heredoc> a']],
    ["bash -s x <<'E'\nrm $1\nE", ['heredoc> rm x']],
    ["sh <<< 'a'", ['heredoc> a']],
    ['bash script.sh <<E\na\nE', []],
    ["cat <<'E'\nrm -rf /\nE", []],
    ['bash - <<< a', ['heredoc> a']],
    ["eval 'rm -rf /'", ['eval> rm -rf /']],
    ['eval rm "-rf" /', ['eval> rm -rf /']],
    ["trap 'rm a' EXIT", ['trap> rm a']],
    ['trap - EXIT', []],
    ['source <(echo rm a)', ['<( )> echo rm a', 'source /dev/fd/11', 'source> rm a']],
    ["exec 3<<< 'rm a'; . /dev/fd/3", ['. /dev/fd/3', 'source> rm a']],
    ['exec {fd}<<E\nrm a\nE\nsource /dev/fd/$fd', ['source /dev/fd/11', 'source> rm a']],
    ["echo 'rm a' > x.sh; bash x.sh", ['bash x.sh', 'file> rm a']],
    ["echo 'rm a' > /dev/shm/x.sh; bash /dev/shm/x.sh", ['bash /dev/shm/x.sh', 'file> rm a']],
    ["echo 'rm a' > /dev/tty; bash /dev/tty", ['bash /dev/tty']],
    ["printf 'rm %s' a > x.sh && chmod +x x.sh && ./x.sh", ['chmod +x x.sh', './x.sh', 'file> rm a']],
    ["cat > x.sh <<'E'\nrm $1\nE\nsh ./x.sh a", ['sh ./x.sh a', 'file> rm a']],
    ["echo 'rm a' | tee x.sh; . x.sh", ['tee x.sh', '. x.sh', 'source> rm a']],
    ['echo a > x.sh; curl b > x.sh; bash x.sh', ['curl b', 'bash x.sh']],
  ])('%s', (text, lines) => {
    expect(nestedIn(text)).toEqual(lines);
  });

  it.each([
    ["echo 'rm -rf /' | bash", 'heredoc> rm -rf /'],
    ["printf 'rm %s' / | sudo sh", 'heredoc> sudo+ rm /'],
    ['cat <<E | sh\nrm a\nE', 'heredoc> rm a'],
    ['sudo -i <<E\nrm a\nE', 'heredoc> sudo+ rm a'],
    ["echo 'rm a' | sudo -s", 'heredoc> sudo+ rm a'],
    ['echo cm0gYQ== | base64 -d | bash', 'heredoc> rm a'],
    ['echo "726d2061" | xxd -r -p | sh', 'heredoc> rm a'],
    ["echo 'a mr' | rev | sh", 'heredoc> rm a'],
    ['eval "$(echo cm0gYQ== | base64 --decode)"', 'eval> rm a'],
    ['bash -c \'eval "$(echo rm a)"\'', 'bash -c> eval> rm a'],
    ['cat x | bash', 'bash'],
  ])('%s ends in %s', (text, line) => {
    expect(linesOf(text).at(-1)).toBe(line);
  });
});

describe('xargs and parallel', () => {
  it.each([
    ['echo / | xargs rm -rf', 'xargs> rm -rf /'],
    ['printf "a\\nb c\\n" | xargs -n1 rm', 'xargs> rm a b c'],
    ['echo / | xargs -I{} rm -rf {}/x', 'xargs> rm -rf //x'],
    ['echo / | xargs -I % sh -c "rm %"', 'xargs> sh -c> rm /'],
    ['echo / | xargs -i rm {}', 'xargs> rm /'],
    ['echo / | xargs --replace=@ rm @', 'xargs> rm /'],
    ['echo / | xargs -J % rm % x', 'xargs> rm / x'],
    ['echo a,b | xargs -d , rm', 'xargs> rm a b'],
    ['find . -name x | xargs -0 -P 4 sudo rm -f', 'xargs> sudo+ rm -f ?'],
    ['ls | xargs -a f rm', 'xargs> rm ?'],
    ['ls | xargs', 'xargs> echo ?'],
    ['xargs rm < f', 'xargs> rm ?'],
    ['parallel rm ::: a b', 'parallel> rm b'],
    ['parallel -j 4 rm {}/x ::: a', 'parallel> rm a/x'],
    ["ls | parallel 'rm {}'", 'parallel> rm ?'],
    ["echo / | parallel bash -c 'rm {}'", 'parallel> bash -c> rm /'],
  ])('%s', (text, line) => {
    expect(linesOf(text).at(-1)).toBe(line);
  });

  it('knows where the operands come from', () => {
    expect(lastOf('git ls-files | xargs rm').words.at(-1)).toMatchObject({ known: false, from: [0] });
  });
});

describe('find', () => {
  it.each<[string, readonly string[]]>([
    ['find . -exec rm -rf {} \\;', ['find -exec> rm -rf .']],
    ["find / -exec rm -rf '{}' +", ['find -exec> rm -rf /']],
    ['find a b -name x -exec rm {} +', ['find -exec> rm a/?', 'find -exec> rm b/?']],
    ['find -L /a/ -type f -ok rm {} \\;', ['find -ok> rm /a/?']],
    ['find -delete', []],
    ['find . -maxdepth 1 -execdir rm {} \\; -exec ls {} \\;', ['find -execdir> rm .', 'find -exec> ls .']],
    ['find . ! -name x -exec sudo rm {} \\;', ['find -exec> sudo+ rm ./?']],
    [
      'find ~ -exec sh -c \'rm "$1"\' _ {} \\;',
      ['find -exec> sh -c rm "$1" _ /home/mo', 'find -exec> sh -c> rm /home/mo'],
    ],
    ['fd -e js -x rm', ['fd -x> rm ?']],
    ['fd x -X rm -r {}', ['fd -x> rm -r ?']],
  ])('%s', (text, lines) => {
    expect(linesOf(text).slice(1)).toEqual(lines);
  });
});

describe('launchers', () => {
  it.each<[string, readonly string[]]>([
    ["watch -n 1 'rm a'", ['watch> rm a']],
    ['watch -x rm a', ['watch> rm a']],
    ["script -q -c 'rm a' /dev/null", ['script -c> rm a']],
    ['script -q /dev/null rm a', ['script> rm a']],
    ["su - root -c 'rm a'", ['su -c> rm a']],
    ['runuser -u www -- rm a', ['runuser> rm a']],
    ['flock -n /tmp/l rm a', ['flock> rm a']],
    ["flock /tmp/l -c 'rm a'", ['flock -c> rm a']],
    ["ssh host 'rm a'", []],
    ["ssh -o ProxyCommand='rm a' host", ['ssh -o> rm a']],
    ["scp -o 'ProxyCommand rm a' x y", ['scp -o> rm a']],
    ["rsync -e 'rm a' x y", ['rsync -e> rm a']],
    ["tmux new-session -d -s n 'rm a'", ['tmux> rm a']],
    ["tmux send-keys -t n 'rm a' Enter", ['tmux> rm a']],
    ['screen -dmS n rm a', ['screen> rm a']],
    ["tar cf x --checkpoint-action='exec=rm a' y", ['tar> rm a']],
    ["vim -c '!rm a'", ['vim> rm a']],
    ["git bisect run sh -c 'rm a'", ['git bisect run> sh -c rm a', 'git bisect run> sh -c> rm a']],
    ["git submodule foreach --recursive 'rm a'", ['git> rm a']],
    ["git rebase -x 'rm a' main", ['git> rm a']],
    ["git -c alias.x='!rm a' x", ['git> rm a']],
    ["git commit -m 'rm -rf /'", []],
    ["hyperfine 'rm a' 'b'", ['hyperfine> rm a', 'hyperfine> b']],
    ["npx -c 'rm a'", ['npx -c> rm a']],
    ["nix-shell -p x --run 'rm a'", ['nix-shell --run> rm a']],
    ["git config alias.x '!rm a'; git x b", ['git> rm a', 'git x b', 'git> rm a b']],
    ["git config alias.x '!rm a'", ['git> rm a']],
    ["git config --global core.pager 'rm a'", ['git> rm a']],
    ["git config user.name 'rm a'", []],
    ["sed '1e rm a' x", ['sed> rm a']],
    ["sed -n '/x/{e rm a\n}' x", ['sed> rm a']],
    ["sed 's/x/rm a/e' x", ['sed> rm a']],
    ["sed 's/the e rm/rm a/g; s|e|rm a|' x", []],
    ["make SHELL='rm a'", ['make> rm a']],
    ["git -c sequence.editor='rm a' rebase -i x", ['git> rm a']],
    ["git -c diff.external='rm a' diff", ['git> rm a']],
    ["git difftool -x 'rm a' x", ['git> rm a']],
    ["git fetch --upload-pack='rm a' x", ['git> rm a']],
    ["git grep -O'rm a' x", ['git> rm a']],
    ["sqlite3 x.db '.shell rm a'", ['sqlite3> rm a']],
    ["psql -c '\\! rm a'", ['psql> rm a']],
    ["gdb -ex 'shell rm a'", ['gdb> rm a']],
    ["psql -c 'select 1'", []],
    ["man -P 'rm a' ls", ['man -P> rm a']],
    ['ssh me@localhost rm a', ['ssh> rm a']],
    ["pwsh -NoProfile -c 'Remove-Item a'", ['pwsh -c> Remove-Item a']],
    ["powershell.exe 'rd C:\\x'", ['powershell -c> rd C:\\x']],
    ['pwsh -File x.ps1', []],
    ['cmd.exe /c rd /s x', ['cmd -c> rd /s x']],
    ['docker run -v /:/h alpine rm -rf /h/x /y', ['docker run> rm -rf /x /tmp/container/y']],
    [
      "podman run --rm -v ~/a:/w -w /w img sh -c 'rm -rf ~ /w'",
      ['podman run> sh -c rm -rf /tmp/container/ /home/mo/a', 'podman run> sh -c> rm -rf /tmp/container/ /home/mo/a'],
    ],
    ['docker run --mount type=bind,source=/a,target=/b img rm /b/c', ['docker run> rm /a/c']],
    ['docker run --mount type=bind,source=/a,target=/b,readonly img rm /b/c', []],
    ['docker run -v /a:/b:ro img rm /b', []],
    ['docker run -v data:/b img rm /b', []],
    ['docker run img rm -rf /', []],
  ])('%s', (text, lines) => {
    expect(linesOf(text).slice(1)).toEqual(lines);
  });

  it.each<[string, readonly string[]]>([
    ["GIT_SSH_COMMAND='rm a' git fetch", ['git fetch', 'GIT_SSH_COMMAND> rm a']],
    ["export EDITOR='rm a'", ['export EDITOR=rm a', 'EDITOR> rm a']],
    ["PROMPT_COMMAND='rm a'", ['PROMPT_COMMAND> rm a']],
    ["LESSOPEN='|rm a %s' less x", ['less x', 'LESSOPEN> rm a %s']],
    ["env PAGER='rm a' git log", ['env+ git log', 'PAGER> rm a']],
    ['PAGER=cat git log', ['git log']],
    ["TITLE='rm a' git log", ['git log']],
  ])('variables that hand a command on: %s', (text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it.each<[string, readonly string[]]>([
    ["make -f - <<< $'a:\\n\\trm a'", ['make> rm a']],
    [
      "make -f - <<'E'\nX = b\na: c\n\t@rm $(X) $$HOME\nc:\n\t-rm c\nd:\n\trm d\nE",
      ['make> rm b /home/mo', 'make> rm c'],
    ],
    ["make -f - d X=e <<'E'\nX = b\na:\n\trm a\nd:\n\trm ${X} $@ $Y\nE", ['make> rm e d ?']],
    ["make -n -f - <<< $'a:\\n\\trm a'", []],
    ["make --eval='$(shell rm a)'", ['make> rm a']],
    ["make SHELL='rm a'", ['make> rm a']],
    ['xargs -a - rm <<< a', ['xargs> rm a']],
    ['xargs -a <(echo a) rm', ['xargs> rm a']],
    ['xargs --arg-file=list rm <<< a', ['xargs> rm ?']],
    ['parallel -a - rm <<< a', ['parallel> rm a']],
    ['parallel rm :::: - <<< a', ['parallel> rm a']],
    ["sed '1erm a' x", ['sed> rm a']],
    ["sed 's/a;end/b/' x", []],
    ['docker -H x container run -v /a:/b img rm /b', ['docker run> rm /a']],
    ['docker compose -f x run -v /a:/b img rm /b', ['docker run> rm /a']],
  ])('from what is given: %s', (text, lines) => {
    expect(linesOf(text).filter((line) => line.includes('> ') && !line.startsWith('<( )'))).toEqual(lines);
  });

  it('hands what comes in to those who read it', () => {
    expect(lastOf('x | su -c bash').input).toMatchObject({ kind: 'pipe', from: 0 });
    expect(linesOf("printf '!rm a\\nq\\n' | ed").at(-1)).toBe('ed> rm a');
  });

  it('reads what is left for later', () => {
    expect(linesOf("echo 'rm a' | at now").at(-1)).toBe('at> rm a');
    expect(linesOf("echo '0 3 * * * rm a' | crontab -").at(-1)).toBe('crontab> rm a');
  });
});
