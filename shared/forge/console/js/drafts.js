/** What somebody was about to say, kept while they look elsewhere: in this tab alone, and until they sign out. */

/** @type {Map<string, string>} by the path of the page and the name of the field */
const kept = new Map();

/** @param {Element} place @param {string} path */
export function keepDrafts(place, path) {
  for (const field of fieldsIn(place)) {
    const name = `${path} ${field.dataset.draft}`;
    if (field.value.trim()) kept.set(name, field.value);
    else kept.delete(name);
  }
}

/** @param {Element} place @param {string} path */
export function bringDrafts(place, path) {
  for (const field of fieldsIn(place)) {
    const words = kept.get(`${path} ${field.dataset.draft}`);
    if (words && !field.value) field.value = words;
  }
}

export function forgetDrafts() {
  kept.clear();
}

/** @param {Element} place @returns {HTMLTextAreaElement[]} */
function fieldsIn(place) {
  return [...place.querySelectorAll("textarea[data-draft]")].map((field) => /** @type {HTMLTextAreaElement} */ (field));
}
