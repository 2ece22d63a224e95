// Keys of the review pages, the lease of a review that is worked on, and no second decision while one is under way.
(() => {
  const TYPING = "input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true]";
  let isDeciding = false;
  let waitsForDigit = false;
  let lease = null;

  function isDead(event) {
    return event.defaultPrevented || event.isComposing || event.keyCode === 229 || event.repeat || isDeciding ||
      document.body.dataset.shortcuts === "off" || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey ||
      event.target.closest?.(TYPING) || document.querySelector("dialog[open], .offcanvas.show, .htmx-request");
  }

  const isShown = (element) => !element.disabled && element.checkVisibility();

  function press(control) {
    control.scrollIntoView({ block: "nearest" });
    control.click();
    if (control.tagName !== "SUMMARY") return;
    const choice = control.parentElement;
    waitsForDigit = choice.open && "digits" in control.dataset;
    const first = choice.open && !waitsForDigit && choice.querySelector("textarea, select, input:not([type=hidden]), button");
    (first || control).focus();
  }

  // On a phone the actions lie behind their tab; a key opens it.
  function shortcut(key) {
    const found = [...document.querySelectorAll(`[data-shortcut="${key}"]`)];
    const hidden = found.find((control) => control.closest(".pane.is-decide"));
    if (hidden && !found.some(isShown)) document.getElementById("pane-decide").checked = true;
    return found.find(isShown);
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && waitsForDigit && !event.isComposing) {
      waitsForDigit = false;
      const open = document.querySelector("details[open] > [data-digits]");
      if (open) { open.click(); open.focus(); }
      return;
    }
    if (isDead(event)) return;
    if (waitsForDigit && /^[0-9=-]$/.test(event.key)) {
      event.preventDefault();
      const reason = document.querySelector(`[data-digit="${event.key}"]`);
      const note = document.getElementById("reject-note");
      if (event.key === "0" && note && !note.value.trim()) { waitsForDigit = false; note.focus(); return; }
      reason?.click();
      return;
    }
    const meant = window.meantKey(event.key);
    const control = /^[a-z]$/.test(meant) && shortcut(meant);
    if (!control) return;
    event.preventDefault();
    waitsForDigit = false;
    press(control);
  });

  // One decision at a time: a second press while the first is on its way would meet the next review, unseen.
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-decide]")) return;
    if (isDeciding && !event.target.matches(".htmx-request")) { event.preventDefault(); event.stopImmediatePropagation(); return; }
    isDeciding = true;
  }, true);
  document.addEventListener("htmx:finally:request", (event) => {
    const status = event.detail.ctx.response?.status;
    if (status !== 204) isDeciding = false;
    if (status === 410) window.location.reload();
    if (status >= 400) document.querySelector("#conflict [role=alert]")?.scrollIntoView({ block: "nearest" });
  });
  window.addEventListener("pageshow", () => { isDeciding = false; });

  // Who else has the page open, and whether the review has moved: asked while the page is seen, answered only when it changed.
  const watched = document.querySelector("[data-viewers]");
  let seen = "";
  async function watch() {
    if (document.visibilityState !== "visible") return;
    const response = await fetch(watched.dataset.viewers, { headers: seen ? { "If-None-Match": seen } : {} }).catch(() => null);
    if (response?.status !== 200 || response.redirected) return;
    seen = response.headers.get("ETag") ?? "";
    const said = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("viewers");
    const shown = document.getElementById("viewers");
    if (!said || said.textContent === shown.textContent) return;
    shown.replaceWith(said);
    document.getElementById("announcements").textContent = said.textContent;
  }
  if (watched) {
    window.setInterval(watch, 15_000);
    document.addEventListener("visibilitychange", watch);
  }

  // The lease: renewed while the page is seen, given back when it is left.
  const review = document.querySelector("[data-held]");
  function body() {
    const data = new FormData();
    data.set("quiet", "1");
    data.set("csrfmiddlewaretoken", document.querySelector("#approve-form [name=csrfmiddlewaretoken]").value);
    return data;
  }
  async function renew() {
    if (document.visibilityState !== "visible") return;
    const response = await fetch(review.dataset.held, { method: "POST", body: body() }).catch(() => null);
    if (response?.status !== 409) return;
    window.clearInterval(lease);
    const banner = document.getElementById("request-error");
    banner.querySelector("[data-text]").textContent = review.parentElement.querySelector("[data-lost]").dataset.lost;
    banner.hidden = false;
  }
  if (review) {
    lease = window.setInterval(renew, 60_000);
    document.addEventListener("visibilitychange", renew);
    window.addEventListener("pagehide", () => { if (!isDeciding) navigator.sendBeacon(review.dataset.release, body()); });
  }

  // The offer to undo goes when its time is over.
  const undo = document.getElementById("undo");
  if (undo) window.setTimeout(() => { undo.hidden = true; }, Math.max(0, new Date(undo.dataset.until) - Date.now()));
})();
