// Times in words, in the reader's language and time zone, as Discord writes them.
import { ref } from "vue";

/** The present, renewed each second: whatever is drawn with it ticks. */
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

const LOOKS = {
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
  Object.entries(LOOKS).map(([look, style]) => [look, new Intl.DateTimeFormat(undefined, style)]),
);

function fromNow(moment, present) {
  const seconds = Math.round((moment - present) / 1000);
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? STEPS.at(-1);
  return relative.format(Math.trunc(seconds / size), unit);
}

function besideName(moment, present) {
  const midnight = new Date(present).setHours(0, 0, 0, 0);
  const time = formats.t.format(moment);
  if (moment >= midnight) return `Today at ${time}`;
  if (moment >= midnight - 86400_000) return `Yesterday at ${time}`;
  return formats.s.format(moment);
}

/**
 * A moment in words.
 * @param moment a Date
 * @param look Discord's letter for the style, or "message" for the time beside an author's name
 * @param present the time it is, in milliseconds
 */
export function say(moment, look, present) {
  if (look === "R") return fromNow(moment, present);
  if (look === "message") return besideName(moment, present);
  return formats[look].format(moment);
}
