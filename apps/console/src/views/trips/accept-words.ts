import type { Tsid } from '@solegate/client';
import { wordsOf } from '../../session/failure.js';
import type { GatewayClient, Result } from '../../session/gateway-client.js';

/** Short texts for a driver's result. */
const ACCEPT_WORDS: Readonly<Record<Result<'acceptTrip'>['__typename'], string>> = {
  TripAccepted: 'got the trip',
  TripTaken: 'taken by another',
  DriverBusy: 'has another trip',
  NotOffered: 'not offered',
  StaleOffer: 'outdated offer',
  TripNotOpen: 'not open',
  TripUndecided: 'undecided',
};

export interface Offer {
  readonly tripId: Tsid;
  readonly offerEpoch: number;
}

export interface AcceptAnswer {
  readonly words: string;
  readonly isWinner: boolean;
}

/** Accepts once; a failure counts as an answer. */
export async function pressAccept(client: GatewayClient, offer: Offer): Promise<AcceptAnswer> {
  try {
    const { __typename: outcome } = await client.acceptTrip({ input: offer });
    return { words: ACCEPT_WORDS[outcome] ?? outcome, isWinner: outcome === 'TripAccepted' };
  } catch (error) {
    return { words: wordsOf(error), isWinner: false };
  }
}
