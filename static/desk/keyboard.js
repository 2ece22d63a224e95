// The keyboard map. Single letters never act while somebody types, composes Chinese text, holds a key or a modifier,
// has a dialog open, or while a request is under way.
(() => {
  const GO = {
    h: "home", r: "review", o: "owners", m: "memories", c: "changes", b: "rollbacks", u: "suspects", i: "incidents", s: "system",
  };
  const TYPING = "input, textarea, select, [contenteditable=true]";
  let waitingForPlace = false;
  let requests = 0;

  const enabled = () => document.body.dataset.shortcuts !== "off";
  const sheet = () => document.getElementById("keyboard-sheet");

  function isDead(event) {
    return event.defaultPrevented || event.isComposing || event.keyCode === 229 || event.repeat ||
      event.ctrlKey || event.metaKey || event.altKey || requests > 0 ||
      event.target.closest?.(TYPING) || document.querySelector("dialog[open], .offcanvas.show");
  }

  function rows() {
    return [...document.querySelectorAll("[data-row]")].filter((row) => row.offsetParent !== null);
  }

  function move(step) {
    const all = rows();
    if (!all.length) return;
    const now = all.findIndex((row) => row.classList.contains("is-current"));
    const next = all[now < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(now + step, 0), all.length - 1)];
    all.forEach((row) => row.classList.toggle("is-current", row === next));
    const link = next.querySelector("a[data-open], a");
    (link || next).focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }

  function openCurrent() {
    document.querySelector("[data-row].is-current a[data-open], [data-row].is-current a")?.click();
  }

  function focusOn(selector) {
    const field = document.querySelector(selector);
    if (!field) return;
    field.focus();
    field.select?.();
  }

  const ACTIONS = {
    "?": () => sheet()?.showModal(),
    "/": () => focusOn("#finder"),
    g: () => { waitingForPlace = true; window.setTimeout(() => { waitingForPlace = false; }, 1500); },
    j: () => move(1),
    k: () => move(-1),
    o: openCurrent,
    f: () => focusOn("[data-filters] input:not([type=hidden]), [data-filters] select"),
    "[": () => document.querySelector("[data-key='older']")?.click(),
    "]": () => document.querySelector("[data-key='newer']")?.click(),
  };

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !event.isComposing && !event.repeat) {
      event.target.form?.requestSubmit();
      return;
    }
    if (!enabled() || isDead(event)) return;
    if (waitingForPlace && GO[event.key]) {
      waitingForPlace = false;
      event.preventDefault();
      document.querySelector(`[data-place="${GO[event.key]}"]`)?.click();
      return;
    }
    waitingForPlace = false;
    const action = ACTIONS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  document.addEventListener("htmx:before:request", () => { requests += 1; });
  document.addEventListener("htmx:finally:request", () => { requests = Math.max(0, requests - 1); });
})();
