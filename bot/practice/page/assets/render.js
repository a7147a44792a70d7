// Turns a tree of plain data from safe_html.py into elements. Text stays text: nothing here sets HTML.
import { h } from "vue";
import { widgets } from "discord-page/widgets.js";

/**
 * Renders one node.
 * @param node text, or {tag, attrs, children, on}
 * @param onAction called with the action in `on` and the event's value, if it has one
 */
export function renderNode(node, onAction) {
  if (typeof node === "string") return node;
  const attrs = { ...node.attrs };
  for (const [event, action] of Object.entries(node.on ?? {})) {
    attrs[`on${event[0].toUpperCase()}${event.slice(1)}`] = (value) =>
      onAction(action, value instanceof Event ? null : value);
  }
  const inside = (node.children ?? []).map((child) => renderNode(child, onAction));
  const widget = widgets[node.tag];
  if (widget) return h(widget, attrs, inside.length ? { default: () => inside } : undefined);
  return h(node.tag, attrs, inside);
}
