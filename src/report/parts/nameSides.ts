/** On which side of its marker a cluster's name is written: no name lies on a marker, or on another name. */

export interface Mark {
  /** The middle of the marker, in units of the map's frame. */
  readonly left: number;
  readonly top: number;
  /** What is written beside it; nothing if empty. */
  readonly name: string;
}

export type Side = "right" | "left" | "nowhere";

type Box = readonly [left: number, right: number, top: number, bottom: number];

/** In units of a frame 1000 wide, drawn 700 pixels wide: a letter, the longest name, half of a marker and a line. */
const [letter, longest, halfMarker, halfLine] = [9.6, 395, 20, 14];
const gap = 6;

/** The first of the marks choose first. In the right part of a map names begin on the left, else they are cut off. */
export function nameSides(marks: readonly Mark[], width: number): Side[] {
  const markers = marks.map(({ left, top }): Box => around(left, top));
  const names: Box[] = [];
  return marks.map(({ left, top, name }, i) => {
    if (name === "") return "nowhere";
    const reach = Math.min(longest, name.length * letter);
    const boxes = {
      right: [left + halfMarker + gap, left + halfMarker + gap + reach, top - halfLine, top + halfLine] as const,
      left: [left - halfMarker - gap - reach, left - halfMarker - gap, top - halfLine, top + halfLine] as const,
    };
    const sides = left > 0.62 * width ? (["left", "right"] as const) : (["right", "left"] as const);
    const side = sides.find((each) => {
      const box = boxes[each];
      const isInside = box[0] >= 0 && box[1] <= width;
      return (
        isInside &&
        !markers.some((other, j) => j !== i && overlap(box, other)) &&
        !names.some((other) => overlap(box, other))
      );
    });
    if (!side) return "nowhere";
    names.push(boxes[side]);
    return side;
  });
}

function around(left: number, top: number): Box {
  return [left - halfMarker, left + halfMarker, top - halfMarker, top + halfMarker];
}

function overlap(a: Box, b: Box): boolean {
  return a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3];
}
