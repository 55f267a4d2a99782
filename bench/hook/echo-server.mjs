// The least that an HTTP hook in Node can do: read the body, parse it, answer with JSON.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const event = JSON.parse(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(event));
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
