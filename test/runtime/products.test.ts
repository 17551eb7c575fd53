import { expect, it } from "vitest";
import { plainMultiply } from "../../src/numerics/matrix.ts";
import { paceOf } from "../../src/numerics/pace.ts";
import { findDevice } from "../../src/runtime/device.ts";
import { nodeDevices } from "../../src/runtime/nodeDevices.ts";
import { productsOn } from "../../src/runtime/products.ts";
import { Random } from "../../src/tensor/random.ts";
import { tensor } from "../../src/tensor/tensor.ts";
import { expectClose } from "../support/close.ts";

it("products of several sizes on a device are those in plain numbers", async () => {
  const products = productsOn(await findDevice(nodeDevices));
  const normal = (m: number, n: number) => tensor("float32", [m, n], Random.seeded(m).normals(m * n));
  for (const [m, k, n] of [
    [5, 7, 3],
    [9, 7, 3],
    [1, 300, 2],
  ] as const) {
    const [a, b] = [normal(m, k), normal(k, n)];
    const found = await products.multiply(a, b);
    expect(found.shape).toEqual([m, n]);
    expectClose(found.data, (await plainMultiply(paceOf(undefined))(a, b)).data, 1e-5);
  }
  await expect(products.multiply(normal(2, 3), normal(2, 3))).rejects.toThrow(
    "inner sizes differ, got [2,3] and [2,3]",
  );
  await products.close();
});
