import { Crew, type CrewOptions } from '../workers/crew.js';
import type { SubjectSetup } from '../workers/subject.js';
import type { RunSettings } from './run-settings.js';

/** Where crews work; subjects that need no stores get none. */
interface CrewPlace extends Partial<Pick<SubjectSetup, 'databaseUrl' | 'redisUrl' | 'facts'>> {
  /** The control switch removes a guard if it names this scenario, or one of these. */
  readonly scenario: string | readonly string[];
  /** A module that exports the table `subjects`. */
  readonly subjects: URL;
}

/**
 * The crews of one scenario, opened when first needed and kept, so that the next shape of load finds its workers warm
 * and no experiment pays for forking again.
 */
export class CrewPool implements AsyncDisposable {
  readonly #crews = new Map<string, Promise<Crew>>();

  readonly #common: Pick<CrewOptions, 'subjects' | 'setup'>;

  constructor({ seed, sabotage }: Pick<RunSettings, 'seed' | 'sabotage'>, place: CrewPlace) {
    const { scenario, subjects, databaseUrl = '', redisUrl = '', facts = {} } = place;
    const sabotaged = [scenario].flat().some((name) => sabotage.has(name));
    this.#common = { subjects, setup: { databaseUrl, redisUrl, seed, facts, sabotaged } };
  }

  get(subject: string, processCount: number): Promise<Crew> {
    const key = `${subject} × ${processCount}`;
    let crew = this.#crews.get(key);
    if (crew === undefined) {
      crew = Crew.open({ ...this.#common, subject, processCount });
      this.#crews.set(key, crew);
    }
    return crew;
  }

  /** Ends all crews. One that is needed later is opened again. */
  async endAll(): Promise<void> {
    const crews = await Promise.allSettled(this.#crews.values());
    this.#crews.clear();
    const opened = crews.flatMap((crew) => (crew.status === 'fulfilled' ? [crew.value] : []));
    await Promise.all(opened.map((crew) => crew[Symbol.asyncDispose]()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endAll();
  }
}
