// One tree on the page. When it changes, Vue updates only the differences, so the focus stays.
import { renderNode } from "discord-page/widgets.js";

export default {
  props: { node: Object },
  emits: ["act"],
  render() {
    return renderNode(this.node, (action, value) => this.$emit("act", action, value));
  },
};
