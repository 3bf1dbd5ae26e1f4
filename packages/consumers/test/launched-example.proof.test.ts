import { expect, test } from '@jest/globals';
import { takeNumber, useLetters, useOrders } from './example.js';
import { withLaunchedExample } from './launched-example.js';

async function usePageOfGateway(address: string): Promise<void> {
  expect(await takeNumber(address)).toMatch(/RFA.*\d{4}$/);
}

// Next.js downloads 354 MB: see drills/next.drill.ts.
test.each([
  ['express-drizzle', useLetters],
  ['nestjs-typeorm', useOrders],
  ['browser', usePageOfGateway],
])('npm run example %s serves requests until Ctrl-C', async (name, use) => {
  expect(await withLaunchedExample(name, use)).toMatchObject({ exitCode: 0, left: [] });
});
