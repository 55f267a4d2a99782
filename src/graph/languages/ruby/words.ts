/** Calls in the body of a class that say something about the class. */
export const ATTRIBUTES = new Set([
  'attr_accessor',
  'attr_reader',
  'attr_writer',
  'attr',
  'cattr_accessor',
  'mattr_accessor',
]);
export const MIXINS = new Set(['include', 'extend', 'prepend']);
export const VISIBILITIES = new Set(['private', 'protected', 'public', 'private_class_method', 'module_function']);

export const IMPORTS: ReadonlyMap<string, 'relative' | 'plain' | 'autoload'> = new Map([
  ['require', 'plain'],
  ['load', 'plain'],
  ['require_relative', 'relative'],
  ['autoload', 'autoload'],
]);

/** Functions that every object of the language has. */
const KERNEL = new Set(
  (
    'abort alias_method at_exit binding block_given? caller catch class exit fail format freeze gets instance_variable_get ' +
    'instance_variable_set is_a? lambda loop nil? object_id p pp print printf private_constant proc public_send puts putc raise rand ' +
    'readline require respond_to? select send sleep sprintf srand system tap test throw trap warn new __method__ __dir__ ' +
    'Integer Float String Array Hash Rational Complex'
  ).split(' '),
);

export function isKernel(name: string): boolean {
  return KERNEL.has(name);
}
