/** What tests and measurements outside the graph use of its inside; it loads no parser. */
export type { Canvas } from './canvas/canvas.ts';
export { CONFIDENCE, COUNTS_FROM } from './model/links.ts';
export type { Edge, Why } from './model/links.ts';
export { askGraph } from './query/ask-graph.ts';
export type { GraphReader } from './query/graph-reader.ts';
export { writeActiveRoot } from './resident/active-root.ts';
export { createRuleGraph } from './resident/rule-graph.ts';
export type { GraphPaths } from './store/graph-paths.ts';
export { writeInitRecord } from './store/init-record.ts';
export type { InitRecord } from './store/init-record.ts';
export { takeLease } from './store/lease.ts';
export type { Lease } from './store/lease.ts';
export { openGraph } from './store/open-graph.ts';
export { RECORD_FORMAT } from './store/record.ts';
export { readScope } from './store/scope.ts';
export { writeSections } from './store/sections.ts';
export { languageOf } from './walk/known-languages.ts';
export { walkWorkspace } from './walk/walk-workspace.ts';
