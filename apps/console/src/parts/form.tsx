import type { ComponentChildren } from 'preact';

interface FormProps {
  readonly class: string;
  readonly onSubmit: () => unknown;
  readonly children: ComponentChildren;
}

/** A form that the page submits itself. */
export function Form({ class: look, onSubmit, children }: FormProps) {
  return (
    <form
      class={look}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
