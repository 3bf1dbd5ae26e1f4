import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** The caller's address, as the trusted proxies report it: for an upgrade what Fastify works out for a request. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trust = proxyAddr.compile([...trustedProxies]);
  return (request) => proxyAddr(request, trust);
}
