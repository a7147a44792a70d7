// A picture on its own, over the whole window. It stays until it is closed, whatever happens to its message.

/**
 * Shows a picture until a click or Escape.
 * @param src its address
 * @param alt its alt text, which names the dialog
 */
export function enlargePicture(src, alt) {
  const dialog = document.createElement("dialog");
  dialog.className = "large";
  dialog.ariaLabel = alt;
  const picture = Object.assign(document.createElement("img"), { src, alt: "" });
  const close = Object.assign(document.createElement("button"), { type: "button", className: "icon close" });
  close.ariaLabel = "Close";
  dialog.append(picture, close);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
