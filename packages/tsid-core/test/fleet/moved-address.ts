import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address that can move between servers, like a virtual IP or a load balancer. */
export interface MovedAddress extends AsyncDisposable {
  readonly url: string;
  /** Closes all connections; new ones go to this server, or are refused. */
  moveTo(server: { readonly port: number } | undefined): void;
}

export async function startMovedAddress(first: { readonly port: number }): Promise<MovedAddress> {
  let target: { readonly port: number } | undefined = first;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const listener = createServer((client) => {
    keep(client);
    if (target === undefined) {
      client.destroy();
      return;
    }
    const server = keep(connect({ host: '127.0.0.1', port: target.port }));
    client.pipe(server).pipe(client);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    moveTo(server) {
      target = server;
      cut();
    },
    async [Symbol.asyncDispose]() {
      const closed = once(listener, 'close');
      listener.close();
      cut();
      await closed;
    },
  };
}
