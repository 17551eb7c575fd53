/** A link into a folded card opens it. */

export function openLinkedCards(): void {
  addEventListener("hashchange", openTarget);
  openTarget();
}

function openTarget(): void {
  const name = location.hash.slice(1);
  const target = name === "" ? null : document.getElementById(name);
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}
