import type { LoadProof } from './load-run.js';

/** The numbers from the first to the last, each in its place: a hole or a double one is seen at once. */
export function AnswerGrid({ proof }: { readonly proof: LoadProof }) {
  const given = new Set(proof.answers.flatMap(({ issued }) => (issued ? [issued.sequence] : [])));
  const length = Math.max(proof.requestCount, proof.last - proof.first + 1);
  return (
    <ol class="answers" aria-label="Answers in the order of the numbers">
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
