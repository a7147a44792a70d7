// One tree on the page. When the tree changes, Vue changes what differs and leaves alone what has the focus.
import { draw } from "discord-page/draw.js";

export default {
  props: { node: Object },
  emits: ["act"],
  render() {
    return draw(this.node, (action, value) => this.$emit("act", action, value));
  },
};
