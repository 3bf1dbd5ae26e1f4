import type { Gateway } from '../assembly/gateway.js';
import type { GatewayConfig } from '../config.js';
import type { StoreUrls } from '../stores/database.js';

/** Messages from the primary to a worker. */
export interface StartOrder extends StoreUrls {
  readonly kind: 'start';
  readonly config: GatewayConfig;
  readonly trustEmptyRedis: boolean;
  readonly migrates: boolean;
}

export type WorkerOrder =
  | StartOrder
  | { readonly kind: 'stop' }
  /** No text: a worker did not report its metrics in time. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string | undefined };

/** Messages from a worker to the primary. */
export type WorkerReport =
  /** The worker now receives orders; what was sent to it before is lost. */
  | { readonly kind: 'loaded' }
  | ({ readonly kind: 'listening' } & Pick<Gateway, 'port' | 'promises'>)
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string }
  | { readonly kind: 'metricsWanted'; readonly id: number };
