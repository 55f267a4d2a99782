import { serveDecisions } from '../guard/decider.ts';

serveDecisions();
