// What scripts add: the page works without them. Shortcuts, the focus after a step, and a scan that shows itself.
"use strict";
(() => {
  const KEPT = "mfgit-keys";
  const all = (selector) => [...document.querySelectorAll(selector)];
  const dialog = document.querySelector("dialog.keys");
  const opener = document.querySelector(".keys-open");
  const chosen = document.querySelector("#keys-on");

  // ---- shortcuts, which can be switched off

  const stored = () => {
    try { return localStorage.getItem(KEPT) !== "off"; } catch { return true; }
  };
  const keep = (on) => {
    try { localStorage.setItem(KEPT, on ? "on" : "off"); } catch { /* a browser that keeps nothing asks again */ }
  };
  let on = stored();
  chosen.checked = on;
  chosen.addEventListener("change", () => { on = chosen.checked; keep(on); });
  opener.hidden = false;
  opener.addEventListener("click", () => dialog.showModal());

  const move = (step) => {
    const items = all("[data-item]");
    if (!items.length) return false;
    const at = items.indexOf(document.activeElement);
    const next = items[Math.min(items.length - 1, Math.max(0, at < 0 ? 0 : at + step))];
    next.focus();
    next.closest("li").scrollIntoView({ block: "nearest" });
    return true;
  };
  const reach = (element) => {
    if (element.tagName === "SUMMARY") {
      element.parentElement.open = true;
      element.parentElement.querySelector("textarea").focus();
    } else if (element.tagName === "A") {
      element.click();
    } else {
      element.focus();
      element.scrollIntoView({ block: "center" });
    }
    return true;
  };
  const acts = (key) => {
    if (key === "?") { dialog.showModal(); return true; }
    if ((key === "j" || key === "k") && move(key === "j" ? 1 : -1)) return true;
    if ("1234".includes(key)) {
      const link = all("header nav a")[Number(key) - 1];
      return Boolean(link) && reach(link);
    }
    const element = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    return Boolean(element) && reach(element);
  };
  document.addEventListener("keydown", (event) => {
    if (!on || dialog.open || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.key.length !== 1) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select")) return;
    if (acts(event.key)) event.preventDefault();
  });

  // ---- what came of the last step is read out first

  const said = document.querySelector("[data-focus]");
  if (said) said.focus();

  // ---- no form is sent twice

  for (const form of all("form[method=post]")) {
    form.addEventListener("submit", () => setTimeout(() => all("form[method=post] button").forEach((each) => { each.disabled = true; })));
  }
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  // ---- a preview takes seconds: it comes into the page when it is asked for

  for (const part of all("[data-load]")) {
    part.querySelector("a").addEventListener("click", async (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const before = part.innerHTML;
      part.textContent = part.dataset.loading;
      part.setAttribute("aria-busy", "true");
      try {
        const answer = await fetch(part.dataset.load, { credentials: "same-origin" });
        if (!answer.ok || answer.redirected) throw new Error();
        part.innerHTML = await answer.text();
      } catch {
        part.innerHTML = before;
        part.append(part.dataset.failed);
      }
      part.removeAttribute("aria-busy");
    });
  }

  // ---- a scan that runs

  const place = document.querySelector("[data-poll]");
  const running = () => place.querySelector("[data-state=running]") !== null;
  const look = async () => {
    try {
      const answer = await fetch(place.dataset.poll, { credentials: "same-origin" });
      if (answer.ok && !answer.redirected) place.innerHTML = await answer.text();
    } catch { /* the server may be starting again */ }
    if (running()) setTimeout(look, 700);
    else all("form[method=post] button").forEach((each) => { each.disabled = false; });
  };
  if (place && running()) setTimeout(look, 500);
})();
