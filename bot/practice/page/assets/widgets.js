// Interactive parts of the page: ticking times, spoilers, pictures that enlarge, select menus, switches.
import { h } from "vue";
import { PhoneWidth } from "discord-page/phone-width.js";
import { enlargePicture } from "discord-page/large-picture.js";
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
  render() {
    const enlarge = () => enlargePicture(this.src, this.alt);
    return h("div", { class: ["picture", this.look] }, [
      h("button", { type: "button", onClick: enlarge, "aria-label": `Enlarge: ${this.alt}` }, [
        h("img", { src: this.src, alt: this.alt }),
      ]),
    ]);
  },
};

const Choice = {
  props: { options: Array, value: String, label: String },
  emits: ["pick"],
  render() {
    const pick = (event) => this.$emit("pick", event.target.value);
    const options = this.options.map(({ label, value }) => h("option", { key: value, value }, label));
    const look = { class: "choice", "aria-label": this.label, title: this.label };
    return h("select", { ...look, value: this.value, onChange: pick }, options);
  },
};

export const widgets = {
  timestamp: Timestamp,
  spoiler: Spoiler,
  picture: Picture,
  picker: Picker,
  choice: Choice,
  phonewidth: PhoneWidth,
};
