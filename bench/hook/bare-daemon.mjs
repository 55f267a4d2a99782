// The least that a daemon in Node can do for our client: hears a request out and sends an empty reply. `run` as an argument is where it listens.
import { createServer } from 'node:net';

const REPLY = Buffer.concat([Buffer.from('FLR1'), Buffer.alloc(8)]);
const server = createServer((socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', () => socket.end(REPLY));
});
server.listen(process.argv[2], () => console.log('ready'));
