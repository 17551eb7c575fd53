/** The page's files stay in the browser, so that it opens without a network; and so that WebAssembly has threads. */

/** What says that it was loaded once more already. */
const once = "telltale-kept";

/** Where there is no such thing (plain http from elsewhere, a private window), the page works as long as it is open. */
export async function keepOffline(): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  try {
    await serviceWorker.register(new URL("./offline.js", document.baseURI));
    await serviceWorker.ready;
    if (crossOriginIsolated || sessionStorage.getItem(once)) return;
    // From now on the files come with headers that allow shared memory: once more, before anybody has done anything.
    sessionStorage.setItem(once, "1");
    location.reload();
    await new Promise(() => {});
  } catch {
    // It works without.
  }
}
