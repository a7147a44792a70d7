// The line at the bottom: messages, and slash commands with options, choices and suggestions.
import { h } from "vue";
import { renderCommand, renderOffers, renderLine } from "discord-page/composer-parts.js";
import { check, choicesOf, commandAt, namesOf, optionParts, valuesByName } from "discord-page/command-parser.js";

const PAUSE = 150;

export default {
  props: { commands: Array, members: Array, placeholder: String, writable: Boolean },
  emits: ["send", "run", "unknown", "suggest"],
  data: () => ({
    text: "",
    command: null,
    fields: [],
    tail: "",
    focused: null,
    at: 0,
    moved: false,
    closed: false,
    offers: [],
    asked: 0,
    answered: 0,
    error: "",
  }),
  computed: {
    matches() {
      if (this.command || this.closed || !this.text.startsWith("/")) return [];
      const typed = this.text.slice(1).toLowerCase();
      const begins = (name) => name.startsWith(typed) || typed.startsWith(`${name} `);
      const begin = this.commands.filter((it) => namesOf(it).some(begins));
      const contains = (it) => !begin.includes(it) && namesOf(it).some((name) => name.includes(typed));
      const contain = this.commands.filter(contains);
      return [...begin, ...contain];
    },
    field() {
      return this.fields.find((it) => it.option.name === this.focused) ?? null;
    },
    unused() {
      const used = this.fields.map((it) => it.option.name);
      return (this.command?.options ?? []).filter((it) => !used.includes(it.name));
    },
    choices() {
      if (!this.field || this.closed || this.field.value !== undefined) return [];
      if (this.field.option.autocomplete) return this.suggestions;
      return choicesOf(this.field, this.members);
    },
    suggestions() {
      if (this.answered === this.asked) return this.offers;
      // These are for an older text: Enter must not pick one that no longer matches.
      const typed = this.field.text.trim().toLowerCase();
      return this.offers.filter((it) => it.name.toLowerCase().includes(typed));
    },
    popup() {
      return this.command ? this.choices : this.matches;
    },
  },
  methods: {
    // Called by the page.

    startCommand(name) {
      const command = this.commands.find((it) => it.name === name);
      if (command) this.enter(command, "");
    },
    showSuggestions(serial, choices) {
      if (serial !== this.asked) return;
      this.answered = serial;
      this.offers = choices;
      this.at = 0;
    },
    showError(text) {
      this.error = text;
    },

    // A message, or the name of a command.

    onText(event) {
      this.text = event.target.value;
      this.at = 0;
      this.moved = false;
      this.closed = false;
      this.error = "";
      const found = this.text.endsWith(" ") ? commandAt(this.commands, this.text) : null;
      // A space after a full command name opens its options, unless a longer name is possible.
      if (found && !found.rest && found.command.options.length) this.enter(found.command, "");
    },
    onTextKey(event) {
      if (this.popupKey(event, () => this.enter(this.matches[this.at], ""))) return;
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.sendText();
    },
    sendText() {
      if (!this.text.trim()) return;
      if (!this.text.startsWith("/")) {
        this.$emit("send", this.text);
        this.reset();
        return;
      }
      const found = this.moved ? null : commandAt(this.commands, this.text);
      if (found) {
        this.enter(found.command, found.rest);
        this.$nextTick(this.send);
      } else if (this.matches.length) {
        this.enter(this.matches[this.at], "");
      } else {
        this.$emit("unknown", this.text.slice(1));
      }
    },

    // The options of a command.

    enter(command, rest) {
      this.command = command;
      this.fields = command.options.filter((it) => it.required).map(blank);
      this.tail = "";
      this.error = "";
      const parts = optionParts(command, rest, this.fields[0]?.option.name ?? command.options[0]?.name);
      parts.forEach(({ name, text }) => this.fill(name, text));
      const first = this.fields.find((it) => !it.text) ?? null;
      this.focus(first?.option.name ?? null);
    },
    fill(name, text) {
      this.open(name);
      const field = this.fields.find((it) => it.option.name === name);
      Object.assign(field, { text, value: undefined, error: "" });
      return field;
    },
    open(name) {
      const option = this.unused.find((it) => it.name === name);
      if (option) this.fields.push(blank(option));
    },
    drop(field) {
      this.fields = this.fields.filter((it) => it !== field);
      this.focus(null);
    },
    focus(name) {
      this.focused = name;
      this.closed = false;
      this.$nextTick(() => {
        const named = name && this.$refs.box.querySelector(`[data-option="${name}"]`);
        (named || this.$refs.tail || this.$refs.text)?.focus();
      });
    },
    onFocus(field) {
      this.focused = field.option.name;
      this.at = 0;
      this.closed = false;
      this.offers = [];
      this.ask(field, 0);
    },
    onField(field, event) {
      const name = field.option.name;
      const parts = optionParts(this.command, event.target.value, name);
      Object.assign(field, { text: "", value: undefined, error: "" });
      this.error = "";
      parts.forEach((part) => this.fill(part.name, part.text));
      const last = parts.at(-1)?.name ?? name;
      if (last !== name) return this.focus(last);
      this.at = 0;
      this.closed = false;
      this.ask(field, PAUSE);
    },
    ask(field, pause) {
      if (!field.option.autocomplete || field.value !== undefined) return;
      clearTimeout(this.timer);
      const serial = ++this.asked;
      this.timer = setTimeout(() => {
        if (!this.command || serial !== this.asked) return;
        const others = valuesByName(this.fields.filter((it) => it !== field && it.text && !check(it, this)));
        const asked = { serial, command: this.command.name, focused: field.option.name, value: field.text };
        this.$emit("suggest", { ...asked, others });
      }, pause);
    },
    choose(choice) {
      Object.assign(this.field, { text: choice.name, value: choice.value, error: "" });
      this.error = "";
      const next = this.fields.find((it) => it.option.required && !it.text);
      this.focus(next?.option.name ?? null);
    },
    onFieldKey(field, event) {
      if (this.popupKey(event, () => this.choose(this.choices[this.at]))) return;
      if (event.key === "Backspace" && !field.text) {
        event.preventDefault();
        if (field.option.required) this.leave();
        else this.drop(field);
      } else this.commandKey(event);
    },
    onTail(event) {
      this.tail = event.target.value;
      const parts = optionParts(this.command, this.tail, null);
      if (!parts.length) return;
      this.tail = "";
      parts.forEach((part) => this.fill(part.name, part.text));
      this.focus(parts.at(-1).name);
    },
    onTailKey(event) {
      if (event.key === "Backspace" && !this.tail) {
        event.preventDefault();
        const last = this.fields.at(-1);
        if (last) this.focus(last.option.name);
        else this.leave();
      } else this.commandKey(event);
    },
    commandKey(event) {
      if (event.key === "Enter" && !event.isComposing) {
        event.preventDefault();
        this.send();
      } else if (event.key === "Escape") {
        event.preventDefault();
        this.leave();
      }
    },
    leave() {
      const { shown } = this.command;
      this.reset();
      this.text = `/${shown}`;
      this.closed = true;
    },
    send() {
      if (!this.command) return;
      if (this.tail.trim()) {
        this.error = "Name the option first, as in name:value.";
        return;
      }
      const used = this.fields.filter((it) => it.option.required || it.text.trim());
      used.forEach((it) => (it.error = check(it, this)));
      const wrong = used.find((it) => it.error);
      if (wrong) {
        this.error = `${wrong.option.shown}: ${wrong.error}`;
        return this.focus(wrong.option.name);
      }
      this.$emit("run", { command: this.command.name, options: valuesByName(used) });
      this.reset();
    },
    reset() {
      Object.assign(this, { text: "", command: null, fields: [], tail: "", at: 0, error: "", offers: [] });
      clearTimeout(this.timer);
      this.focus(null);
    },

    // The list of suggestions.

    popupKey(event, take) {
      const length = this.popup.length;
      if (!length) return false;
      const moves = { ArrowDown: 1, ArrowUp: length - 1 };
      if (event.key in moves) {
        this.at = (this.at + moves[event.key]) % length;
        this.moved = true;
      } else if (event.key === "Escape") this.closed = true;
      else if (event.key === "Tab" && !event.shiftKey) take();
      else if (event.key === "Enter" && this.command) take();
      else return false;
      event.preventDefault();
      this.$nextTick(() => this.$refs.popup?.querySelector(".at")?.scrollIntoView({ block: "nearest" }));
      return true;
    },
  },
  render() {
    return h("div", { ref: "box", class: "composer" }, [
      renderOffers(this),
      h("div", { class: "composer-line" }, [
        this.command ? renderCommand(this) : renderLine(this),
        h("button", {
          type: "button",
          class: "icon send",
          "aria-label": "Send",
          disabled: !this.writable,
          onClick: () => (this.command ? this.send() : this.sendText()),
        }),
      ]),
      h("p", { class: "composer-error", role: "alert" }, this.error),
    ]);
  },
};

function blank(option) {
  return { option, text: "", value: undefined, error: "" };
}
