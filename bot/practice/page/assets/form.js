// The dialog of a modal: shows its fields, keeps the focus inside, and hands over what was filled in.
import { h } from "vue";
import { draw } from "discord-page/draw.js";

export default {
  props: { heading: String, asker: String, node: Object, serial: Number, busy: Boolean, error: String },
  emits: ["submitted", "left"],
  watch: {
    serial() {
      this.show();
    },
  },
  mounted() {
    this.show();
  },
  methods: {
    show() {
      if (!this.node) return this.$refs.dialog.close();
      this.$nextTick(() => {
        if (!this.$refs.dialog.open) this.$refs.dialog.showModal();
        this.$refs.dialog.querySelector(".fields input, .fields textarea, .fields button")?.focus();
      });
    },
    submit(event) {
      event.preventDefault();
      if (this.busy) return;
      const values = {};
      for (const [name, value] of new FormData(event.target)) (values[name] ??= []).push(value);
      // An emptied select sends nothing of itself: it is named all the same.
      for (const menu of event.target.querySelectorAll(".picker[data-custom-id]"))
        values[menu.dataset.customId] ??= [];
      this.$emit("submitted", values);
    },
    leave() {
      this.$emit("left");
    },
  },
  render() {
    const head = [h("h2", { id: "form-heading" }, this.heading), close(this.leave)];
    const fields = this.node ? draw(this.node, () => {}) : null;
    const foot = [
      h("button", { type: "button", class: "button secondary", onClick: this.leave }, "Cancel"),
      h("button", { type: "submit", class: ["button", "primary", this.busy ? "busy" : ""] }, "Submit"),
    ];
    const note = `This form will be submitted to ${this.asker}.`;
    return h(
      "dialog",
      { ref: "dialog", class: "form", "aria-labelledby": "form-heading", onCancel: this.leave },
      // A fresh form for each modal, or what was typed into the last would stand in it.
      h("form", { key: this.serial, onSubmit: this.submit }, [
        h("div", { class: "form-head" }, head),
        h("p", { class: "form-note" }, note),
        fields,
        this.error ? h("p", { class: "failure", role: "alert" }, this.error) : null,
        h("div", { class: "form-foot" }, foot),
      ]),
    );
  },
};

function close(leave) {
  return h("button", { type: "button", class: "icon close", "aria-label": "Close", onClick: leave });
}
