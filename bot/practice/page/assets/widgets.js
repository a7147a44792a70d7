// Turns a tree of plain data from safe_html.py into elements, and has the interactive parts of the page.
// Text stays text: nothing here sets HTML.
import { h, ref } from "vue";
import { Picker } from "discord-page/picker.js";

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

// Times as text, in the person's language and the user's time zone, as Discord writes them.

/** The current time in milliseconds; updates each second, so that relative times tick. */
const now = ref(Date.now());
setInterval(() => (now.value = Date.now()), 1000);

const STEPS = [
  ["year", 365 * 86400],
  ["month", 30 * 86400],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

/** The language that the person has chosen. */
const language = ref();
const formats = {};

/** What writes times of a style in that language, made once. */
function formatOf(style) {
  return (formats[`${language.value} ${style}`] ??= new Intl.DateTimeFormat(language.value, STYLES[style]));
}

function relativeTime(time, present) {
  const seconds = Math.round((time - present) / 1000);
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? STEPS.at(-1);
  const relative = new Intl.RelativeTimeFormat(language.value, { numeric: seconds ? "always" : "auto" });
  return relative.format(Math.trunc(seconds / size), unit);
}

function nextToName(time, present) {
  const midnight = new Date(present).setHours(0, 0, 0, 0);
  const clock = formatOf("t").format(time);
  if (time >= midnight) return `Today at ${clock}`;
  if (time >= midnight - 86400_000) return `Yesterday at ${clock}`;
  return formatOf("s").format(time);
}

/**
 * A time as text.
 * @param time a Date
 * @param style Discord's letter for the style, or "message" for the time next to an author's name
 * @param present the current time in milliseconds
 */
function formatTime(time, style, present) {
  if (style === "R") return relativeTime(time, present);
  if (style === "message") return nextToName(time, present);
  return formatOf(style).format(time);
}

/**
 * Shows a picture over the whole window until a click or Escape, whatever happens to its message.
 * @param src its address
 * @param alt its alt text, which names the dialog
 */
function enlargePicture(src, alt) {
  const dialog = document.createElement("dialog");
  dialog.className = "large";
  dialog.ariaLabel = alt;
  const picture = Object.assign(document.createElement("img"), { src, alt: "" });
  const close = Object.assign(document.createElement("button"), { type: "button", className: "icon close" });
  close.ariaLabel = "Close";
  dialog.append(picture, close);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const KEY = "phone-width";
const narrow = ref(localStorage.getItem(KEY) === "on");

function apply() {
  if (narrow.value) document.body.dataset.width = "phone";
  else delete document.body.dataset.width;
}

/** The switch that makes the page as narrow as a phone. The browser remembers it. */
const PhoneWidth = {
  mounted: apply,
  methods: {
    toggle() {
      narrow.value = !narrow.value;
      localStorage.setItem(KEY, narrow.value ? "on" : "off");
      apply();
    },
  },
  render() {
    const look = { type: "button", class: "icon phone", title: "Phone width" };
    const state = { role: "switch", "aria-label": "Phone width", "aria-checked": `${narrow.value}` };
    return h("button", { ...look, ...state, onClick: this.toggle });
  },
};

const Timestamp = {
  props: { at: Number, format: String },
  render() {
    const time = new Date(this.at * 1000);
    const full = formatTime(time, "F", now.value);
    return h("time", { datetime: time.toISOString(), title: full }, formatTime(time, this.format, now.value));
  },
};

const Picture = {
  props: { src: String, alt: String },
  render() {
    const enlarge = () => enlargePicture(this.src, this.alt);
    return h("div", { class: "picture" }, [
      h("button", { type: "button", onClick: enlarge, "aria-label": `Enlarge: ${this.alt}` }, [
        h("img", { src: this.src, alt: this.alt }),
      ]),
    ]);
  },
};

const Choice = {
  props: { options: Array, value: String, label: String },
  emits: ["pick"],
  created() {
    this.$watch("value", (value) => (language.value = value), { immediate: true });
  },
  render() {
    const pick = (event) => this.$emit("pick", event.target.value);
    const options = this.options.map(({ label, value }) => h("option", { key: value, value }, label));
    const look = { class: "choice", "aria-label": this.label, title: this.label };
    return h("select", { ...look, value: this.value, onChange: pick }, options);
  },
};

const widgets = {
  timestamp: Timestamp,
  picture: Picture,
  picker: Picker,
  choice: Choice,
  phonewidth: PhoneWidth,
};
