export { nearestWord as suggest } from '../../user-rules/nearest-word.ts';
