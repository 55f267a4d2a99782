/** All that a picture needs: the indexing process loads it with the first one. */
export { renderPng } from '../../platform/picture-renderer.ts';
export { drawRequested } from './draw-request.ts';
