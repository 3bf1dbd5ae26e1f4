import type { LoadProof } from './load-run.js';

/** A grid of all numbers from first to last, where gaps and duplicates stand out. */
export function AnswerGrid({ proof }: { readonly proof: LoadProof }) {
  const given = new Set(proof.answers.flatMap(({ issued }) => (issued ? [issued.sequence] : [])));
  const length = Math.max(proof.requestCount, proof.last - proof.first + 1);
  return (
    <ol class="answers" aria-label="Answers in numerical order">
      {Array.from({ length }, (_, index) => {
        const sequence = proof.first + index;
        const kind = proof.twice.has(sequence) ? 'twice' : given.has(sequence) ? 'given' : '';
        return (
          <li key={index} class={kind}>
            {proof.first === 0 ? '·' : sequence}
          </li>
        );
      })}
    </ol>
  );
}
