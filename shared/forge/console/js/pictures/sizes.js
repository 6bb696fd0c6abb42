/** How much room a picture has. */

import { useEffect, useState } from "../../vendor/hooks.js";

const NARROW = "(max-width: 40rem)";

/** Whether this is a phone, or a window as narrow as one; told anew when it is turned. @returns {boolean} */
export function useNarrow() {
  const [isNarrow, set] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const hear = () => set(query.matches);
    query.addEventListener("change", hear);
    return () => query.removeEventListener("change", hear);
  }, []);
  return isNarrow;
}
