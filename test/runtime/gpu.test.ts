import { expect, test } from "vitest";
import { devices } from "../../src/doors/inside.ts";
import { findDevice, listDevices } from "../../src/runtime/device.ts";
import { Session } from "../../src/runtime/session.ts";
import { Random } from "../../src/tensor/random.ts";
import { expectClose } from "../support/close.ts";
import { batches, denseWithDropout, losses, trainingStep } from "../support/training.ts";

const gpu = (await listDevices(devices)).find(({ name }) => name === "gpu")!;

// Where there is no adapter, that is all there is to see: the reason.
test.runIf(!gpu.here)("without an adapter, the GPU says that there is none", () => {
  expect(gpu).toMatchObject({ here: false, reason: expect.stringContaining("adapter") });
});

test.runIf(gpu.here)(
  "on a GPU the state stays there, can be saved and restored, and learns what a processor learns",
  async () => {
    const train = async (name: "cpu" | "gpu", stepsPerRun: number) => {
      const session = await Session.open(trainingStep(denseWithDropout(1)), await findDevice(devices, name), {
        stepsPerRun,
      });
      const data = batches(denseWithDropout(1), 30, { rate: 1e-3 });
      const random = Random.seeded(1);
      const begun = await session.runMany(data.slice(0, 13), { random });
      await session.state.load(await session.state.save());
      const ended = await session.runMany(data.slice(13), { random });
      return losses([...begun, ...ended]);
    };
    const [single, grouped] = [await train("gpu", 1), await train("gpu", 4)];
    expect(grouped).toEqual(single);
    expectClose(single, await train("cpu", 1), 1e-4);
  },
);
