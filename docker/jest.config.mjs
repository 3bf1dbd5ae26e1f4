import { jestPreset } from '@solegate/testkit/jest-preset';

// Most files start a fleet and wait for it: for the processor, too.
export default jestPreset({ maxWorkers: 2 });
