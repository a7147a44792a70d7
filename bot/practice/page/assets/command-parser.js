// Parses a typed slash command: its name, its options, and whether each value is valid.

const [STRING, INTEGER, USER] = [3, 4, 6];

/** The value each kind of option expects. */
export const KINDS = {
  [STRING]: "text",
  [INTEGER]: "a whole number",
  [USER]: "a member",
};

/** The names under which a command or an option can be typed: the one in the person's language, and its own. */
export function namesOf({ shown, name }) {
  return shown === name ? [name] : [shown, name];
}

/** The command at the start of a line such as "/table open game:gnau", and the rest; or null. */
export function commandAt(commands, line) {
  const typed = line.slice(1);
  const lower = typed.trimEnd().toLowerCase();
  const found = commands
    .flatMap((command) => namesOf(command).map((name) => ({ command, name })))
    .filter(({ name }) => lower === name || lower.startsWith(`${name} `))
    .sort((one, other) => other.name.length - one.name.length)[0];
  return found ? { command: found.command, rest: typed.slice(found.name.length).trim() } : null;
}

/**
 * Splits "5 game:gnau" into [{name, text}]; text before any name belongs to `first`.
 * Only the command's own option names count, so text may contain a colon.
 */
export function optionParts(command, text, first) {
  const names = command.options.flatMap(namesOf);
  if (!names.length) return [];
  const mark = new RegExp(`(?:^|\\s)(${names.map(escape).join("|")}):\\s*`, "giu");
  const marks = [...text.matchAll(mark)];
  const lead = text.slice(0, marks[0]?.index ?? text.length);
  const parts = first && lead.trim() ? [{ name: first, text: marks.length ? lead.trim() : lead }] : [];
  marks.forEach((it, at) => {
    const begin = it.index + it[0].length;
    const end = marks[at + 1]?.index ?? text.length;
    const typed = it[1].toLowerCase();
    const { name } = command.options.find((option) => namesOf(option).includes(typed));
    parts.push({ name, text: text.slice(begin, end) });
  });
  return parts;
}

/** The values a field offers that match the typed text: choices or members. */
export function choicesOf(field, members) {
  const typed = field.text.trim().toLowerCase().replace(/^@/, "");
  return listed(field.option, members).filter((it) => it.name.toLowerCase().includes(typed));
}

/** Sets the field's value and returns "", or returns what is wrong with it. */
export function check(field, { members }) {
  const { option } = field;
  const text = field.text.trim();
  if (!text) return option.required ? "This option is required." : "";
  if (field.value !== undefined) return "";
  const list = listed(option, members);
  if (list.length || option.type === USER) {
    const plain = text.toLowerCase().replace(/^@/, "");
    const one = list.find((it) => [it.name.toLowerCase(), `${it.value}`.toLowerCase()].includes(plain));
    if (!one) return "Pick one from the list.";
    field.value = one.value;
    return "";
  }
  if (option.type === INTEGER) return checkNumber(field, text);
  if (text.length < (option.min_length ?? 0)) return `At least ${option.min_length} characters.`;
  if (text.length > (option.max_length ?? 6000)) return `At most ${option.max_length ?? 6000} characters.`;
  return "";
}

/** The values of checked fields, by option name. */
export function valuesByName(fields) {
  return Object.fromEntries(fields.filter((it) => it.text.trim()).map((it) => [it.option.name, valueOf(it)]));
}

function valueOf(field) {
  if (field.value !== undefined) return field.value;
  const text = field.text.trim();
  return field.option.type === INTEGER ? Number(text) : text;
}

function checkNumber(field, text) {
  const { min_value: least, max_value: most } = field.option;
  const range = [least === undefined ? "" : `at least ${least}`, most === undefined ? "" : `at most ${most}`];
  const wanted = [KINDS[INTEGER], ...range].filter(Boolean).join(", ");
  const fits = /^[+-]?\d{1,15}$/.test(text) && !(Number(text) < least) && !(Number(text) > most);
  return fits ? "" : `Enter ${wanted}.`;
}

function listed(option, members) {
  if (option.choices?.length) return option.choices;
  return option.type === USER ? members : [];
}

function escape(name) {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
