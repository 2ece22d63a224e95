// Runs before the first paint: "auto" follows the system, and the page knows that scripts run.
(() => {
  const root = document.documentElement;
  root.classList.add("has-script");
  if (root.dataset.theme !== "auto") return;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => root.setAttribute("data-bs-theme", dark.matches ? "dark" : "light");
  follow();
  dark.addEventListener("change", follow);
})();
