/** The page's script, in the language of browsers: the theme, closed cards, the keyboard. The map has its own (atlas.ts). */

/** In the head: before anything is drawn, it is known that there is a script, and which theme the reader chose. */
export const early = `(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try { const chosen = localStorage.getItem("telltale-theme"); if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen; } catch {}
})();`;

/** At the end of the page. */
export const script = `(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  const toggle = document.getElementById("theme");
  const say = () => { toggle.textContent = isDark() ? "Light" : "Dark"; toggle.setAttribute("aria-label", (isDark() ? "Light" : "Dark") + " theme"); };
  say();
  toggle.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("telltale-theme", root.dataset.theme); } catch {}
    say(); document.dispatchEvent(new Event("theme"));
  });
  dark.addEventListener("change", () => { say(); document.dispatchEvent(new Event("theme")); });

  // A link into a closed card opens it; on paper all are open.
  const unfold = () => { const at = location.hash.length > 1 && document.getElementById(location.hash.slice(1)); if (at) { if (at.tagName === "DETAILS") at.open = true; at.scrollIntoView(); } };
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();
  let opened = [];
  addEventListener("beforeprint", () => { opened = [...document.querySelectorAll("details:not([open])")]; for (const one of opened) one.open = true; });
  addEventListener("afterprint", () => { for (const one of opened) one.open = false; });

  // What is too wide for its place can be scrolled with the keyboard.
  const reachable = () => {
    // Read all, then write: in turns, a page of a thousand cards would be laid out a thousand times.
    const seen = [...document.querySelectorAll(".wide, .key ul, nav ul, pre")].filter((one) => !one.closest("details:not([open])"));
    const wider = seen.map((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1);
    seen.forEach((one, i) => { if (wider[i]) one.tabIndex = 0; else one.removeAttribute("tabindex"); });
  };
  reachable();
  addEventListener("resize", reachable);
  addEventListener("toggle", reachable, true);
})();`;
