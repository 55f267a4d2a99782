import { BUILD, VERSION } from '../../platform/build.ts';
import { FACTS_FORMAT } from '../format/codes.ts';

/** Which extractors facts are from, and which resolution made a graph of them: every build may have others. */
export const MADE_BY = `${FACTS_FORMAT} ${VERSION} ${BUILD}`;

/** Whose graph questions are answered from. Running from source is no build, and takes any that has the right format. */
export const ANSWERS_FROM = BUILD === 'source' ? undefined : MADE_BY;
