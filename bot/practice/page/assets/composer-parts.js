// How the composer looks: the line or the command with its fields, and the list of offers above it.
import { h } from "vue";
import { KINDS } from "discord-page/typing.js";

/** The line for a plain message or the name of a command. */
export function drawText(it) {
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

/** A command with the fields of its options, and those that may be added. */
export function drawCommand(it) {
  const more = (option) => {
    const add = () => (it.open(option.name), it.focus(option.name));
    const look = { type: "button", key: option.name, title: option.description };
    return h("button", { ...look, onClick: add }, `+${option.name}`);
  };
  return h("div", { class: "command" }, [
    h("span", { class: "command-name" }, `/${it.command.name}`),
    ...it.fields.map((field) => drawField(it, field)),
    h("input", {
      ref: "tail",
      class: "tail",
      value: it.tail,
      "aria-label": `/${it.command.name}: Enter sends it`,
      autocomplete: "off",
      onFocus: () => (it.focused = null),
      onInput: it.onTail,
      onKeydown: it.onTailKey,
    }),
    h("span", { class: "more-options" }, it.unused.map(more)),
  ]);
}

function drawField(it, field) {
  const { name, required } = field.option;
  const offering = it.focused === name && it.choices.length > 0;
  return h("label", { key: name, class: ["option", field.error ? "wrong" : ""] }, [
    h("span", { class: "option-name" }, name),
    h("input", {
      value: field.text,
      "data-option": name,
      "aria-label": `${name}${required ? "" : ", optional"}`,
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

/** What fits what is typed: commands, or values of an option; else what the option wants. */
export function drawOffers(it) {
  if (!it.popup.length) return it.field ? drawHint(it.field.option) : null;
  const lines = it.command
    ? it.choices.map((choice, at) => offer(it, at, choice.name, "", () => it.choose(choice)))
    : it.matches.map((command, at) =>
        offer(it, at, usage(command), command.description, () => it.enter(command, "")),
      );
  const label = it.command ? `Values for ${it.focused}` : "Commands";
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
      // The line keeps the focus, or what is typed next would go nowhere.
      onPointerdown: (event) => event.preventDefault(),
      onMousedown: (event) => event.preventDefault(),
      onClick: take,
    },
    [h("span", { class: "label" }, title), h("span", { class: "description" }, words)],
  );
}

function drawHint(option) {
  return h("div", { class: "offers hint" }, [
    h("span", { class: "label" }, option.name),
    h("span", { class: "description" }, option.description),
    h("span", { class: "description" }, KINDS[option.type] ?? ""),
  ]);
}

function usage(command) {
  const needed = command.options.filter((option) => option.required);
  return [`/${command.name}`, ...needed.map((option) => option.name)].join(" ");
}
