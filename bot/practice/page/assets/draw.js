// Turns a tree of plain data, as nodes.py makes it, into elements. Texts stay texts: nothing here sets HTML.
import { h } from "vue";
import { widgets } from "discord-page/widgets.js";

/**
 * Draws one node.
 * @param node a text, or {tag, attrs, children, on}
 * @param tell called with the action of `on` and the value of the event, if it has one
 */
export function draw(node, tell) {
  if (typeof node === "string") return node;
  const attrs = { ...node.attrs };
  for (const [event, action] of Object.entries(node.on ?? {})) {
    attrs[`on${event[0].toUpperCase()}${event.slice(1)}`] = (value) =>
      tell(action, value instanceof Event ? null : value);
  }
  const inside = (node.children ?? []).map((child) => draw(child, tell));
  const widget = widgets[node.tag];
  if (widget) return h(widget, attrs, inside.length ? { default: () => inside } : undefined);
  return h(node.tag, attrs, inside);
}
