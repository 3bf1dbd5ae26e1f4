import type { Tsid } from '@solegate/client';
import { wordsOf } from '../../session/failure.js';
import type { GatewayClient, Result } from '../../session/gateway-client.js';

/** What a driver was answered, in few words. */
const ACCEPT_WORDS: Readonly<Record<Result<'acceptTrip'>['__typename'], string>> = {
  TripAccepted: 'has the trip',
  TripTaken: 'taken by another',
  DriverBusy: 'has another trip',
  NotOffered: 'not offered to them',
  StaleOffer: 'an older offer',
  TripNotOpen: 'not open',
  TripUndecided: 'not decided yet',
};

export interface Offer {
  readonly tripId: Tsid;
  readonly offerEpoch: number;
}

export interface AcceptAnswer {
  readonly words: string;
  readonly isWinner: boolean;
}

/** Presses accept once; a failure is an answer too. */
export async function pressAccept(client: GatewayClient, offer: Offer): Promise<AcceptAnswer> {
  try {
    const { __typename: outcome } = await client.acceptTrip({ input: offer });
    return { words: ACCEPT_WORDS[outcome] ?? outcome, isWinner: outcome === 'TripAccepted' };
  } catch (error) {
    return { words: wordsOf(error), isWinner: false };
  }
}
