/**
 * What a user of the package gets: of package-lock.json, all that our dependencies lead to, and of the developers' what
 * the pages are bundled from.
 */

/** They lie inside of dist/page, dist/tab and dist/look; a test compares them with what src/page imports. */
const bundled = [
  ...["@preact/signals", "@tanstack/virtual-core", "hyparquet", "hyparquet-compressors", "kdbush", "papaparse"],
  ...["preact", "uplot"],
];

/** Paths in the lock, such as node_modules/sharp, with their entries; `isOptional` where one can do without it. */
export function productionOf(lock) {
  const { packages } = lock;
  const found = new Map();
  const visit = (path, isOptional) => {
    const known = found.get(path);
    if (known && (!known.isOptional || isOptional)) return;
    const entry = packages[path];
    if (path !== "") found.set(path, { ...entry, name: nameOf(path), isOptional });
    for (const [names, are] of [
      [entry.dependencies, isOptional],
      [entry.optionalDependencies, true],
    ]) {
      for (const name of Object.keys(names ?? {})) {
        const place = placeOf(packages, path, name);
        if (place !== undefined) visit(place, are || name in (entry.optionalDependencies ?? {}));
      }
    }
  };
  visit("", false);
  for (const name of bundled) if (`node_modules/${name}` in packages) visit(`node_modules/${name}`, false);
  return found;
}

/** Where a package finds another: beside it, or in a folder above. */
function placeOf(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (folder === "") return undefined;
  }
}

function nameOf(path) {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}
