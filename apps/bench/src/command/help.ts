import { scenarioNames } from '../suite/scenarios.js';

/** What `--help` prints. */
export const HELP = `
npm run bench                                    everything, on this machine, about 35 minutes
npm run bench -- --quick                         the short form for CI, about two minutes
npm run bench -- --scenario trips --parallel 1000 --processes 4
npm run bench -- --only numbers.spread.4x25      one experiment, a minute
npm run bench -- --scenario numbers --rate 50 --duration 60s
npm run bench -- --target http://localhost:4000  against running gateways
npm run bench -- compare A.json B.json           is B faster, slower, or is it noise?
npm run bench -- publish A.json                  store a result and write its figures into the READMEs

The bench starts its own PostgreSQL (fsync on) and Redis on free ports, runs the same work on Solegate and on its
alternatives in turns, checks every answer against the stores, and only then prints speed. A broken guarantee ends the
run with exit code 1 and the smallest evidence of it, whatever the speed.

Options
  --scenario <name>    ${scenarioNames.join(', ')}; can be repeated. Default: all
  --only <name>        of the scenarios numbers, trips and gateway, only experiments whose names begin so: numbers.spread
  --parallel <n>       concurrent callers, 1 to 10,000. Default: 100, and the shapes that the figures need
  --processes <n>      worker processes that share the callers, 1 to 64. Default: 1, and the shapes of the figures
  --duration <time>    length of one measured run, for example 800ms, 10s, 2m. Default: 3s; bursts last as long as
                       they take. Figures of sides timed for less are marked (cold)
  --rate <n>           open loop: n requests arrive per second whatever happens; latency counts from the moment at
                       which each was due. Default: closed loop, each caller sends its next request after a response
  --repeats <n>        runs of every subject, interleaved, 1 to 10. Default: 3 (2 with --quick); to compare results, 5
  --seed <n>           repeats the random choices of a run. Default: random, and printed
  --quick              fewer and shorter runs, only what the figures need
  --target <url>       gateways to send GraphQL to, or their balancer; can be repeated. No servers are started
  --header <k: v>      sent with every request to a target, for example "authorization: Bearer …"; can be repeated
  --output <folder>    folder of the result and its page. Default: bench-results
  --help               this text

Exit codes: 0 all guarantees held · 1 a guarantee was broken · 2 the command line is wrong · 3 the bench itself failed.
A missed speed target is printed but does not fail the run: machines differ.
`;
