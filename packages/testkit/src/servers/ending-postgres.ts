import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A message of PostgreSQL's protocol: its type, its length, its body. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A server that accepts each connection as PostgreSQL does, and in the same packet ends it, as an administrator would. */
export async function startEndingPostgres(): Promise<Disposable & { readonly port: number }> {
  const isReady = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
  const isEnded = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([isReady, isEnded])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.dispose]: () => void server.close() };
}
