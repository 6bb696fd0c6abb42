/** Where the steps of a plan stand in its picture, and which of them hold up its end. Numbers in, numbers out. */

export const NODE = { width: 184, height: 64 };
const APART = { layers: 44, neighbours: 16 };
const EDGE = 8;

/**
 * @typedef {{id: string, after: string[], weight: number}} Given `weight` is how long it takes, in whatever unit
 * @typedef {{id: string, x: number, y: number, layer: number}} Placed
 * @typedef {{from: string, to: string, path: string, isCritical: boolean}} Drawn
 * @typedef {{nodes: Placed[], edges: Drawn[], width: number, height: number, critical: string[]}} Layout
 */

/**
 * Each step stands one layer behind the last that it waits for, and near to those.
 * @param {Given[]} steps @param {{isDown?: boolean}} how layers go to the right, or down where there is no room for that
 * @returns {Layout}
 */
export function layoutOf(steps, { isDown = false } = {}) {
  const known = new Set(steps.map(({ id }) => id));
  const sound = steps.map((step) => ({ ...step, after: step.after.filter((id) => known.has(id) && id !== step.id) }));
  const layers = layersOf(sound);
  const most = Math.max(0, ...layers.map((layer) => layer.length));
  const nodes = layers.flatMap((layer, number) => layer.map((id, place) => placed(id, number, place + (most - layer.length) / 2, isDown)));
  const at = new Map(nodes.map((node) => [node.id, node]));
  const critical = criticalPath(sound);
  const onIt = new Set(critical.slice(1).map((id, place) => `${critical[place]} ${id}`));
  const edges = sound.flatMap((step) =>
    step.after.map((from) => ({
      from,
      to: step.id,
      path: curve(at.get(from), at.get(step.id), isDown),
      isCritical: onIt.has(`${from} ${step.id}`),
    })),
  );
  const along = 2 * EDGE + layers.length * (size(isDown).along + APART.layers) - APART.layers;
  const across = 2 * EDGE + most * (size(isDown).across + APART.neighbours) - APART.neighbours;
  const [width, height] = isDown ? [across, along] : [along, across];
  return { nodes, edges, width: Math.max(width, 2 * EDGE), height: Math.max(height, 2 * EDGE), critical };
}

/**
 * The chain of steps that takes longest, first to last: whoever wants an earlier end has to make one of these shorter.
 * @param {Given[]} steps @returns {string[]}
 */
export function criticalPath(steps) {
  const byId = new Map(steps.map((step) => [step.id, step]));
  /** @type {Map<string, {length: number, before: string | null}>} */
  const ends = new Map();
  for (const id of inOrder(steps)) {
    const step = /** @type {Given} */ (byId.get(id));
    // What is not there yet waits for this one, in a circle.
    const before = longestOf(step.after.filter((one) => ends.has(one)), ends);
    ends.set(id, { length: step.weight + (before === null ? 0 : (ends.get(before)?.length ?? 0)), before });
  }
  const chain = [];
  for (let last = longestOf([...ends.keys()], ends); last !== null; last = ends.get(last)?.before ?? null) chain.unshift(last);
  return chain;
}

/** @param {string[]} ids @param {Map<string, {length: number}>} ends @returns {string | null} the first of the longest */
function longestOf(ids, ends) {
  /** @type {string | null} */
  let best = null;
  for (const id of ids) if (best === null || (ends.get(id)?.length ?? 0) > (ends.get(best)?.length ?? 0)) best = id;
  return best;
}

/** Ids by layer; those of a layer in the order of what they wait for. @param {Given[]} steps @returns {string[][]} */
function layersOf(steps) {
  const byId = new Map(steps.map((step) => [step.id, step]));
  /** @type {Map<string, number>} */
  const layer = new Map();
  for (const id of inOrder(steps)) {
    const after = /** @type {Given} */ (byId.get(id)).after;
    layer.set(id, Math.max(-1, ...after.map((one) => layer.get(one) ?? -1)) + 1);
  }
  /** @type {string[][]} */
  const layers = [];
  for (const { id } of steps) (layers[layer.get(id) ?? 0] ??= []).push(id);
  /** @type {Map<string, number>} */
  const places = new Map();
  for (const ids of layers) {
    const wanted = (/** @type {string} */ id) => mean(/** @type {Given} */ (byId.get(id)).after.map((one) => places.get(one) ?? 0));
    const order = ids.map((id, place) => ({ id, place, wanted: wanted(id) }));
    order.sort((one, other) => one.wanted - other.wanted || one.place - other.place);
    ids.splice(0, ids.length, ...order.map(({ id }) => id));
    ids.forEach((id, place) => places.set(id, place - (ids.length - 1) / 2));
  }
  return layers;
}

/** Each behind all that it waits for; what waits for itself in a circle comes last. @param {Given[]} steps @returns {string[]} */
function inOrder(steps) {
  /** @type {string[]} */
  const order = [];
  const settled = new Set();
  let left = steps;
  while (left.length) {
    const next = left.filter(({ after }) => after.every((id) => settled.has(id)));
    const now = next.length ? next : left;
    for (const { id } of now) settled.add(id);
    order.push(...now.map(({ id }) => id));
    left = left.filter(({ id }) => !settled.has(id));
  }
  return order;
}

/** @param {number[]} numbers */
function mean(numbers) {
  return numbers.length ? numbers.reduce((sum, one) => sum + one, 0) / numbers.length : 0;
}

/** @param {boolean} isDown */
function size(isDown) {
  return isDown ? { along: NODE.height, across: NODE.width } : { along: NODE.width, across: NODE.height };
}

/** @param {string} id @param {number} layer @param {number} place @param {boolean} isDown @returns {Placed} */
function placed(id, layer, place, isDown) {
  const along = EDGE + layer * (size(isDown).along + APART.layers);
  const across = EDGE + place * (size(isDown).across + APART.neighbours);
  return isDown ? { id, layer, x: across, y: along } : { id, layer, x: along, y: across };
}

/** @param {any} from @param {any} to @param {boolean} isDown */
function curve(from, to, isDown) {
  if (isDown) {
    const [x, y, toX, toY] = [from.x + NODE.width / 2, from.y + NODE.height, to.x + NODE.width / 2, to.y];
    return `M${x} ${y}C${x} ${(y + toY) / 2} ${toX} ${(y + toY) / 2} ${toX} ${toY}`;
  }
  const [x, y, toX, toY] = [from.x + NODE.width, from.y + NODE.height / 2, to.x, to.y + NODE.height / 2];
  return `M${x} ${y}C${(x + toX) / 2} ${y} ${(x + toX) / 2} ${toY} ${toX} ${toY}`;
}
