import type { RuleMeta } from '../engine/rule.ts';
import type { FieldReader } from './field-reader.ts';

/** The sentence of a person's instructions that the rule was made of. */
export function readSource(fields: FieldReader): RuleMeta['from'] {
  const map = fields.map('source', ['file', 'sentence', 'digest']);
  const [file, sentence, digest] = [map?.text('file'), map?.text('sentence'), map?.text('digest')];
  return file === undefined || sentence === undefined || digest === undefined ? undefined : { file, sentence, digest };
}
