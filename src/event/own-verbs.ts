/** Every verb that weakens protection or forges what the engine remembers. Only a person may use them. */
export const GATED_VERBS: readonly { readonly verb: string; readonly why: string }[] = [
  { verb: 'trust', why: 'it lets a repository bring its own rules and messages' },
  { verb: 'untrust', why: 'it puts the rules of a project out of force' },
  { verb: 'off', why: 'it silences every rule' },
  { verb: 'pause', why: 'it hushes the advice of a session' },
  { verb: 'rules disable', why: 'it silences a rule' },
  { verb: 'rules mode', why: 'it changes how hard a rule acts' },
  { verb: 'uninstall', why: 'it takes the hooks out of the agent' },
  { verb: 'daemon stop', why: 'it ends the engine' },
  { verb: 'state clear', why: 'it makes the rules forget what happened' },
  { verb: 'message edit', why: 'it changes what the rules say' },
  { verb: 'message reset', why: 'it changes what the rules say' },
  { verb: 'careful off', why: 'it ends careful mode' },
  { verb: 'allow-once', why: 'it lets through what a rule has stopped' },
  { verb: 'exception add', why: 'it silences a rule for a time' },
];
