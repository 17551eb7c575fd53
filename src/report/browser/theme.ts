/** Light or dark: what the system says, until the reader chooses. */

export type Theme = "light" | "dark";

/** Where the choice is remembered. */
const place = "telltale-theme";
/** The event that says that the colors are others now; scripts hear it, whichever of them changed the theme. */
const changed = "theme";

function isTheme(text: string | null | undefined): text is Theme {
  return text === "light" || text === "dark";
}

function systemDark(): MediaQueryList {
  return matchMedia("(prefers-color-scheme: dark)");
}

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (isTheme(chosen)) return chosen;
  return systemDark().matches ? "dark" : "light";
}

/** The theme that the reader chose before. A page that may store nothing has none. */
export function restoreTheme(): void {
  try {
    const chosen = localStorage.getItem(place);
    if (isTheme(chosen)) document.documentElement.dataset.theme = chosen;
  } catch {}
}

export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(place, theme);
  } catch {}
  document.dispatchEvent(new Event(changed));
}

export function onThemeChange(listener: () => void): void {
  document.addEventListener(changed, listener);
}

/** A button that says which theme it leads to. */
export function startThemeButton(button: HTMLElement): void {
  const other = (): Theme => (currentTheme() === "dark" ? "light" : "dark");
  const name = (): void => {
    const word = other() === "dark" ? "Dark" : "Light";
    button.textContent = word;
    button.setAttribute("aria-label", `${word} theme`);
  };
  name();
  onThemeChange(name);
  button.addEventListener("click", () => chooseTheme(other()));
  systemDark().addEventListener("change", () => document.dispatchEvent(new Event(changed)));
}
