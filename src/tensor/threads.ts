/**
 * How many threads everything that computes may have in this process (TELLTALE_THREADS), where whoever runs several of
 * us at a time has given each its share: ONNX Runtime, DuckDB and sharp take all cores each unless told.
 */
export function threadsSaid(): number | undefined {
  const { process } = globalThis as { readonly process?: { readonly env?: Readonly<Record<string, string>> } };
  const said = Number(process?.env?.TELLTALE_THREADS);
  return Number.isSafeInteger(said) && said >= 1 ? Math.min(said, 1024) : undefined;
}
