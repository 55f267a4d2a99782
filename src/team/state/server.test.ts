import { describeCells } from '../../state/contract.ts';
import { cellsOf, createMemoryServer } from './server.fixture.ts';

describeCells('a server in memory', () => {
  let time = 1_000_000;
  const now = () => time;
  const server = createMemoryServer(now);
  const store = cellsOf(server, { unitMs: 1, now, advance: (ms) => void (time += ms) });
  return { store, goesBack: false, close: () => server.close() };
});
