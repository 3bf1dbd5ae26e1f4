import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** How a reply gets lost; in each case after the gateway's whole answer was read, so its work is done. */
export type Loss = 'nothing arrives' | 'half of it arrives' | 'a proxy answers instead';

export interface ReplyCutter extends AsyncDisposable {
  readonly url: string;
  /** Number of lost replies. */
  readonly lostCount: number;
}

/**
 * A proxy in front of a gateway that loses replies.
 *
 * @param lossOf how the reply to a request, given as its text, is lost; undefined: it arrives
 */
export async function startReplyCutter(
  gatewayUrl: string,
  lossOf: (body: string) => Loss | undefined,
): Promise<ReplyCutter> {
  let lostCount = 0;
  const server = createServer((asked, answer) => {
    relay(asked, answer).catch(() => answer.destroy());
  });

  async function relay(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(asked);
    const { host: _host, connection: _connection, ...headers } = asked.headers;
    const sent = request(gatewayUrl, { method: asked.method, headers });
    sent.end(body);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    const text = await buffer(reply);
    const loss = lossOf(body.toString());
    if (loss !== undefined) lostCount += 1;
    if (loss === 'nothing arrives') return void answer.destroy();
    if (loss === 'a proxy answers instead')
      return void answer.writeHead(504).end('<h1>Gateway Time-out</h1>');
    answer.writeHead(reply.statusCode ?? 500, { ...reply.headers, 'content-length': text.length });
    if (loss === undefined) return void answer.end(text);
    answer.write(text.subarray(0, text.length / 2), () => answer.destroy());
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(gatewayUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    get lostCount() {
      return lostCount;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
