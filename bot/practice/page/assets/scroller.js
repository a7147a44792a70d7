// The list of messages. It follows the newest message unless the user has scrolled up.
import { h } from "vue";

const NEAR = 24;
/** The pixels below a tall board in which talk is seen. */
const TALK = 88;
/** Of a message, fewer pixels than these are hidden behind the board. */
const SLIVER = 44;

export default {
  data: () => ({ atEnd: true }),
  mounted() {
    const frame = this.$refs.frame;
    this.watcher = new ResizeObserver(() => this.follow());
    this.remember(frame);
    this.watcher.observe(frame);
    this.watcher.observe(this.$refs.list);
    this.follow();
  },
  updated() {
    this.follow();
  },
  unmounted() {
    this.watcher.disconnect();
  },
  methods: {
    follow() {
      const frame = this.$refs.frame;
      if (!frame) return;
      if (this.atEnd) frame.scrollTop = frame.scrollHeight;
      const board = Array.from(this.$refs.list.querySelectorAll(".board")).at(-1);
      if (board) frame.style.setProperty("--board-top", `${this.boardTop(board, frame.getBoundingClientRect())}px`);
      this.remember(frame);
    },
    /** Where the newest board stays: its end is between two messages, so that none below it is seen in part. */
    boardTop(board, { top, bottom }) {
      const lowest = Math.min(0, bottom - top - TALK - board.offsetHeight);
      const edge = top + lowest + board.offsetHeight;
      for (let later = board.nextElementSibling; later; later = later.nextElementSibling) {
        const message = later.getBoundingClientRect();
        const seen = message.bottom - edge;
        if (seen <= 0) continue;
        const hidden = seen < SLIVER && later.nextElementSibling;
        return hidden ? lowest + seen : Math.min(lowest, message.top - edge + lowest);
      }
      return lowest;
    },
    remember({ scrollTop, scrollHeight, clientHeight }) {
      this.last = { scrollTop, scrollHeight, clientHeight };
    },
    toEnd() {
      this.atEnd = true;
      this.follow();
    },
    highlight(messageId) {
      // Later, because a channel that has just been opened has no layout yet.
      requestAnimationFrame(() => {
        const message = this.$refs.list?.querySelector(`[data-message-id="${CSS.escape(messageId)}"]`);
        if (!message) return;
        this.atEnd = message === this.$refs.list.lastElementChild;
        message.scrollIntoView({ block: "nearest" });
        message.animate([{ background: "#5865f259" }, {}], 1500);
      });
    },
    onScroll() {
      const { scrollTop, scrollHeight, clientHeight } = this.$refs.frame;
      // Only scrolling up leaves the end. If a size changed, the browser scrolled, not the user.
      const sameSize = scrollHeight === this.last.scrollHeight && clientHeight === this.last.clientHeight;
      if (scrollHeight - scrollTop - clientHeight < NEAR) this.atEnd = true;
      else if (sameSize && scrollTop < this.last.scrollTop) this.atEnd = false;
      this.remember(this.$refs.frame);
    },
  },
  render() {
    const list = { ref: "list", class: "messages", "aria-label": "Messages", "data-message-list": "" };
    const frame = { ref: "frame", class: ["scroller", this.atEnd ? "at-end" : ""], tabindex: -1 };
    const down = { type: "button", class: "to-end", onClick: this.toEnd };
    return h("div", { class: "scroller-box" }, [
      h("div", { ...frame, onScrollPassive: this.onScroll }, [h("ol", list, this.$slots.default?.())]),
      this.atEnd ? null : h("button", down, "Jump to the newest ↓"),
    ]);
  },
};
