/**
 * The integral of a slope along a straight path, cut into pieces where it needs to be.
 *
 * F is known at every point, and so is F(q) − F(p) for every piece from p to q: what the slopes miss of it is that
 * piece's remainder r.
 */

export interface Point {
  /** Where on the path, from 0 to 1. */
  readonly t: number;
  readonly F: number;
  /** ∂F/∂x there. */
  readonly slope: ArrayLike<number>;
  /** By how much rounding may have changed F. */
  readonly rounding: number;
}

export interface PathOptions {
  /** What |remainder| may be of |F(1)|, and Σ|r| of all that F rises and falls on the way. */
  readonly share?: number;
  /** At how many points F is evaluated at most. */
  readonly most?: number;
}

export interface PathIntegral {
  /** F(0) + Σ parts + remainder = F(1). */
  readonly parts: Float64Array;
  readonly start: number;
  readonly end: number;
  readonly remainder: number;
  readonly evaluations: number;
  /** Whether the remainder came to be as small as it was to be before the evaluations were used up. */
  readonly complete: boolean;
}

/** A piece of the path: its ends and its middle. */
interface Piece {
  readonly from: Point;
  readonly middle: Point;
  readonly to: Point;
  /** r. */
  readonly missed: number;
}

const firstPieces = 8;
/** Pieces that are cut in one run, at most; each needs two new points. */
const mostCut = 32;
/** A remainder below this share of the way is good enough, however small F(1) is. */
const leastShare = 1e-4;

/** ∫ ∂F/∂x dt · step for each element: `step` is the whole way, `evaluate` gives the points of one run. */
export async function alongPath(
  step: ArrayLike<number>,
  evaluate: (places: readonly number[]) => Promise<readonly Point[]>,
  { share = 0.01, most = 1000 }: PathOptions = {},
): Promise<PathIntegral> {
  const piece = (from: Point, middle: Point, to: Point): Piece => {
    // r = F(q) − F(p) − (q − p)(slope(p) + 4 slope(middle) + slope(q))/6 · step
    const along = dot(step, from.slope) + 4 * dot(step, middle.slope) + dot(step, to.slope);
    return { from, middle, to, missed: to.F - from.F - ((to.t - from.t) * along) / 6 };
  };
  const first = await evaluate(Array.from({ length: 2 * firstPieces + 1 }, (_, i) => i / (2 * firstPieces)));
  const [start, end] = [first[0]!.F, first.at(-1)!.F];
  let evaluations = first.length;
  let pieces = Array.from({ length: firstPieces }, (_, i) => {
    const [from, middle, to] = first.slice(2 * i) as [Point, Point, Point];
    return piece(from, middle, to);
  });
  const isGood = (): boolean => {
    const way = total(pieces, ({ from, middle, to }) => Math.abs(middle.F - from.F) + Math.abs(to.F - middle.F));
    const remainder = Math.abs(total(pieces, ({ missed }) => missed));
    const rounding = first[0]!.rounding + first.at(-1)!.rounding;
    const allowed = Math.max(share * Math.abs(end), leastShare * way, rounding);
    // Pieces must not make up for each other.
    return remainder <= allowed && total(pieces, beyondRounding) <= share * way;
  };

  while (!isGood() && evaluations + 2 <= most) {
    const cut = worstOf(pieces, Math.min(mostCut, Math.floor((most - evaluations) / 2)));
    const places = cut.flatMap(({ from, middle, to }) => [(from.t + middle.t) / 2, (middle.t + to.t) / 2]);
    const points = await evaluate(places);
    evaluations += points.length;
    const halves = cut.flatMap(({ from, middle, to }, i) => [
      piece(from, points[2 * i]!, middle),
      piece(middle, points[2 * i + 1]!, to),
    ]);
    pieces = [...pieces.filter((each) => !cut.includes(each)), ...halves];
  }

  const parts = integratedParts(pieces, step);
  const remainder = end - start - parts.reduce((sum, part) => sum + part, 0);
  return { parts, start, end, remainder, evaluations, complete: isGood() };
}

/** Simpson: step · Σ (q − p)(slope(p) + 4 slope(middle) + slope(q))/6. */
function integratedParts(pieces: readonly Piece[], step: ArrayLike<number>): Float64Array {
  const parts = new Float64Array(step.length);
  for (const { from, middle, to } of pieces) {
    const weight = (to.t - from.t) / 6;
    for (let i = 0; i < parts.length; i++) {
      parts[i]! += weight * (from.slope[i]! + 4 * middle.slope[i]! + to.slope[i]!);
    }
  }
  // + 0: nothing is 0, not −0.
  return parts.map((slope, i) => slope * step[i]! + 0);
}

/** The pieces that have missed most: those that hold half of all that is missed. */
function worstOf(pieces: readonly Piece[], most: number): Piece[] {
  const order = pieces.toSorted((a, b) => Math.abs(b.missed) - Math.abs(a.missed));
  const half = total(pieces, ({ missed }) => Math.abs(missed)) / 2;
  let [held, count] = [0, 0];
  while (held < half && count < Math.min(most, order.length)) held += Math.abs(order[count++]!.missed);
  return order.slice(0, Math.max(1, count));
}

function beyondRounding({ from, to, missed }: Piece): number {
  return Math.max(0, Math.abs(missed) - from.rounding - to.rounding);
}

function total(pieces: readonly Piece[], of: (piece: Piece) => number): number {
  return pieces.reduce((sum, piece) => sum + of(piece), 0);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
