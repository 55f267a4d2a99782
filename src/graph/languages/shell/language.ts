import type { LanguageDescriptor } from '../descriptor.ts';

export const shell: LanguageDescriptor = {
  name: 'shell',
  code: 10,
  endings: '.sh .bash .zsh .ksh .bats',
  files: '.bashrc .bash_profile .profile .zshrc .zshenv .zprofile',
  programs: 'sh bash dash ksh zsh',
  tests: /(?:^|\/)(?:tests?\/|test[_-][^/]*$|[^/]*[_.-]test\.\w+$|[^/]*\.bats$)/,
};
