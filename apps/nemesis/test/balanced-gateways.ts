import { type Client, createClient } from '@solegate/client';
import { type GatewayPlace, GatewayProcess } from '../src/system/gateway-process.js';

/** Gateways whose clients send each attempt to the next one, as a balancer without health checks does. */
export class BalancedGateways implements AsyncDisposable {
  readonly #gateways: GatewayProcess[] = [];
  readonly #clients: Client[] = [];
  #turn = 0;

  static async start(count: number, place: GatewayPlace): Promise<BalancedGateways> {
    const balanced = new BalancedGateways();
    const starts = Array.from({ length: count }, () => GatewayProcess.start(place));
    balanced.#gateways.push(...(await Promise.all(starts)));
    return balanced;
  }

  get all(): readonly GatewayProcess[] {
    return this.#gateways;
  }

  /** A client of a user of the demo mode. Closed with the gateways. */
  as(user: string): Client {
    const client = createClient({
      url: 'http://balancer/graphql',
      headers: { 'x-demo-user': user },
      fetch: (_url, init) => fetch(this.#gateways[this.#turn++ % this.#gateways.length]?.url ?? '', init),
      // Calls wait for a cell to be moved, which takes minutes on a busy machine.
      timeoutMs: 600_000,
      retry: { attemptTimeoutMs: 8000, maxMs: 200 },
    });
    this.#clients.push(client);
    return client;
  }

  /** As a rolling update does: one at the new place takes that of each, which then stops. */
  async replace(place: GatewayPlace): Promise<void> {
    for (const [index, old] of this.#gateways.entries()) {
      this.#gateways[index] = await GatewayProcess.start(place);
      await old.end('SIGTERM');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await Promise.all(this.#gateways.map((gateway) => gateway.end('SIGKILL')));
  }
}
