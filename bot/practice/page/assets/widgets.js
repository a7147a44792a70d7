// Interactive parts of a message: ticking times, spoilers, pictures that enlarge, select menus.
import { h } from "vue";
import { Picker } from "discord-page/picker.js";
import { now, formatTime } from "discord-page/timestamps.js";

const Timestamp = {
  props: { at: Number, format: String },
  render() {
    const time = new Date(this.at * 1000);
    const full = formatTime(time, "F", now.value);
    return h("time", { datetime: time.toISOString(), title: full }, formatTime(time, this.format, now.value));
  },
};

const Spoiler = {
  props: { block: Boolean },
  data: () => ({ shown: false }),
  methods: {
    show() {
      this.shown = true;
    },
    onKey(event) {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.show();
    },
  },
  render() {
    const tag = this.block ? "div" : "span";
    const look = ["spoiler", this.block ? "block" : "", this.shown ? "shown" : ""];
    if (this.shown) return h(tag, { class: look }, this.$slots.default?.());
    const button = { role: "button", tabindex: 0, "aria-label": "Show spoiler" };
    const hidden = h(tag, { "aria-hidden": true, inert: true }, this.$slots.default?.());
    return h(tag, { class: look, onClick: this.show, onKeydown: this.onKey, ...button }, [hidden]);
  },
};

const Picture = {
  props: { src: String, alt: String, look: String },
  data: () => ({ large: false }),
  methods: {
    enlarge() {
      this.large = true;
      this.$nextTick(() => this.$refs.large.showModal());
    },
    shrink() {
      this.large = false;
    },
    renderLarge() {
      const look = { ref: "large", class: "large", "aria-label": this.alt };
      return h("dialog", { ...look, onClick: this.shrink, onClose: this.shrink }, [
        h("img", { src: this.src, alt: "" }),
        h("button", { type: "button", class: "icon close", "aria-label": "Close" }),
      ]);
    },
  },
  render() {
    return h("div", { class: ["picture", this.look] }, [
      h("button", { type: "button", onClick: this.enlarge, "aria-label": `Enlarge: ${this.alt}` }, [
        h("img", { src: this.src, alt: this.alt }),
      ]),
      this.large ? this.renderLarge() : null,
    ]);
  },
};

export const widgets = { timestamp: Timestamp, spoiler: Spoiler, picture: Picture, picker: Picker };
