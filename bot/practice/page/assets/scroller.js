// The list of messages: stays at the newest if it was there, and else leaves the reader's place alone.
import { h } from "vue";

const NEAR = 24;

export default {
  data: () => ({ atEnd: true }),
  mounted() {
    const frame = this.$refs.frame;
    this.watcher = new ResizeObserver(() => this.follow());
    this.last = 0;
    this.watcher.observe(frame);
    this.watcher.observe(this.$refs.list);
    this.follow();
  },
  unmounted() {
    this.watcher.disconnect();
  },
  methods: {
    follow() {
      const frame = this.$refs.frame;
      if (this.atEnd && frame) frame.scrollTop = frame.scrollHeight;
    },
    toEnd() {
      this.atEnd = true;
      this.follow();
    },
    onScroll() {
      const { scrollTop, scrollHeight, clientHeight } = this.$refs.frame;
      // Only who scrolls up leaves the end: a list that has grown meanwhile is not at its end either.
      if (scrollHeight - scrollTop - clientHeight < NEAR) this.atEnd = true;
      else if (scrollTop < this.last) this.atEnd = false;
      this.last = scrollTop;
    },
  },
  render() {
    const list = { ref: "list", class: "messages", "aria-label": "Messages", "data-message-list": "" };
    const down = { type: "button", class: "to-end", onClick: this.toEnd };
    return h("div", { class: "scroller-box" }, [
      h("div", { ref: "frame", class: "scroller", tabindex: -1, onScrollPassive: this.onScroll }, [
        h("ol", list, this.$slots.default?.()),
      ]),
      this.atEnd ? null : h("button", down, "Jump to the newest ↓"),
    ]);
  },
};
