import { fileURLToPath } from 'node:url';
import { jestPreset } from '@solegate/testkit/jest-preset';

// Most files start processes and wait for them.
export default jestPreset({
  maxWorkers: 2,
  globalSetup: fileURLToPath(new URL('./test/jest.setup.mjs', import.meta.url)),
});
