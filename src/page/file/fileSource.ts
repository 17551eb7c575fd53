/** Answers that were written down: a run as it was when the file was made. */

import { addressOf } from "../../api/address.ts";
import type { RouteName } from "../../api/routes.ts";
import type { TableRequest } from "../../api/rows.ts";
import type { RunDescription } from "../../api/runs.ts";
import type { WrittenRun } from "../../api/written.ts";
import { CellTable, type PlacementName, placements } from "../here/cellTable.ts";
import { type Asked, arrays, type Numbers, Refusal, type Source } from "../source/source.ts";

/** What stands in the page: gzipped JSON, as base64. */
export async function readWritten(text: string): Promise<WrittenRun> {
  const unpacked = new Blob([bytesOf(text.trim())]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(unpacked).json()) as WrittenRun;
}

export function fileSource(written: WrittenRun): Source {
  const path = { run: written.run };
  const numbersAt = (address: string): Numbers => {
    const { type, bytes } = written.numbers[address] ?? notHere();
    return new arrays[type](bytesOf(bytes).buffer);
  };
  const description = written.answers[addressOf("run", path)] as RunDescription;
  const placed = Object.fromEntries(
    placements.map((what) => [what, numbersAt(addressOf("placement", { ...path, what }))]),
  ) as Record<PlacementName, Numbers>;
  const columns = description.columns.map(({ name, form }, at) => ({ name, form, cells: written.cells[at]! }));
  const table = new CellTable(columns, placed, written.fileNumbers);
  const pixels = written.pixels === undefined ? undefined : bytesOf(written.pixels);
  /** What has no end of questions is worked out here. */
  const worked: Partial<Record<RouteName, (asked: Asked<RouteName>) => unknown>> = {
    table: ({ body }) => table.page((body ?? {}) as TableRequest),
    row({ path: { row = 0 } = {} }) {
      const { number, cells, ...placement } = table.row(Number(row));
      const values = table.columns.map(({ name }, at) => ({ column: name, value: cells[at]! }));
      return { row: Number(row), number, placement, values };
    },
    mask: ({ body }) => table.mask((body as unknown as { filter: TableRequest["filter"] & object }).filter),
  };
  const answer = async (route: RouteName, asked: Asked<RouteName> = {}): Promise<unknown> => {
    const work = worked[route];
    if (work) return work(asked);
    return written.answers[addressOf(route, asked.path, asked.query)] ?? notHere();
  };
  return {
    kind: "file",
    ask: (route, asked) => answer(route, asked as Asked<RouteName>) as never,
    async numbers(route, asked = {}) {
      return route === "mask"
        ? ((await answer(route, asked)) as Numbers)
        : numbersAt(addressOf(route, asked.path, asked.query));
    },
    picture(route, of) {
      const { row, range } = description.source;
      const size = row.reduce((product, length) => product * length, 1);
      if (route === "exemplar") {
        const { exemplar } = written.answers[addressOf("cluster", of)] as { exemplar: readonly number[] };
        const scale = 255 / (range[1] - range[0] || 1);
        return drawn(
          Uint8ClampedArray.from(exemplar, (value) => (value - range[0]) * scale),
          row,
        );
      }
      const at = Number(of.row) * size;
      return drawn(pixels?.subarray(at, at + size) ?? new Uint8Array(size), row);
    },
    async file(route, asked) {
      if (route !== "selection") notHere();
      const { filter } = (asked.body ?? {}) as TableRequest;
      return { name: `${description.name}-rows.csv`, content: new Blob([table.csv(filter ? { filter } : {})]) };
    },
    upload: async () => notHere(),
    listen: () => () => {},
  };
}

function notHere(): never {
  throw new Refusal(
    "This file tells it of typical rows and rows in doubt alone; telltale view tells it of every row.",
    404,
  );
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/** Bytes of [channels, height, width] as a picture. */
function drawn(values: ArrayLike<number>, [channels = 1, height = 1, width = 1]: readonly number[]): string {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(width, height);
  const size = width * height;
  for (let at = 0; at < size; at++) {
    for (let channel = 0; channel < 3; channel++) {
      image.data[4 * at + channel] = values[Math.min(channel, channels - 1) * size + at]!;
    }
    image.data[4 * at + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}
