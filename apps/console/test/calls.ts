import type { Page, Request } from 'playwright-core';

/** The idempotency keys that the page sends with its calls of a mutation, in their order. */
export function keysOf(page: Page, field: string): readonly string[] {
  const keys: string[] = [];
  page.on('request', (request) => {
    if (!isCallOf(field, request)) return;
    const { input } = request.postDataJSON().variables;
    keys.push((input.replacement ?? input).idempotencyKey);
  });
  return keys;
}

/** Lets the gateway execute calls of a mutation, and answers them like a balancer that lost its replies. */
export async function loseReplies(page: Page, field: string): Promise<void> {
  await page.route('**/graphql', async (route) => {
    if (!isCallOf(field, route.request())) return route.fallback();
    await route.fetch();
    return route.fulfill({ status: 502, headers: { 'retry-after': '60' } });
  });
}

/** Holds back the calls of a method. @returns delivers those, and all later ones */
export async function holdCalls(page: Page, field: string): Promise<() => Promise<void>> {
  let release = (): void => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const deliveries: Promise<void>[] = [];
  await page.route('**/graphql', async (route) => {
    if (!isCallOf(field, route.request())) return route.fallback();
    const deliver = async (): Promise<void> => {
      await isReleased;
      await route.fulfill({ response: await route.fetch() });
    };
    deliveries.push(deliver());
    return deliveries.at(-1);
  });
  return async () => {
    release();
    await Promise.all(deliveries);
    await polledTwice(page);
  };
}

/** Resolves once the page has asked twice what works, and so has handled every reply before. */
export async function polledTwice(page: Page): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    await page.waitForResponse((response) => response.url().endsWith('?poll'));
  }
}

/** Whether a request is a call of a method. */
export function isCallOf(field: string, request: Request): boolean {
  return request.postData()?.includes(`{${field}(`) ?? false;
}
