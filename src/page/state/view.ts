/** What is looked at. All of it stands in the address, so that a link brings it back. */

import { signal } from "@preact/signals";
import { first, type RowFilter, read, type View, written } from "./address.ts";

export const view = signal<View>(first);

/** Something else is looked at. A step that one would want to take back stays in the browser's history. */
export function look(change: Partial<View>, isStep = false): void {
  const before = view.value;
  const { other, filter } = before;
  // The clusters of one second run mean nothing in another.
  const isAnother = change.other !== undefined && change.other !== other && change.filter === undefined;
  view.value = { ...before, ...(isAnother && { filter: { ...filter, others: [] } }), ...change };
  remember(isStep, before);
}

/** Another run: what was chosen of the last one means nothing there. */
export function lookAt(run: string): void {
  look({ ...first, page: "map", run }, true);
}

export function filterBy(change: Partial<RowFilter>): void {
  look({ filter: { ...view.value.filter, ...change } });
}

let waiting: ReturnType<typeof setTimeout> | undefined;

/** Into the address; while a map is dragged, only now and then: browsers refuse hundreds of changes in a second. */
function remember(isStep: boolean, before: View): void {
  const isWaiting = waiting !== undefined;
  forgetWaiting();
  if (isStep) {
    // What one comes back to is as it was left, however soon.
    if (isWaiting) history.replaceState(null, "", `#${written(before)}`);
    history.pushState(null, "", `#${written(view.value)}`);
    return;
  }
  waiting = setTimeout(() => {
    waiting = undefined;
    history.replaceState(null, "", `#${written(view.value)}`);
  }, 120);
}

function forgetWaiting(): void {
  clearTimeout(waiting);
  waiting = undefined;
}

/** The address is what counts, at the beginning and whenever a person changes it. */
export function followAddress(): void {
  const follow = (): void => {
    forgetWaiting();
    view.value = read(location.hash.slice(1));
  };
  follow();
  addEventListener("hashchange", follow);
  addEventListener("popstate", follow);
}

/** The whole address of what is looked at now. */
export function linkToView(): string {
  return `${location.origin}${location.pathname}#${written(view.value)}`;
}
