import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Gateway } from '../src/assembly/gateway.js';
import { startInProcess } from './in-process-gateway.js';
import { asRuntimeRole } from './runtime-role.js';

/*
 * The process that runs the gateways of one Jest worker from source, for all its test files: loading the gateway's modules
 * anew for each file takes longer than most tests. POST starts a gateway, DELETE /<port> stops it, PUT creates the tables
 * of a database and returns its URL with the gateways' role. The process prints its own port, and exits when stdin ends.
 */

export interface GatewayOrder {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  /** If true, the gateway runs as the tables' owner and creates them; else with a role that cannot change them. */
  readonly migrates: boolean;
}

export interface RunningGateway {
  readonly port: number;
  readonly node: number | undefined;
  /** Process ID of the gateway. */
  readonly pid: number;
}

/** The start error's own properties, without its class. */
export interface StartRefusal {
  readonly refused: Readonly<Record<string, unknown>> & { readonly message: string };
}

const gateways = new Map<number, Gateway>();

async function start(request: IncomingMessage): Promise<RunningGateway | StartRefusal> {
  try {
    const { redisUrl, environment, migrates, ...order } = (await json(request)) as GatewayOrder;
    const databaseUrl = migrates ? order.databaseUrl : await asRuntimeRole(order.databaseUrl);
    const gateway = await startInProcess({ databaseUrl, redisUrl, environment, migrates });
    gateways.set(gateway.port, gateway);
    return { port: gateway.port, node: gateway.node, pid: process.pid };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { cause: _cause, ...facts } = { ...error };
    return { refused: { ...facts, message: error.message } };
  }
}

async function stop(port: number): Promise<null> {
  await gateways.get(port)?.stop();
  gateways.delete(port);
  return null;
}

async function answerTo(request: IncomingMessage): Promise<unknown> {
  if (request.method === 'POST') return start(request);
  if (request.method === 'PUT') return asRuntimeRole((await json(request)) as string);
  return stop(Number(request.url?.slice(1)));
}

const server = createServer((request, response) => {
  void answerTo(request).then((outcome) => response.end(JSON.stringify(outcome)));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.on('end', () => process.exit()).resume();
