import { testAgent } from './agent-suite.ts';
import { GEMINI } from './gemini-session.ts';

testAgent(GEMINI);
