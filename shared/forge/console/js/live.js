/** Keeps what is shown fresh: about every fifteen seconds, while somebody looks, and less often when asked to wait. */

const LONGEST = 120;

/**
 * @param {() => Promise<void>} load
 * @param {{seconds: number, trouble: (refusal: Error | null) => void}} how `trouble` hears null when all is well again
 */
export function keepFresh(load, { seconds, trouble }) {
  let timer = 0;
  let wait = seconds;
  let dueAt = 0;
  let isOver = false;
  let loading = null;

  function schedule() {
    clearTimeout(timer);
    if (isOver || document.hidden) return;
    timer = setTimeout(run, Math.max(0, dueAt - Date.now()));
  }

  async function once() {
    try {
      await load();
      wait = seconds;
      trouble(null);
    } catch (refusal) {
      wait = Math.max(refusal.retryAfter ?? 0, Math.min(wait * 2, LONGEST));
      trouble(refusal);
    }
    loading = null;
    dueAt = Date.now() + wait * 1000;
    schedule();
  }

  function run() {
    if (!isOver) loading ??= once();
    return loading;
  }

  /** What is being read may be older than what was just done. */
  async function now() {
    await loading;
    await run();
  }

  document.addEventListener("visibilitychange", schedule);
  dueAt = Date.now() + wait * 1000;
  return {
    stop() {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", schedule);
    },
    now,
  };
}
