/** Products of matrices on a device, for whoever knows no programs. */

import { input } from "../graph/node.ts";
import { matmul } from "../graph/products.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Device } from "./device.ts";
import { program } from "./program.ts";
import { Session } from "./session.ts";

export interface Products {
  /** [m, k]·[k, n] = [m, n]. */
  readonly multiply: (a: Tensor<"float32">, b: Tensor<"float32">) => Promise<Tensor<"float32">>;
  close(): Promise<void>;
}

/** One program for each size of the second matrix, opened when it is first needed. */
export function productsOn(device: Device): Products {
  const sessions = new Map<string, Promise<Session>>();
  const sessionOf = (k: number, n: number): Promise<Session> => {
    const size = `${k},${n}`;
    let session = sessions.get(size);
    if (!session) {
      const product = matmul(input("a", ["n", k]), input("b", [k, n]));
      session = Session.open(program({ outputs: { product } }), device);
      sessions.set(size, session);
      session.catch(() => sessions.delete(size));
    }
    return session;
  };
  return {
    async multiply(a, b) {
      const k = a.shape[1]!;
      const n = b.shape[1]!;
      if (b.shape[0] !== k) throw new RangeError(`multiply: inner sizes differ, got [${a.shape}] and [${b.shape}]`);
      const { product } = await (await sessionOf(k, n)).run({ a, b });
      return product as Tensor<"float32">;
    },
    async close() {
      for (const session of await Promise.allSettled(sessions.values())) {
        if (session.status === "fulfilled") await session.value.close();
      }
      sessions.clear();
    },
  };
}
