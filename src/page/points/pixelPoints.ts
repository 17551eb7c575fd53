/** Points by hand, into the pixels of a canvas: where no graphics processor helps, this is the fastest way. */

import type { Camera } from "./camera.ts";
import { fadedFirst, mixedOrder, type PointRenderer } from "./pointRenderer.ts";

/** So many times as large as the others are those that are raised. */
const raisedSize = 1.7;

/** The pixels around the middle of a disc: those that it covers whole, and those in part. */
interface Disc {
  readonly radius: number;
  readonly whole: Int32Array;
  readonly edge: Int32Array;
  /** Of 256, for each of the edge. */
  readonly covers: Int32Array;
}

export class PixelPoints implements PointRenderer {
  readonly kind = "pixels";
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #mixed: Uint32Array = new Uint32Array(0);
  #order: Uint32Array = new Uint32Array(0);
  /** As they were given. */
  #places: readonly [ArrayLike<number>, ArrayLike<number>] = [[], []];
  /** In the order in which they are drawn. */
  #x = new Float32Array(0);
  #y = new Float32Array(0);
  #colors = new Uint32Array(0);
  #raised: Uint32Array = new Uint32Array(0);
  #ratio = 1;
  #image: ImageData | undefined;
  /** Around the picture, so that a disc at its edge needs no second look. */
  #border = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d")!;
  }

  place(x: ArrayLike<number>, y: ArrayLike<number>): void {
    if (this.#order.length !== x.length) {
      this.#mixed = mixedOrder(x.length);
      this.#order = this.#mixed;
      this.#colors = new Uint32Array(x.length);
      this.#x = new Float32Array(x.length);
      this.#y = new Float32Array(x.length);
    }
    this.#places = [x, y];
    this.#sort();
  }

  color(colors: Uint32Array): void {
    const order = fadedFirst(this.#mixed, colors);
    for (let i = 0; i < order.length; i++) this.#colors[i] = colors[order[i]!]!;
    if (order.every((point, i) => point === this.#order[i])) return;
    this.#order = order;
    this.#sort();
  }

  #sort(): void {
    const [order, x, y, [fromX, fromY]] = [this.#order, this.#x, this.#y, this.#places];
    for (let i = 0; i < order.length; i++) {
      x[i] = fromX[order[i]!]!;
      y[i] = fromY[order[i]!]!;
    }
  }

  raise(points: ArrayLike<number>): void {
    // Where they are in the order is found by going through it: few are raised, and not in every picture.
    const wanted = new Uint8Array(this.#order.length);
    for (let i = 0; i < points.length; i++) wanted[points[i]!] = 1;
    const places: number[] = [];
    for (let i = 0; i < this.#order.length; i++) if (wanted[this.#order[i]!]) places.push(i);
    this.#raised = Uint32Array.from(places);
  }

  resize(width: number, height: number, ratio: number): void {
    this.#ratio = ratio;
    this.#canvas.width = Math.max(1, Math.round(width * ratio));
    this.#canvas.height = Math.max(1, Math.round(height * ratio));
    this.#image = undefined;
  }

  draw(camera: Camera, radius: number, most = Infinity): void {
    const { width, height } = this.#canvas;
    const plain = radius * this.#ratio;
    const large = Math.max(4.5 * this.#ratio, raisedSize * plain);
    const border = Math.ceil(large) + 1;
    if (!this.#image || this.#border !== border) {
      this.#border = border;
      this.#image = this.#context.createImageData(width + 2 * border, height + 2 * border);
    }
    const pixels = new Uint32Array(this.#image.data.buffer);
    pixels.fill(0);
    const all = this.#order.length;
    this.#paint(pixels, discOf(plain, this.#image.width), camera, Math.max(0, all - Math.ceil(most)), all);
    if (this.#raised.length > 0) {
      this.#paint(pixels, discOf(large, this.#image.width), camera, 0, this.#raised.length, this.#raised);
    }
    this.#context.putImageData(this.#image, -border, -border, border, border, width, height);
  }

  free(): void {
    this.#image = undefined;
  }

  /** The points from a place in the order to another, or of those in `only`. */
  #paint(pixels: Uint32Array, disc: Disc, camera: Camera, from: number, to: number, only?: Uint32Array): void {
    const [x, y, colors, border] = [this.#x, this.#y, this.#colors, this.#border];
    const { width, height } = this.#canvas;
    const stride = width + 2 * border;
    const scale = camera.scale * this.#ratio;
    const left = width / 2 - camera.x * scale;
    const top = height / 2 - camera.y * scale;
    const { whole, edge, covers, radius } = disc;
    for (let i = from; i < to; i++) {
      const point = only ? only[i]! : i;
      const color = colors[point]!;
      const opacity = color >>> 24;
      if (opacity === 0) continue;
      const column = Math.floor(x[point]! * scale + left);
      const row = Math.floor(y[point]! * scale + top);
      if (column < -radius || row < -radius || column >= width + radius || row >= height + radius) continue;
      const middle = (row + border) * stride + column + border;
      if (opacity === 255) for (let p = 0; p < whole.length; p++) pixels[middle + whole[p]!] = color;
      else for (let p = 0; p < whole.length; p++) blend(pixels, middle + whole[p]!, color, opacity + 1);
      for (let p = 0; p < edge.length; p++) {
        blend(pixels, middle + edge[p]!, color, (covers[p]! * (opacity + 1)) >> 8);
      }
    }
  }
}

/** A color over a pixel, of which it covers so much of 256. */
function blend(pixels: Uint32Array, at: number, color: number, cover: number): void {
  const below = pixels[at]!;
  const opacity = below >>> 24;
  if (opacity === 0) {
    pixels[at] = (color & 0xffffff) | (Math.min(255, cover) << 24);
    return;
  }
  const rest = 256 - cover;
  // Two of the channels at once: each has 16 bits to itself.
  const redBlue = (((color & 0xff00ff) * cover + (below & 0xff00ff) * rest) >>> 8) & 0xff00ff;
  const green = (((color & 0xff00) * cover + (below & 0xff00) * rest) >>> 8) & 0xff00;
  const alpha = Math.min(255, opacity + (((255 - opacity) * cover) >> 8) + 1);
  pixels[at] = redBlue | green | (alpha << 24);
}

function discOf(radius: number, stride: number): Disc {
  const whole: number[] = [];
  const edge: number[] = [];
  const covers: number[] = [];
  const reach = Math.ceil(radius);
  // A small one is a square of one or four pixels, none of them in part: nobody sees the difference.
  if (radius <= 1.1) {
    const side = Math.max(1, Math.round(2 * radius));
    const whole = Int32Array.from({ length: side * side }, (_, i) => Math.floor(i / side) * stride + (i % side));
    return { radius: 1, whole, edge: new Int32Array(), covers: new Int32Array() };
  }
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const cover = Math.round(256 * Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x, y))));
      if (cover >= 250) whole.push(y * stride + x);
      else if (cover > 5) {
        edge.push(y * stride + x);
        covers.push(cover);
      }
    }
  }
  return { radius: reach, whole: Int32Array.from(whole), edge: Int32Array.from(edge), covers: Int32Array.from(covers) };
}
