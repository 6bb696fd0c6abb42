/** Keeps what is shown fresh: about every fifteen seconds, while somebody looks, and less often when asked to wait. */

const LONGEST = 120;

/**
 * @param {() => Promise<void>} load
 * @param {{seconds: number, hidden?: number, trouble: (refusal: Error | null) => void}} how `hidden` is how often while
 * nobody looks, unless never; `trouble` hears null when all is well again
 */
export function keepFresh(load, { seconds, hidden = Infinity, trouble }) {
  const keeper = { load, seconds, hidden, trouble, wait: seconds, dueAt: Infinity, timer: 0, isOver: false, loading: null };
  const look = () => schedule(keeper);
  document.addEventListener("visibilitychange", look);
  return {
    stop() {
      keeper.isOver = true;
      clearTimeout(keeper.timer);
      document.removeEventListener("visibilitychange", look);
    },
    /** What is being read may be older than what was just done, so it is read again. */
    async now() {
      await keeper.loading;
      await run(keeper);
    },
  };
}

function schedule(keeper) {
  clearTimeout(keeper.timer);
  const later = document.hidden ? Math.max(0, keeper.hidden - keeper.seconds) * 1000 : 0;
  if (keeper.isOver || keeper.dueAt + later === Infinity) return;
  keeper.timer = setTimeout(() => run(keeper), Math.max(0, keeper.dueAt + later - Date.now()));
}

function run(keeper) {
  if (!keeper.isOver) keeper.loading ??= loadOnce(keeper);
  return keeper.loading;
}

async function loadOnce(keeper) {
  try {
    await keeper.load();
    keeper.wait = keeper.seconds;
    keeper.trouble(null);
  } catch (refusal) {
    keeper.wait = Math.max(refusal.retryAfter ?? 0, Math.min(keeper.wait * 2, LONGEST));
    keeper.trouble(refusal);
  }
  keeper.loading = null;
  keeper.dueAt = Date.now() + keeper.wait * 1000;
  schedule(keeper);
}
