import type { Redirection } from 'unbash';
import type { ShellInput, ShellRedirect, ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { openedBy, takeDescriptor } from './descriptors.ts';
import { writtenText } from './files.ts';
import { textInput } from './inputs.ts';
import type { Shell } from './state.ts';
import { NONE, onlyOf, plainWord, writeStore } from './state.ts';
import { setVariable, valueOf } from './variables.ts';
import { expandOne, expandText } from './words.ts';

export interface Redirected {
  readonly redirects: readonly ShellRedirect[];
  /** Undefined when standard input is not redirected. */
  readonly input: ShellInput | undefined;
}

const NOTHING: Redirected = { redirects: NONE, input: undefined };

export function readRedirects(nodes: readonly Redirection[], shell: Shell): Redirected {
  if (nodes.length === 0) return NOTHING;
  const redirects: ShellRedirect[] = [];
  let input: ShellInput | undefined;
  for (const node of nodes) {
    const descriptor = descriptorOf(node, shell);
    if (node.type !== 'Redirect') {
      const opened = hereInput(node, shell);
      if (descriptor === undefined || descriptor === 0) input = opened;
      else writeStore(shell, 'descriptors').set(String(descriptor), { input: opened });
      continue;
    }
    const { operator } = node;
    const target = node.target && expandOne(node.target, shell);
    if (operator === '<&' || operator === '>&') {
      const joined = joinDescriptors(operator, descriptor, target, shell);
      if (joined.input) ({ input } = joined);
      redirects.push(...joined.redirects);
      continue;
    }
    if (!target) continue;
    if (operator === '&>' || operator === '&>>') {
      const plain = operator === '&>' ? '>' : '>>';
      redirects.push({ operator: plain, descriptor: 1, target }, { operator: plain, descriptor: 2, target });
    } else if (operator === '<' || operator === '<>') {
      redirects.push({ operator, descriptor: descriptor ?? 0, target });
      const opened: ShellInput = inputOf(target, shell);
      if ((descriptor ?? 0) === 0) input = opened;
      else writeStore(shell, 'descriptors').set(String(descriptor), { input: opened });
    } else {
      const redirect: ShellRedirect = {
        operator: operator === '>|' ? '>' : operator,
        descriptor: descriptor ?? 1,
        target,
      };
      redirects.push(redirect);
      if (redirect.descriptor > 2) writeStore(shell, 'descriptors').set(String(descriptor), { output: redirect });
    }
  }
  return { redirects, input };
}

/** `2>&1`, `<&3`, `3>&4-`: one descriptor becomes what another one is. */
function joinDescriptors(
  operator: '<&' | '>&',
  descriptor: number | undefined,
  target: ShellWord | undefined,
  shell: Shell,
): Redirected {
  const out = operator === '>&';
  const named = target?.value ?? '';
  if (out && target && descriptor === undefined && !/^\d+-?$|^-$/.test(named)) {
    return { redirects: [1, 2].map((one) => ({ operator: '>', descriptor: one, target })), input: undefined };
  }
  const opened = onlyOf(shell.descriptors.get(named.replace(/-$/, '')));
  const own = descriptor ?? (out ? 1 : 0);
  if (own > 2 && opened) writeStore(shell, 'descriptors').set(String(own), opened);
  if (!out && own === 0 && opened?.input) return { redirects: NONE, input: opened.input };
  const same: ShellRedirect = { operator: out ? '>' : '<', descriptor: own };
  return { redirects: [out && opened?.output ? { ...opened.output, descriptor: own } : same], input: undefined };
}

function inputOf(target: ShellWord, shell: Shell): ShellInput {
  const opened = openedBy(target.value, shell)?.input;
  if (opened) return opened;
  const text = writtenText(target.value, shell.dir, shell);
  return text === undefined || text.includes(UNKNOWN) ? { kind: 'file', target } : textInput(text);
}

function descriptorOf(node: Redirection, shell: Shell): number | undefined {
  const { descriptor } = node;
  if (!descriptor) return undefined;
  if (descriptor.type === 'FileDescriptor') return descriptor.value;
  const number = takeDescriptor(shell);
  setVariable(shell, descriptor.name, valueOf(String(number)));
  return number;
}

function hereInput(node: Exclude<Redirection, { type: 'Redirect' }>, shell: Shell): ShellInput {
  if (node.type === 'HereString') {
    const word = node.target && expandOne(node.target, shell);
    return textInput(word ? `${word.value}\n` : '', word?.from, word?.env);
  }
  const { body, delimiter, operator } = node;
  const raw = delimiter?.quoted === true || body.parts === undefined;
  const { value, from, env } = raw ? plainWord(body.text) : expandText(body.parts ?? NONE, shell);
  return textInput(operator === '<<-' ? value.replace(/^\t+/gm, '') : value, from, env);
}
