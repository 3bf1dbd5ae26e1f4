import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP relay that can be cut: nothing goes through in either direction and neither side notices, as when a switch
 * dies. Data in transit arrives once the link is restored, as with TCP.
 */
export class CuttableLink implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async to(targetUrl: string): Promise<CuttableLink> {
    const target = new URL(targetUrl);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the relay has no port');
    const url = new URL(targetUrl);
    url.port = String(address.port);
    const link = new CuttableLink(server, url.href);
    server.on('connection', (client) => link.#join(client, target));
    return link;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  mend(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  #join(client: Socket, target: URL): void {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (part) => to.write(part));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isCut) from.pause();
    }
  }
}
