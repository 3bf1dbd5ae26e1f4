import { jestPreset } from '@solegate/testkit/jest-preset';

// These files start servers and wait for what they notice: three of them keep two processors less busy than one of others.
export default jestPreset({ maxWorkers: 3 });
