/** What is too large for its place can be scrolled with the keyboard. */

/** Elements of a selector take the focus as long as they have to be scrolled. */
export function keepScrollable(selector: string): void {
  const update = (): void => updateFocusable(selector);
  update();
  addEventListener("resize", update);
  addEventListener("toggle", update, true);
}

function updateFocusable(selector: string): void {
  // Read all, then write: in turns, a page of a thousand cards would be laid out a thousand times.
  const visible = [...document.querySelectorAll<HTMLElement>(selector)].filter(isUnfolded);
  const overflow = visible.map(isOverflowing);
  visible.forEach((element, i) => {
    if (overflow[i]) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  });
}

function isUnfolded(element: HTMLElement): boolean {
  return !element.closest("details:not([open])");
}

function isOverflowing({ scrollWidth, clientWidth, scrollHeight, clientHeight }: HTMLElement): boolean {
  return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
}
