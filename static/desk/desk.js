// What makes the pages smooth; every one of them works without it.
(() => {
  const announce = (text) => { document.getElementById("announcements").textContent = text; };

  function showError(text) {
    const banner = document.getElementById("request-error");
    banner.querySelector("[data-text]").textContent = text;
    banner.hidden = false;
  }

  document.addEventListener("htmx:before:request", (event) => {
    document.getElementById("request-error").hidden = true;
    event.detail.ctx.target?.setAttribute("aria-busy", "true");
  });

  document.addEventListener("htmx:finally:request", (event) => {
    event.detail.ctx.target?.removeAttribute("aria-busy");
  });

  // One place for everything that can go wrong with a request; the page and what was typed stay as they are.
  document.addEventListener("htmx:response:error", (event) => {
    const { status, headers } = event.detail.ctx.response;
    // A form that has a place of its own for this answer shows it there.
    if (event.detail.ctx.sourceElement?.hasAttribute(`hx-status:${status}`)) return;
    const banner = document.getElementById("request-error");
    const request = headers.get("X-Request-ID");
    showError(`${status >= 500 ? banner.dataset.failed : banner.dataset.refused} (${status}${request ? ", " + request : ""})`);
  });
  document.addEventListener("htmx:error", () => {
    showError(document.getElementById("request-error").dataset.offline);
  });

  document.addEventListener("htmx:after:swap", () => {
    const said = document.querySelector("[data-announce]");
    if (said) announce(said.dataset.announce);
    drawCharts();
  document.addEventListener("htmx:after:swap", drawCharts);
  });

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open-dialog]");
    if (opener) {
      event.preventDefault();
      document.getElementById(opener.dataset.openDialog)?.showModal();
    }
    if (event.target.closest("[data-close-dialog]")) event.target.closest("dialog")?.close();
    if (event.target.closest("[data-dismiss]")) event.target.closest(".banner").hidden = true;
    const link = event.target.closest("a[data-copy-link]");
    if (link && navigator.clipboard) {
      event.preventDefault();
      navigator.clipboard.writeText(link.href).then(() => announce(link.dataset.copied), () => { location.href = link.href; });
    }
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      const text = document.getElementById(copy.dataset.copy).textContent;
      navigator.clipboard?.writeText(text).then(() => announce(copy.dataset.copied));
    }
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = document.querySelector("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });

  // Charts: the library is fetched only when a chart is on the page and near the screen.
  let library = null;
  function loadLibrary(source) {
    library ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = source;
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
    return library;
  }

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  async function draw(chart) {
    const [response] = await Promise.all([
      fetch(chart.dataset.chart, { headers: { Accept: "application/json" } }), loadLibrary(chart.dataset.library),
    ]);
    if (!response.ok) return;
    const figure = await response.json();
    const paint = () => {
      const axis = { gridcolor: colour("--desk-line"), linecolor: colour("--desk-line"), zerolinecolor: colour("--desk-line"), fixedrange: true };
      figure.data.forEach((trace) => {
        const tone = { color: colour(trace.meta === "quiet" ? "--desk-line-strong" : "--desk-accent") };
        Object.assign(trace, { marker: { ...trace.marker, ...tone }, line: { ...trace.line, ...tone } });
        if (trace.error_x) Object.assign(trace.error_x, tone);
      });
      return window.Plotly.react(chart, figure.data, {
        ...figure.layout, paper_bgcolor: "transparent", plot_bgcolor: "transparent",
        font: { family: getComputedStyle(document.body).fontFamily, size: 12, color: colour("--desk-muted") },
        margin: { t: 8, r: 8, b: 32, l: 36 }, bargap: 0.35,
        xaxis: { ...axis, showgrid: false, ...figure.layout.xaxis }, yaxis: { ...axis, ...figure.layout.yaxis, rangemode: "tozero" },
      }, { displayModeBar: false, responsive: true });
    };
    await paint();
    chart.removeAttribute("aria-busy");
    new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ["data-bs-theme"] });
  }

  function drawCharts() {
    document.querySelectorAll("[data-chart]:not([data-drawn])").forEach((chart) => {
      chart.dataset.drawn = "yes";
      new IntersectionObserver((entries, observer) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        draw(chart);
      }).observe(chart);
    });
  }
  drawCharts();
})();
