import type { Promises } from '../installer.ts';

export const PROMISES: Promises = {
  undo: 'What a command, an edit or a patch would destroy is copied before it runs, and the model is told with the call.',
  failure:
    'Where a rule in force must not be skipped, an entry for tool calls and permission requests denies and says why when Fairlead cannot start or answer in time. The client itself denies a call whose hook is killed or ends with an error, and lets it run where a hook is late: so the entry answers before that. Entries for other events never stop anything. In a shared file entries fail open.',
  gaps: [
    'Hooks of a project (`.github/hooks`) run only in a folder that the person has told the client to trust, or with `--trust-folder`; elsewhere it passes over them without a word. Yours in `~/.copilot/hooks` always run.',
    'Where nobody sits at it (`-p`), it denies what a hook asks about, and tells the model that nobody could be asked. At a terminal it asks, also with `--yolo`.',
    'A permission request also comes where it would ask nobody (`--allow-all-tools`). So an ask is a denial there.',
    'It shows a person nothing of a hook but its questions, and why a prompt was stopped.',
    'A command that fails comes as one that worked; its exit code is read from the output. Calls have no ids.',
    'It does not tell at the end of a turn what its model said: rules that look for words there find none. Of a sub-agent it does.',
    'A sub-agent that another sub-agent started counts as one of that agent, not of the session.',
    'A tool of a server is told as `server-tool`, in one word. Where the name of the tool has a `-` itself, the part before its last one counts to the server.',
    'A file of hooks must not hold comments: the client passes over the whole file. It has settings for one person in one project (`.github/copilot/settings.local.json`), which Fairlead does not use: the scopes are user and project.',
    'In a trusted folder it also runs the hooks of `.claude/settings.json` and `.claude/settings.local.json` of the project, but leaves out their arguments. So the entries that `fairlead init` writes there for Claude Code have `"bash": "true"`, which this client runs instead. Entries of an older installation fail there, and it denies every call: `fairlead init` brings them up to date. It does not read `~/.claude/settings.json`.',
    'The agents of VS Code and of GitHub read `.github/hooks/*.json` as well, by their documentation. Neither was tried. In that file entries fail open.',
    '`fairlead init` does not register the tool server: `copilot mcp add fairlead -- fairlead mcp` does. Its transcripts and its memory are not read.',
  ],
};
