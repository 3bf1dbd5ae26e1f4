import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Gateway } from '../src/assembly/gateway.js';
import { startInProcess } from './in-process-gateway.js';
import { asRuntimeRole } from './runtime-role.js';

/*
 * The process that runs the gateways of one Jest worker, from their sources, file after file: loading a gateway into the
 * realm of each test file costs more than most of their tests. POST starts one, DELETE /<port> stops it, PUT makes the
 * tables of a database and returns its URL for the role that gateways run with. It prints its own port, and ends when its input does.
 */

export interface GatewayOrder {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  /** As the owner of the tables, which it makes itself; else as a role that may not change them. */
  readonly migrates: boolean;
}

export interface RunningGateway {
  readonly port: number;
  readonly node: number | undefined;
  /** Process ID of the gateway. */
  readonly pid: number;
}

/** Why a start was refused: what the error said of itself, without its class. */
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
