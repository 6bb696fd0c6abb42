/** What surrounds every page: where one is, where one can go, and how much waits. */

import { useEffect, useState } from "../vendor/hooks.js";
import { theWorkspace } from "./allowed.js";
import { Refused } from "./api.js";
import { h } from "./dom.js";
import { openPalette } from "./palette.js";
import { paths } from "./routes.js";

/** @typedef {import("./areas.js").Area} Area */
/** @typedef {import("./areas.js").Place} Place */

/**
 * @param {{app: any, areas: Area[], page: string, count: number, signOut: () => void}} given `page` is the name of the
 * one that is open
 */
export function Chrome({ app, areas, page, count, signOut }) {
  const [isOpen, setOpen] = useState(false);
  // Whoever has arrived looks at the page.
  useEffect(() => setOpen(false), [page]);
  return h(
    "header",
    { class: isOpen ? "bar open" : "bar" },
    h("a", { class: "brand", href: paths.inbox }, "Forge", h(Workspace, null)),
    h(
      "button",
      { type: "button", class: "quiet menu", "aria-expanded": String(isOpen), "aria-controls": "places", onclick: () => setOpen(!isOpen) },
      "Menu",
      count ? h("span", { class: "badge" }, String(count)) : null,
    ),
    h("nav", { id: "places", "aria-label": "Console" }, areas.map((area) => h(AreaLinks, { key: area.title, area, page, count }))),
    h(
      "div",
      { class: "foot" },
      h(
        "button",
        { type: "button", class: "quiet find", "aria-keyshortcuts": "Control+K", onclick: () => openPalette(app) },
        "Find",
        h("kbd", { "aria-hidden": "true" }, "Ctrl K"),
      ),
      h("button", { type: "button", class: "quiet", onclick: signOut }, "Sign out"),
    ),
  );
}

/** @param {{area: Area, page: string, count: number}} given */
function AreaLinks({ area, page, count }) {
  return h(
    "div",
    { class: "area" },
    area.title ? h("p", { class: "title" }, area.title) : null,
    area.places.map((place) => h(PlaceLink, { key: place.path, place, isHere: place.pages.includes(page), count })),
  );
}

/** @param {{place: Place, isHere: boolean, count: number}} given */
function PlaceLink({ place, isHere, count }) {
  const badge = place.counts && count ? h("span", { class: "badge" }, String(count)) : null;
  return h("a", { href: place.path, "aria-current": isHere ? "page" : undefined }, place.text, badge);
}

/** Where one is. */
function Workspace() {
  const [name, setName] = useState("");
  useEffect(() => {
    tellName(setName);
  }, []);
  return h("span", { class: "workspace" }, name);
}

/** @param {(name: string) => void} tell */
async function tellName(tell) {
  try {
    tell((await theWorkspace()).name);
  } catch (refusal) {
    // The page itself says what is wrong; a name is no reason to.
    if (!(refusal instanceof Refused)) throw refusal;
  }
}
