import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Numbering } from '@solegate/doc-numbering';
import type { RedisConnection } from '@solegate/redis-infra';
import type { MasterData } from '../master-data/master-data.js';
import { Breaker } from './breaker.js';
import { ensureDemoSeries } from './demo-series.js';

/** Room for more numbers than a run can take, in a project of their own. */
const PROJECT = { code: 'BREAK', name: 'Attempts to break it' };
const TYPE = 'RFA';
const TEMPLATE = '{PROJECT}-{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:9}';
/** Codes of the demo data: a counter for each pair. */
const organizationCodes = ['TEAM', 'OWN', 'CON'];
const disciplineCodes = ['STR', 'ARC', 'MEP'];

interface DemoBreakerParts {
  readonly numbering: Numbering;
  readonly data: MasterData;
  readonly redis: { readonly background: RedisConnection };
}

/** Attempts to break the gateway of this process, on embedded stores. */
export function demoBreaker({ numbering, data, redis }: DemoBreakerParts, server: Server): Breaker {
  const space = async (): Promise<string> => String((await data.projects.ensure(PROJECT)).id);
  return new Breaker({
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    async prepare() {
      await ensureDemoSeries(numbering, { space: await space(), series: TYPE, template: TEMPLATE });
      return { projectCode: PROJECT.code, typeCode: TYPE, organizationCodes, disciplineCodes };
    },
    async countHoles() {
      const findings = await numbering.reconcile({ space: await space() });
      return findings.reduce(
        (sum, finding) => sum + (finding.kind === 'HOLE' ? finding.last - finding.first + 1 : 0),
        0,
      );
    },
    async stopRedis(forMs) {
      await redis.background.call('CLIENT', 'PAUSE', String(forMs), 'ALL');
    },
  });
}
