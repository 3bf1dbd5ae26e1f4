import { Crew, type CrewOptions } from '../workers/crew.js';

/**
 * The crews of one scenario, opened when first needed and kept, so that the next shape of load finds its workers warm
 * and no experiment pays for forking again.
 */
export class CrewPool implements AsyncDisposable {
  readonly #crews = new Map<string, Promise<Crew>>();

  constructor(private readonly common: Pick<CrewOptions, 'subjects' | 'setup'>) {}

  get(subject: string, processCount: number): Promise<Crew> {
    const key = `${subject} × ${processCount}`;
    let crew = this.#crews.get(key);
    if (crew === undefined) {
      crew = Crew.open({ ...this.common, subject, processCount });
      this.#crews.set(key, crew);
    }
    return crew;
  }

  /** Ends all crews. One that is needed later is opened again. */
  async endAll(): Promise<void> {
    const crews = await Promise.allSettled(this.#crews.values());
    this.#crews.clear();
    const opened = crews.flatMap((crew) => (crew.status === 'fulfilled' ? [crew.value] : []));
    await Promise.all(opened.map((crew) => crew.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endAll();
  }
}
