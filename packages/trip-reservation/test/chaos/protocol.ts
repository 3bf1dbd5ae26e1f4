/**
 * What a client asks a gateway process; IDs as decimal text, because JSON has no bigint. `stall`: an accept that the process
 * lets through the gate and never decides, as if it died between; it decides nothing afterwards. `near`: requests a trip
 * where the driver is the nearest one and another one is free; the answer lists who it is offered to so far.
 */
export interface ChaosRequest {
  readonly id: number;
  readonly verb: 'accept' | 'stall' | 'near' | 'reject' | 'leave' | 'complete' | 'cancel';
  readonly tripId: string;
  readonly driverId: string;
  readonly epoch: number;
}

/** `answered`: the kind of the outcome. */
export interface ChaosReply {
  readonly id: number;
  readonly answered: string;
}

/** `unguarded` is Solegate without some of its guards; `control` is what most services do. */
export const CHAOS_FLOWS = ['solegate', 'unguarded', 'control'] as const;

export type ChaosFlowName = (typeof CHAOS_FLOWS)[number];

export interface ChaosStores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** A reservation under test, inside a gateway process. */
export interface ChaosFlow {
  handle(request: ChaosRequest): Promise<string>;
}
