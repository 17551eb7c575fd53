/** Where one looks at the map from: its middle, and how large a unit of the map is. */

export interface Camera {
  /** The place of the map that is in the middle of the picture. */
  readonly x: number;
  readonly y: number;
  /** Pixels of the page for one unit of the map. */
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A box of the map; y goes down, as on screens. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The box that holds these places. */
export function boxOf(x: ArrayLike<number>, y: ArrayLike<number>): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    const [px, py] = [x[i]!, y[i]!];
    if (px < left) left = px;
    if (px > right) right = px;
    if (py < top) top = py;
    if (py > bottom) bottom = py;
  }
  return left <= right ? { left, top, right, bottom } : { left: 0, top: 0, right: 1, bottom: 1 };
}

/** All of a box, with room around it. */
export function fitting(box: Box, size: Size, margin = 40): Camera {
  const across = Math.max(1, size.width - 2 * margin) / (box.right - box.left || 1);
  const down = Math.max(1, size.height - 2 * margin) / (box.bottom - box.top || 1);
  return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, scale: Math.min(across, down) };
}

/** The place of the map under a pixel of the picture. */
export function placeAt(camera: Camera, size: Size, left: number, top: number): readonly [number, number] {
  return [camera.x + (left - size.width / 2) / camera.scale, camera.y + (top - size.height / 2) / camera.scale];
}

/** The pixel of the picture that shows a place of the map. */
export function pixelOf(camera: Camera, size: Size, x: number, y: number): readonly [number, number] {
  return [(x - camera.x) * camera.scale + size.width / 2, (y - camera.y) * camera.scale + size.height / 2];
}

/** So many pixels to the side: what is grabbed follows the hand. */
export function moved(camera: Camera, right: number, down: number): Camera {
  return { ...camera, x: camera.x - right / camera.scale, y: camera.y - down / camera.scale };
}

/** So many times as large; what is under the pixel stays there. */
export function zoomed(camera: Camera, size: Size, times: number, left: number, top: number): Camera {
  const [x, y] = placeAt(camera, size, left, top);
  const scale = camera.scale * times;
  return { x: x - (left - size.width / 2) / scale, y: y - (top - size.height / 2) / scale, scale };
}
