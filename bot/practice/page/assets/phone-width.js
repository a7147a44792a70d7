// The switch that makes the page as narrow as a phone. The browser remembers it.
import { h, ref } from "vue";

const KEY = "phone-width";
const narrow = ref(localStorage.getItem(KEY) === "on");

function apply() {
  if (narrow.value) document.body.dataset.width = "phone";
  else delete document.body.dataset.width;
}

export const PhoneWidth = {
  mounted: apply,
  methods: {
    toggle() {
      narrow.value = !narrow.value;
      localStorage.setItem(KEY, narrow.value ? "on" : "off");
      apply();
    },
  },
  render() {
    const look = { type: "button", class: "icon phone", title: "Phone width" };
    const state = { role: "switch", "aria-label": "Phone width", "aria-checked": `${narrow.value}` };
    return h("button", { ...look, ...state, onClick: this.toggle });
  },
};
