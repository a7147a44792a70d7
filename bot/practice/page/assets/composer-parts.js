// The composer's elements: the text line, the command with its fields, and the list of suggestions.
import { h } from "vue";
import { KINDS } from "discord-page/command-parser.js";

/** The line for a message or the start of a command. */
export function renderLine(it) {
  return h("textarea", {
    ref: "text",
    rows: 1,
    value: it.text,
    disabled: !it.writable,
    placeholder: it.placeholder,
    role: "combobox",
    "aria-label": it.placeholder,
    "aria-expanded": it.matches.length > 0,
    "aria-controls": "offers",
    "aria-autocomplete": "list",
    "aria-activedescendant": it.matches.length ? `offer-${it.at}` : undefined,
    "data-composer": "",
    maxlength: 2000,
    onInput: it.onText,
    onKeydown: it.onTextKey,
  });
}

/** A command with its option fields, and buttons that add more options. */
export function renderCommand(it) {
  const more = (option) => {
    const add = () => (it.open(option.name), it.focus(option.name));
    const look = { type: "button", key: option.name, title: option.description };
    return h("button", { ...look, onClick: add }, `+${option.shown}`);
  };
  return h("div", { class: "command" }, [
    h("span", { class: "command-name" }, `/${it.command.shown}`),
    ...it.fields.map((field) => renderField(it, field)),
    h("input", {
      ref: "tail",
      class: "tail",
      value: it.tail,
      "aria-label": `/${it.command.shown}: press Enter to send`,
      autocomplete: "off",
      onFocus: () => (it.focused = null),
      onInput: it.onTail,
      onKeydown: it.onTailKey,
    }),
    h("span", { class: "more-options" }, it.unused.map(more)),
  ]);
}

function renderField(it, field) {
  const { name, shown, required } = field.option;
  const offering = it.focused === name && it.choices.length > 0;
  return h("label", { key: name, class: ["option", field.error ? "wrong" : ""] }, [
    h("span", { class: "option-name" }, shown),
    h("input", {
      value: field.text,
      "data-option": name,
      "aria-label": `${shown}${required ? "" : ", optional"}`,
      "aria-invalid": Boolean(field.error),
      "aria-controls": "offers",
      "aria-activedescendant": offering ? `offer-${it.at}` : undefined,
      autocomplete: "off",
      size: Math.max(6, field.text.length + 1),
      onFocus: () => it.onFocus(field),
      onInput: (event) => it.onField(field, event),
      onKeydown: (event) => it.onFieldKey(field, event),
    }),
  ]);
}

/** Commands or option values that match the typed text; without matches, a hint for the option. */
export function renderOffers(it) {
  if (!it.popup.length) return it.field ? renderHint(it.field.option) : null;
  const lines = it.command
    ? it.choices.map((choice, at) => offer(it, at, choice.name, "", () => it.choose(choice)))
    : it.matches.map((command, at) =>
        offer(it, at, usage(command), command.description, () => it.enter(command, "")),
      );
  const label = it.command ? `Values for ${it.field.option.shown}` : "Commands";
  const list = { ref: "popup", id: "offers", class: "offers", role: "listbox", "aria-label": label };
  return h("ul", list, lines);
}

function offer(it, at, title, words, take) {
  return h(
    "li",
    {
      id: `offer-${at}`,
      key: title,
      role: "option",
      class: at === it.at ? "at" : "",
      "aria-selected": at === it.at,
      onPointermove: () => (it.at = at),
      // Keeps the focus on the line, so that typing goes on.
      onPointerdown: (event) => event.preventDefault(),
      onMousedown: (event) => event.preventDefault(),
      onClick: take,
    },
    [h("span", { class: "label" }, title), h("span", { class: "description" }, words)],
  );
}

function renderHint(option) {
  return h("div", { class: "offers hint" }, [
    h("span", { class: "label" }, option.shown),
    h("span", { class: "description" }, option.description),
    h("span", { class: "description" }, KINDS[option.type] ?? ""),
  ]);
}

function usage(command) {
  const needed = command.options.filter((option) => option.required);
  return [`/${command.shown}`, ...needed.map((option) => option.shown)].join(" ");
}
