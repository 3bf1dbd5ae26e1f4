/** What a client asks a gateway process; IDs as decimal text, because JSON has no bigint. */
export interface ChaosRequest {
  readonly id: number;
  readonly verb: 'accept' | 'reject' | 'leave' | 'complete' | 'cancel';
  readonly tripId: string;
  readonly driverId: string;
  readonly epoch: number;
}

/** `told` is the outcome's kind. */
export interface ChaosReply {
  readonly id: number;
  readonly told: string;
}

export type ChaosFlowName = 'solegate' | 'control';

export interface ChaosStores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** A reservation under test, inside a gateway process. */
export interface ChaosFlow {
  handle(request: ChaosRequest): Promise<string>;
}
