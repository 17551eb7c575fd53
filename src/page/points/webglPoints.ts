/** Points by WebGL2: one vertex each, of a place and a color. */

import type { Camera } from "./camera.ts";
import { fadedFirst, mixedOrder, type PointRenderer } from "./pointRenderer.ts";

const vertexShader = `#version 300 es
uniform vec2 scale, shift;
uniform float size;
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 color;
flat out vec4 shade;
void main() {
  shade = color;
  // What is not shown lies beyond the picture.
  gl_Position = vec4(place * scale + shift, color.a == 0.0 ? 2.0 : 0.0, 1.0);
  gl_PointSize = size;
}`;

/** A square: for points so small that nobody sees the difference. */
const squareShader = `#version 300 es
precision highp float;
flat in vec4 shade;
out vec4 pixel;
void main() { pixel = vec4(shade.rgb * shade.a, shade.a); }`;

/** A disc whose edge covers a pixel in part. */
const discShader = `#version 300 es
precision highp float;
uniform float size;
flat in vec4 shade;
out vec4 pixel;
void main() {
  float beyond = length(gl_PointCoord - 0.5) * size - size * 0.5 + 1.0;
  float cover = shade.a * clamp(1.0 - beyond, 0.0, 1.0);
  if (cover == 0.0) discard;
  pixel = vec4(shade.rgb * cover, cover);
}`;

/** Up to this diameter, in pixels of the screen, a point is a square. */
const smallest = 2.5;
/** So many times as large as the others are those that are raised. */
const raisedSize = 1.7;

interface Shader {
  readonly program: WebGLProgram;
  readonly scale: WebGLUniformLocation | null;
  readonly shift: WebGLUniformLocation | null;
  readonly size: WebGLUniformLocation | null;
}

/** What lives in the graphics processor, and is gone when it forgets. */
interface Inside {
  readonly square: Shader;
  readonly disc: Shader;
  readonly places: WebGLBuffer;
  readonly colors: WebGLBuffer;
  readonly raised: WebGLBuffer;
}

export class WebglPoints implements PointRenderer {
  readonly kind = "webgl";
  readonly #canvas: HTMLCanvasElement;
  readonly #gl: WebGL2RenderingContext;
  readonly #onRestore: () => void;
  #inside: Inside | undefined;
  #mixed: Uint32Array = new Uint32Array(0);
  #order: Uint32Array = new Uint32Array(0);
  #x: ArrayLike<number> = [];
  #y: ArrayLike<number> = [];
  #places = new Float32Array(0);
  #colors = new Uint32Array(0);
  #raised = new Uint32Array(0);
  #ratio = 1;

  /** `onRestore` when a picture has to be drawn anew that the graphics processor had lost. */
  constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext, onRestore: () => void) {
    this.#canvas = canvas;
    this.#gl = gl;
    this.#onRestore = onRestore;
    this.#inside = this.#begin();
    canvas.addEventListener("webglcontextlost", this.#lost);
    canvas.addEventListener("webglcontextrestored", this.#restored);
  }

  place(x: ArrayLike<number>, y: ArrayLike<number>): void {
    if (this.#order.length !== x.length) {
      this.#mixed = mixedOrder(x.length);
      this.#order = this.#mixed;
      this.#colors = new Uint32Array(x.length);
      this.#places = new Float32Array(2 * x.length);
    }
    [this.#x, this.#y] = [x, y];
    this.#sort();
  }

  color(colors: Uint32Array): void {
    const order = fadedFirst(this.#mixed, colors);
    for (let i = 0; i < order.length; i++) this.#colors[i] = colors[order[i]!]!;
    this.#send("colors");
    if (order.every((point, i) => point === this.#order[i])) return;
    this.#order = order;
    this.#sort();
  }

  #sort(): void {
    const [order, places, x, y] = [this.#order, this.#places, this.#x, this.#y];
    for (let i = 0; i < order.length; i++) {
      places[2 * i] = x[order[i]!]!;
      places[2 * i + 1] = y[order[i]!]!;
    }
    this.#send("places");
  }

  raise(points: ArrayLike<number>): void {
    // Where they are in the order is found by going through it: few are raised, and not in every picture.
    const wanted = new Uint8Array(this.#order.length);
    for (let i = 0; i < points.length; i++) wanted[points[i]!] = 1;
    const places: number[] = [];
    for (let i = 0; i < this.#order.length; i++) if (wanted[this.#order[i]!]) places.push(i);
    this.#raised = Uint32Array.from(places);
    this.#send("raised");
  }

  resize(width: number, height: number, ratio: number): void {
    this.#ratio = ratio;
    this.#canvas.width = Math.max(1, Math.round(width * ratio));
    this.#canvas.height = Math.max(1, Math.round(height * ratio));
  }

  draw(camera: Camera, radius: number, most = Infinity): void {
    const [gl, inside] = [this.#gl, this.#inside];
    if (!inside) return;
    const { width, height } = this.#canvas;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const size = 2 * radius * this.#ratio;
    const count = Math.min(Math.ceil(most), this.#order.length);
    this.#use(size <= smallest ? inside.square : inside.disc, camera, size);
    gl.drawArrays(gl.POINTS, this.#order.length - count, count);
    if (this.#raised.length === 0) return;
    this.#use(inside.disc, camera, Math.max(9 * this.#ratio, raisedSize * size));
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, inside.raised);
    gl.drawElements(gl.POINTS, this.#raised.length, gl.UNSIGNED_INT, 0);
  }

  free(): void {
    this.#canvas.removeEventListener("webglcontextlost", this.#lost);
    this.#canvas.removeEventListener("webglcontextrestored", this.#restored);
    for (const what of ["places", "colors", "raised"] as const) this.#gl.deleteBuffer(this.#inside?.[what] ?? null);
    this.#inside = undefined;
  }

  readonly #lost = (event: Event): void => {
    // Without this it would never come back.
    event.preventDefault();
    this.#inside = undefined;
  };

  readonly #restored = (): void => {
    this.#inside = this.#begin();
    this.#send("places");
    this.#send("colors");
    this.#send("raised");
    this.#onRestore();
  };

  #begin(): Inside {
    const gl = this.#gl;
    const inside = {
      square: shaderOf(gl, squareShader),
      disc: shaderOf(gl, discShader),
      places: gl.createBuffer(),
      colors: gl.createBuffer(),
      raised: gl.createBuffer(),
    };
    gl.bindBuffer(gl.ARRAY_BUFFER, inside.places);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, inside.colors);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 0, 0);
    gl.disable(gl.DEPTH_TEST);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    return inside;
  }

  #send(what: "places" | "colors" | "raised"): void {
    const [gl, buffer] = [this.#gl, this.#inside?.[what]];
    if (!buffer) return;
    const target = what === "raised" ? gl.ELEMENT_ARRAY_BUFFER : gl.ARRAY_BUFFER;
    gl.bindBuffer(target, buffer);
    const values = { places: this.#places, colors: this.#colors, raised: this.#raised }[what];
    gl.bufferData(target, values, gl.DYNAMIC_DRAW);
  }

  #use({ program, scale, shift, size }: Shader, camera: Camera, diameter: number): void {
    const gl = this.#gl;
    const perUnit = 2 * camera.scale * this.#ratio;
    const [across, down] = [perUnit / this.#canvas.width, -perUnit / this.#canvas.height];
    gl.useProgram(program);
    gl.uniform2f(scale, across, down);
    gl.uniform2f(shift, -camera.x * across, -camera.y * down);
    gl.uniform1f(size, diameter);
    if (diameter <= smallest) gl.disable(gl.BLEND);
    else gl.enable(gl.BLEND);
  }
}

function shaderOf(gl: WebGL2RenderingContext, fragmentShader: string): Shader {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ] as const) {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`map: the shader must link, got ${gl.getProgramInfoLog(program)}`);
  }
  const at = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
  return { program, scale: at("scale"), shift: at("shift"), size: at("size") };
}
