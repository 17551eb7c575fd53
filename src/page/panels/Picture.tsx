/** A row, or the exemplar of a cluster, as a picture: from wherever the run is, once it is in sight. */

import { useEffect, useRef } from "preact/hooks";
import type { OpenRun } from "../state/openRun.ts";
import { Turns } from "./turns.ts";

interface Given {
  readonly run: OpenRun;
  readonly of: { readonly row: number } | { readonly cluster: number };
  readonly alt: string;
  readonly kind?: string;
}

/** Nothing but a transparent point, until the picture is here. */
const empty = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/** A browser has six connections to a server, and what somebody does waits for none of the pictures. */
const turns = new Turns(2);

export function Picture({ run, of, alt, kind = "picture coarse" }: Given) {
  const isRow = "row" in of;
  // An edit may change what an exemplar is.
  const version = isRow ? 0 : (run.curation.value?.version ?? 0);
  const place = isRow ? of.row : of.cluster;
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const { source, id } = run;
    return fillInSight(image.current!, async () =>
      source.picture(isRow ? "picture" : "exemplar", { run: id, ...of }, version),
    );
  }, [run, isRow, place, version]);
  return <img ref={image} class={kind} alt={alt} src={empty} draggable={false} />;
}

/** The answer ends it, and leaves the image empty. */
function fillInSight(image: HTMLImageElement, find: () => Promise<string>): () => void {
  let stop: (() => void) | undefined;
  const watching = new IntersectionObserver((entries) => {
    if (entries.at(-1)!.isIntersecting) {
      stop ??= fill(image, find, () => watching.disconnect());
    } else {
      stop?.();
      stop = undefined;
    }
  });
  watching.observe(image);
  return () => {
    watching.disconnect();
    stop?.();
  };
}

/** When it is its turn. Once that is ended, nothing is fetched any more, and the next have theirs. */
function fill(image: HTMLImageElement, find: () => Promise<string>, onHere: () => void): () => void {
  let isOver = false;
  const end = turns.take(async () => {
    try {
      const address = await find();
      if (isOver) return;
      image.src = address;
      await image.decode();
      if (!isOver) onHere();
    } catch {
      // What does not come shows what it is called, and is tried again when it comes into sight again.
    } finally {
      end();
    }
  });
  return () => {
    isOver = true;
    end();
    image.src = empty;
  };
}
