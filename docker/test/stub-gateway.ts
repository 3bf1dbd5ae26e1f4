import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** An HTTP server in place of a gateway, which answers as the test says and records its requests. */
export interface StubGateway extends AsyncDisposable {
  readonly port: number;
  readonly requests: readonly IncomingMessage[];
  close(): Promise<void>;
}

export interface StubBehaviour {
  /** Default: 200 with the stub's port. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void;
  readonly upgrade?: (request: IncomingMessage, socket: Duplex) => void;
}

export async function startStubGateway(behaviour: StubBehaviour = {}): Promise<StubGateway> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      requests.push(request);
      if (behaviour.answer) behaviour.answer(request, response);
      else response.end(String(request.socket.localPort));
    });
  });
  server.on('upgrade', (request, socket) => {
    requests.push(request);
    behaviour.upgrade?.(request, socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stub = {
    port: (server.address() as AddressInfo).port,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    [Symbol.asyncDispose]: () => stub.close(),
  };
  return stub;
}
