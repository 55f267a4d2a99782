import type { Tool } from '@modelcontextprotocol/server';
import type { ArgumentType } from './arguments.ts';
import { ALIASES } from './tools.ts';
import type { ToolTable } from './tools.ts';

/** As clients are told of a tool. Every client shows this to its model: no word more than a call needs. */
export function defineTool(table: ToolTable, meta: Readonly<Record<string, unknown>>): Tool {
  const { name, description, readOnly, actions, types, shown } = table;
  const names = Object.keys(actions);
  const aliases = Object.keys(ALIASES).filter((alias) => names.includes(ALIASES[alias] ?? ''));
  const properties = Object.fromEntries(
    shown.flatMap((argument) => (types[argument] ? [[argument, schemaOf(types[argument])]] : [])),
  );
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: { action: { type: 'string', enum: [...names, ...aliases] }, ...properties },
      required: ['action'],
    },
    annotations: { readOnlyHint: readOnly, ...(!readOnly && { destructiveHint: false }), openWorldHint: false },
    ...(Object.keys(meta).length > 0 && { _meta: { ...meta } }),
  };
}

function schemaOf(type: ArgumentType): { [key: string]: string | number | readonly string[] | object } {
  const about = type.about ? { description: type.about } : {};
  switch (type.is) {
    case 'text':
      return { type: 'string', ...(type.among && { enum: type.among }), ...about };
    case 'texts':
      return { type: 'array', items: { type: 'string' }, ...about };
    case 'boolean':
      return { type: 'boolean', ...about };
    case 'number':
      return { type: type.fraction ? 'number' : 'integer', ...about };
  }
}
