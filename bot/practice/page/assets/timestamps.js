// Times as text, in the user's language and time zone, as Discord writes them.
import { ref } from "vue";

/** The current time in milliseconds; updates each second, so that relative times tick. */
export const now = ref(Date.now());
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

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "always" });
const formats = Object.fromEntries(
  Object.entries(STYLES).map(([style, options]) => [style, new Intl.DateTimeFormat(undefined, options)]),
);

function relativeTime(time, present) {
  const seconds = Math.round((time - present) / 1000);
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? STEPS.at(-1);
  return relative.format(Math.trunc(seconds / size), unit);
}

function nextToName(time, present) {
  const midnight = new Date(present).setHours(0, 0, 0, 0);
  const clock = formats.t.format(time);
  if (time >= midnight) return `Today at ${clock}`;
  if (time >= midnight - 86400_000) return `Yesterday at ${clock}`;
  return formats.s.format(time);
}

/**
 * A time as text.
 * @param time a Date
 * @param style Discord's letter for the style, or "message" for the time next to an author's name
 * @param present the current time in milliseconds
 */
export function formatTime(time, style, present) {
  if (style === "R") return relativeTime(time, present);
  if (style === "message") return nextToName(time, present);
  return formats[style].format(time);
}
