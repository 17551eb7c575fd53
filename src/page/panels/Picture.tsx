/** A row, or the exemplar of a cluster, as a picture: from wherever the run is. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OpenRun } from "../state/openRun.ts";

interface Given {
  readonly run: OpenRun;
  readonly of: { readonly row: number } | { readonly cluster: number };
  readonly alt: string;
  readonly kind?: string;
}

/** Nothing but a transparent point, until the picture is here. */
const empty = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

export function Picture({ run, of, alt, kind = "picture coarse" }: Given) {
  const isRow = "row" in of;
  // An edit may change what an exemplar is.
  const version = isRow ? 0 : (run.curation.value?.version ?? 0);
  const place = isRow ? of.row : of.cluster;
  const asked = run.source.picture(isRow ? "picture" : "exemplar", { run: run.id, ...of }, version);
  const found = useSignal(empty);
  useEffect(() => {
    if (typeof asked === "string") return undefined;
    let isOver = false;
    asked.then(
      (address) => {
        if (!isOver) found.value = address;
      },
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [run, isRow, place, version]);
  return <img class={kind} alt={alt} src={typeof asked === "string" ? asked : found.value} draggable={false} />;
}
