/** What Preact would draw, as text: enough to see what stands where, and that nothing is markup. */

import { Component } from "../../../shared/forge/console/vendor/preact.js";

/** @param {any} drawn @returns {string} */
export function written(drawn) {
  if (drawn === null || drawn === undefined || typeof drawn === "boolean") return "";
  if (Array.isArray(drawn)) return drawn.map(written).join("");
  if (typeof drawn !== "object") return String(drawn).replaceAll("<", "&lt;");
  const { type, props } = drawn;
  if (typeof type === "function") return written(callOf(type, props));
  const attributes = Object.entries(props)
    .filter(([name, value]) => name !== "children" && value !== undefined && typeof value !== "function")
    .map(([name, value]) => ` ${name}="${value}"`);
  return `<${type}${attributes.join("")}>${written(props.children)}</${type}>`;
}

function callOf(type, props) {
  if (!(type.prototype instanceof Component)) return type(props);
  throw new Error("only functions are written");
}
