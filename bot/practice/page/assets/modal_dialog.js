// The dialog of a modal: displays its fields, keeps the focus inside, and submits the values.
import { h } from "vue";
import { renderNode } from "discord-page/widgets.js";

export default {
  props: { heading: String, asker: String, node: Object, serial: Number, busy: Boolean, error: String },
  emits: ["submitted", "cancelled"],
  watch: {
    serial() {
      this.update();
    },
  },
  mounted() {
    this.update();
  },
  methods: {
    update() {
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
      // An empty select menu sends nothing, so it is added here.
      for (const menu of event.target.querySelectorAll(".picker[data-custom-id]"))
        values[menu.dataset.customId] ??= [];
      this.$emit("submitted", values);
    },
    cancel() {
      this.$emit("cancelled");
    },
  },
  render() {
    const head = [h("h2", { id: "form-heading" }, this.heading), close(this.cancel)];
    const fields = this.node ? renderNode(this.node, () => {}) : null;
    const foot = [
      h("button", { type: "button", class: "button secondary", onClick: this.cancel }, "Cancel"),
      h("button", { type: "submit", class: ["button", "primary", this.busy ? "busy" : ""] }, "Submit"),
    ];
    const note = `This form will be submitted to ${this.asker}.`;
    return h(
      "dialog",
      { ref: "dialog", class: "form", "aria-labelledby": "form-heading", onCancel: this.cancel },
      // A new form for each modal, or it would keep the last one's text.
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

function close(cancel) {
  return h("button", { type: "button", class: "icon close", "aria-label": "Close", onClick: cancel });
}
