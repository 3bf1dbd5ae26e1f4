/** The answer, if it comes in time; else the error that `late` makes. Whatever comes afterwards is ignored. */
export async function within<Answer>(
  asked: Promise<Answer>,
  timeoutMs: number,
  late: () => Error,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeoutMs);
  });
  try {
    return await Promise.race([asked, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
