import { jestPreset } from '@solegate/testkit/jest-preset';

// Each file has a browser and a gateway of its own.
export default jestPreset({ maxWorkers: 1 });
