// A select menu: a button that opens a list of options. One or several can be picked, also by keyboard.
import { h } from "vue";

let count = 0;

export const Picker = {
  inheritAttrs: false,
  props: {
    options: Array,
    placeholder: String,
    label: String,
    name: String,
    dataCustomId: String,
    min: { type: Number, default: 1 },
    max: { type: Number, default: 1 },
    disabled: Boolean,
    busy: Boolean,
  },
  emits: ["pick"],
  data() {
    const chosen = defaultValues(this.options);
    return { serial: ++count, open: false, at: 0, offered: this.options, chosen, before: "" };
  },
  watch: {
    // An edit of the message can bring new options. Only then do the picked ones go back to the default.
    // Those of an open list stay until it closes: under a finger, no option becomes another one.
    options(next, before) {
      if (JSON.stringify(next) === JSON.stringify(before)) return;
      if (!this.open) this.offer(next);
    },
    // To Discord's client a menu with another custom_id is another menu, in which nothing is picked yet.
    dataCustomId() {
      this.close();
      this.offer(this.options);
    },
  },
  beforeUnmount() {
    removeEventListener("scroll", this.place, { capture: true });
  },
  computed: {
    picked() {
      return this.offered.filter((option) => this.chosen.includes(option.value));
    },
  },
  methods: {
    offer(options) {
      this.offered = options;
      this.chosen = defaultValues(options);
    },
    show() {
      if (this.disabled || this.busy) return;
      this.open = true;
      this.before = this.chosen.join();
      this.at = Math.max(0, this.offered.findIndex((option) => this.chosen.includes(option.value)));
      this.$nextTick(() => {
        if (!this.open) return;
        this.$refs.list.showPopover();
        this.place();
        this.scrollToCurrent();
        // Scrolling does not bubble.
        addEventListener("scroll", this.place, { capture: true });
      });
    },
    place(event) {
      const list = this.$refs.list;
      if (!list || event?.target === list) return;
      const box = this.$refs.button.getBoundingClientRect();
      if (box.bottom < 0 || box.top > window.innerHeight) return this.hide();
      const below = window.innerHeight - box.bottom;
      const upward = below < Math.min(list.offsetHeight, 300) && box.top > below;
      list.style.left = `${box.left}px`;
      list.style.width = `${box.width}px`;
      list.style.maxHeight = `${Math.min(300, (upward ? box.top : below) - 12)}px`;
      list.style.top = upward ? "" : `${box.bottom + 4}px`;
      list.style.bottom = upward ? `${window.innerHeight - box.top + 4}px` : "";
    },
    close() {
      if (!this.open) return;
      this.open = false;
      removeEventListener("scroll", this.place, { capture: true });
      this.$refs.list?.hidePopover();
    },
    hide() {
      if (!this.open) return;
      this.close();
      const changed = this.chosen.join() !== this.before;
      if (this.max > 1 && changed && this.chosen.length >= this.min) this.send();
      if (JSON.stringify(this.options) !== JSON.stringify(this.offered)) this.offer(this.options);
    },
    send() {
      this.$emit("pick", [...this.chosen]);
    },
    take(option) {
      const had = this.chosen.includes(option.value);
      if (this.max > 1) {
        if (had) this.chosen = this.chosen.filter((value) => value !== option.value);
        else if (this.chosen.length < this.max) this.chosen = [...this.chosen, option.value];
        return;
      }
      this.chosen = had && this.min === 0 ? [] : [option.value];
      this.send();
      this.hide();
    },
    scrollToCurrent() {
      this.$refs.list.children[this.at]?.scrollIntoView({ block: "nearest" });
    },
    move(to) {
      this.at = Math.max(0, Math.min(this.offered.length - 1, to));
      this.$nextTick(this.scrollToCurrent);
    },
    onKey(event) {
      const keys = {
        ArrowDown: () => (this.open ? this.move(this.at + 1) : this.show()),
        ArrowUp: () => (this.open ? this.move(this.at - 1) : this.show()),
        Home: () => this.move(0),
        End: () => this.move(this.offered.length - 1),
        Enter: () => (this.open ? this.take(this.offered[this.at]) : this.show()),
        " ": () => (this.open ? this.take(this.offered[this.at]) : this.show()),
        Escape: () => this.hide(),
      };
      const act = keys[event.key];
      if (!act || (event.key === "Escape" && !this.open)) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    },
  },
  render() {
    const listId = `picker-${this.serial}`;
    const words = this.picked.map((option) => option.label);
    const shown = words.length ? words.join(", ") : this.placeholder;
    const button = h(
      "button",
      {
        ...this.$attrs,
        "data-custom-id": this.dataCustomId,
        ref: "button",
        type: "button",
        role: "combobox",
        class: ["picker", words.length ? "" : "empty", this.busy ? "busy" : ""],
        disabled: this.disabled,
        "aria-haspopup": "listbox",
        "aria-expanded": this.open,
        "aria-controls": listId,
        "aria-label": [this.label || this.placeholder, ...words].join(": "),
        "aria-activedescendant": this.open ? `${listId}-${this.at}` : undefined,
        onClick: () => (this.open ? this.hide() : this.show()),
        onKeydown: this.onKey,
        onBlur: this.hide,
      },
      [h("span", { class: "label" }, shown), h("span", { class: "caret" })],
    );
    const lines = this.offered.map((option, at) => {
      const isChosen = this.chosen.includes(option.value);
      return h(
        "li",
        {
          id: `${listId}-${at}`,
          key: option.value,
          role: "option",
          class: [at === this.at ? "at" : "", isChosen ? "chosen" : ""],
          "aria-selected": isChosen,
          "data-value": option.value,
          onPointermove: () => (this.at = at),
          // Keeps the focus on the button; otherwise the list would close before the click.
          onPointerdown: (event) => event.preventDefault(),
          onMousedown: (event) => event.preventDefault(),
          onClick: () => this.take(option),
        },
        [
          h("span", { class: "words" }, [
            h("span", { class: "label" }, option.label),
            option.description ? h("span", { class: "description" }, option.description) : null,
          ]),
          this.max > 1 ? h("span", { class: "tick" }) : null,
        ],
      );
    });
    const list = { ref: "list", id: listId, role: "listbox", popover: "manual", class: "picker-list" };
    const values = this.name ? this.chosen : [];
    return h("div", { class: "picker-box" }, [
      button,
      h("ul", { ...list, "aria-multiselectable": this.max > 1 }, lines),
      ...values.map((value) => h("input", { type: "hidden", name: this.name, value, key: value })),
    ]);
  },
};

function defaultValues(options) {
  return options.filter((option) => option.chosen).map((option) => option.value);
}
