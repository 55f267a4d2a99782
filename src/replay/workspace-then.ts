import type { RuleGraph, RuleWorkspace } from '../engine/rule.ts';
import type { Past } from './past.ts';

/** A workspace that tells of the past what it is called and where it lies, and nothing else. */
export class WorkspaceThen implements RuleWorkspace {
  readonly #today: RuleWorkspace;
  readonly #past: Past;

  constructor(today: RuleWorkspace, past: Past) {
    this.#today = today;
    this.#past = past;
  }

  get root(): string {
    return this.#today.root;
  }
  get repository(): string {
    return this.#today.repository;
  }
  get home(): string {
    return this.#today.home;
  }
  get markerBacked(): boolean {
    return this.#today.markerBacked;
  }
  get isTrusted(): boolean {
    return this.#today.isTrusted;
  }
  get graph(): RuleGraph | undefined {
    return undefined;
  }
  /** Which packs have files in the project is a part of its settings. */
  get nearest(): RuleWorkspace['nearest'] {
    return this.#today.nearest;
  }
  get relative(): RuleWorkspace['relative'] {
    return this.#today.relative;
  }
  get nameOf(): RuleWorkspace['nameOf'] {
    return this.#today.nameOf;
  }
  get isIgnored(): RuleWorkspace['isIgnored'] {
    return (path) => {
      this.#past.miss('whether git ignored a file', path);
      return false;
    };
  }
  get hasProgram(): RuleWorkspace['hasProgram'] {
    return (name) => {
      this.#past.miss('whether a program was installed', name);
      return false;
    };
  }
  get variable(): RuleWorkspace['variable'] {
    return (name) => {
      this.#past.miss('a variable of the environment', name);
      return undefined;
    };
  }
}
