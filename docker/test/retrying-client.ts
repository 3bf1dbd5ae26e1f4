import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SignJWT } from 'jose';

import { composeService, interpolate } from './deployment-files.js';

/** Maximum time of a request with all its retries: a liveness bound, far above a restart. */
const patienceMs = 45_000;
const pauseMs = 100;

/** A request got no answer despite retries, or was refused permanently. */
export class RequestFailedError extends Error {
  override readonly name = 'RequestFailedError';
}

async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers, body });
  return response.text();
}

/** fetch accepts only the certificate authorities that Node was started with. */
function poster(ca: string): typeof post {
  const agent = new Agent({ ca, keepAlive: true });
  return async (url, headers, body) => {
    const sent = request(url, { method: 'POST', headers, agent });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return text(response);
  };
}

const keyOf = (key: string | KeyObject) => (typeof key === 'string' ? new TextEncoder().encode(key) : key);

interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string; readonly retryable?: boolean };
  }[];
}

/**
 * A client that follows the README: every mutation has its own key, and is retried with it after a broken connection, 502
 * to 504, or an error that is `retryable`.
 */
export class RetryingClient {
  /** Why requests were sent again, each time. */
  readonly repeats: string[] = [];
  /** Answers by which a gateway or nginx said that it could not serve a request; then it was sent again. */
  readonly refusals: string[] = [];
  /** Number of finished requests. */
  answeredCount = 0;
  readonly #url: string;
  readonly #post: typeof post;
  #key: Uint8Array | KeyObject;

  /** @param key what the issuer signs with: a secret, or a private RSA key @param ca authority of the server's certificate, for an https URL; PEM */
  constructor(url: string, key: string | KeyObject, ca?: string) {
    this.#url = url;
    this.#post = ca === undefined ? post : poster(ca);
    this.#key = keyOf(key);
  }

  /** The issuer signs with another key from now on. */
  signWith(key: string | KeyObject): void {
    this.#key = keyOf(key);
  }

  /** A token like an identity provider's, for the gateways of the compose file. */
  async tokenFor(subject: bigint, roles: readonly string[]): Promise<string> {
    const { environment = {} } = composeService('gateway');
    return await new SignJWT({ roles, projects: '*' })
      .setProtectedHeader({ alg: this.#key instanceof Uint8Array ? 'HS256' : 'RS256' })
      .setSubject(String(subject))
      .setIssuer(interpolate(environment.JWT_ISSUER ?? '', {}))
      .setAudience(interpolate(environment.JWT_AUDIENCE ?? '', {}))
      .setExpirationTime('1h')
      .sign(this.#key);
  }

  /**
   * The data of one operation.
   *
   * @throws RequestFailedError
   */
  async ask<Data>(token: string, query: string, variables: object = {}): Promise<Data> {
    const endsAtMs = performance.now() + patienceMs;
    for (;;) {
      const answer = await this.#tryOnce(token, JSON.stringify({ query, variables }));
      if (answer.kind === 'data') {
        this.answeredCount += 1;
        return answer.data as Data;
      }
      if (answer.kind === 'refused') throw new RequestFailedError(answer.reason);
      if (performance.now() > endsAtMs) throw new RequestFailedError(`gave up: ${answer.reason}`);
      this.repeats.push(answer.reason);
      await pause(pauseMs);
    }
  }

  async #tryOnce(
    token: string,
    body: string,
  ): Promise<{ kind: 'data'; data: unknown } | { kind: 'unknown' | 'refused'; reason: string }> {
    try {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const answer = JSON.parse(await this.#post(`${this.#url}/graphql`, headers, body)) as GraphqlAnswer;
      const [error] = answer.errors ?? [];
      if (!error) return { kind: 'data', data: answer.data };
      if (error.extensions?.code !== 'OUTCOME_UNKNOWN') this.refusals.push(JSON.stringify(answer));
      return { kind: error.extensions?.retryable ? 'unknown' : 'refused', reason: JSON.stringify(answer) };
    } catch (error) {
      return { kind: 'unknown', reason: String(error) };
    }
  }
}
