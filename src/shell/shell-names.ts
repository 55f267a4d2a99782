export const SHELL_NAMES: ReadonlySet<string> = new Set(
  'sh bash zsh dash ash ksh mksh fish rbash hush posh yash ksh93 oksh loksh pdksh tcsh csh'.split(' '),
);
