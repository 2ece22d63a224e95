// The keyboard map. Single letters never act while somebody types, composes Chinese text, holds a key or a modifier,
// has a dialog open, or while a request is under way. A person may have given an action another key.
(() => {
  const GO = {
    h: "home", r: "review", o: "owners", m: "memories", c: "changes", b: "rollbacks", u: "suspects", i: "incidents", s: "system",
    w: "whitelist", p: "policies",
  };
  const TYPING = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true]";
  const own = JSON.parse(document.body.dataset.keys || "{}");
  const meanings = new Map(Object.entries(own).map(([action, key]) => [key, action]));
  let opened = "";
  let requests = 0;
  let lastTicked = null;

  // What a pressed key stands for; "" for one whose action moved to another key.
  window.meantKey = (key) => meanings.get(key) ?? (key in own ? "" : key);

  const enabled = () => document.body.dataset.shortcuts !== "off";
  const sheet = () => document.getElementById("keyboard-sheet");
  const announce = (text) => { document.getElementById("announcements").textContent = text; };

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

  // Ticks of a list: one, from the last one to this, all of the page, none.
  const tickOf = (row) => row?.querySelector("input[type=checkbox]");

  function sayTicks() {
    const bar = document.querySelector("[data-ticked]");
    if (bar) announce(`${rows().filter((row) => tickOf(row)?.checked).length} ${bar.dataset.ticked}`);
  }

  function tick(isRange) {
    const all = rows().filter(tickOf);
    const now = all.findIndex((row) => row.classList.contains("is-current"));
    if (now < 0) return;
    const from = all.indexOf(lastTicked);
    if (isRange && from >= 0) {
      all.slice(Math.min(from, now), Math.max(from, now) + 1).forEach((row) => { tickOf(row).checked = tickOf(lastTicked).checked; });
    } else {
      tickOf(all[now]).checked = !tickOf(all[now]).checked;
      lastTicked = all[now];
    }
    sayTicks();
  }

  function tickAll(checked) {
    rows().map(tickOf).filter(Boolean).forEach((box) => { box.checked = checked; });
    sayTicks();
  }

  function focusOn(selector) {
    const field = document.querySelector(selector);
    if (!field) return;
    field.closest("details")?.setAttribute("open", "");
    field.focus();
    field.select?.();
  }

  // The sheet names only what works on this page.
  function fitSheet() {
    sheet()?.querySelectorAll("[data-needs]").forEach((line) => { line.hidden = !document.querySelector(line.dataset.needs); });
  }

  // Some keys open a second step: a place, a choice of ticks, a saved view.
  const SECOND = {
    g: (key) => document.querySelector(`[data-place="${GO[key]}"]`)?.click(),
    "*": (key) => { if (key === "a" || key === "n") tickAll(key === "a"); },
    v: (key) => document.querySelectorAll("[data-view]")[Number(key) - 1]?.click(),
  };

  function openStep(key) {
    opened = key;
    window.setTimeout(() => { if (opened === key) opened = ""; }, 1500);
  }

  const ACTIONS = {
    "?": () => sheet()?.showModal(),
    "/": () => focusOn("#finder"),
    g: () => openStep("g"),
    "*": () => openStep("*"),
    v: () => openStep("v"),
    j: () => move(1),
    k: () => move(-1),
    o: openCurrent,
    x: () => tick(false),
    X: () => tick(true),
    f: () => focusOn("[data-filters] input:not([type=hidden]), [data-filters] select"),
    t: () => focusOn("#valid_at"),
    "[": () => document.querySelector("[data-key='older']")?.click(),
    "]": () => document.querySelector("[data-key='newer']")?.click(),
  };

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !event.isComposing && !event.repeat) {
      event.target.form?.requestSubmit();
      return;
    }
    if (!enabled() || isDead(event)) return;
    if (event.key === "Escape" && rows().some((row) => tickOf(row)?.checked)) { tickAll(false); return; }
    if (opened && event.key !== "Shift") {
      const step = opened;
      opened = "";
      if (/^[a-z1-9]$/.test(event.key)) { event.preventDefault(); SECOND[step](event.key); return; }
    }
    const meant = window.meantKey(event.shiftKey && /^[A-Z]$/.test(event.key) ? event.key.toLowerCase() : event.key);
    const action = ACTIONS[event.shiftKey && /^[a-z]$/.test(meant) ? meant.toUpperCase() : meant];
    if (!action) return;
    event.preventDefault();
    action();
  });

  document.addEventListener("htmx:after:swap", fitSheet);
  fitSheet();
  document.addEventListener("htmx:before:request", () => { requests += 1; });
  document.addEventListener("htmx:finally:request", () => { requests = Math.max(0, requests - 1); });
})();
