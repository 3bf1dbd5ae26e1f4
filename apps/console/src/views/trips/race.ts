import type { Lane } from '../../charts/race-lanes.js';
import { clientAs } from '../../session/gateway-client.js';
import { type Offer, pressAccept } from './accept-words.js';

/** Random drivers for one race: none of them already has a trip. */
function freshDrivers(driverCount: number): readonly string[] {
  const base = 1_000 + Math.floor(Math.random() * 899_000);
  return Array.from({ length: driverCount }, (_, index) => `driver-${base * 100 + index + 1}`);
}

/** Within this time all drivers press, in random order: else the one asked first would always win. */
const PRESSED_WITHIN_MS = 20;

/** All drivers accept one offer at nearly the same moment. In demo mode the page acts as each of them. */
export async function runRace(offer: Offer, driverCount: number): Promise<readonly Lane[]> {
  const drivers = freshDrivers(driverCount).map((user) => ({ user, client: clientAs(user) }));
  const startedAt = performance.now();
  return Promise.all(
    drivers.map(async ({ user, client }, index) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PRESSED_WITHIN_MS));
      const sentMs = performance.now() - startedAt;
      const { words, isWinner } = await pressAccept(client, offer);
      const answeredMs = performance.now() - startedAt;
      return { name: `driver ${index + 1}`, user, sentMs, answeredMs, answer: words, isWinner };
    }),
  );
}
