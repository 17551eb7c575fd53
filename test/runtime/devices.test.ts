import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { devices } from "../../src/doors/inside.ts";
import { type Device, type DeviceOffer, findDevice, listDevices } from "../../src/runtime/device.ts";

const path = (file: string): string => fileURLToPath(new URL(`../support/${file}`, import.meta.url));

test("every device is listed, as here or with the reason why not", async () => {
  const reports = await listDevices(devices);
  expect(reports.map(({ name }) => name).sort()).toEqual(["cpu", "gpu", "wasm"]);
  for (const report of reports) {
    expect((report.here ? report.description : report.reason).length).toBeGreaterThan(10);
    if (!report.here) expect(report.reason).not.toMatch(/\n|onnxruntime_src/);
  }
});

describe("with offers of our own", () => {
  const device = { name: "wasm", description: "slow" } as Device;
  const missing: DeviceOffer = { name: "cpu", find: () => Promise.reject(new Error("it is not installed")) };
  const present: DeviceOffer = { name: "wasm", find: () => Promise.resolve(device) };

  test("the first that is here is taken, and what was passed over is said", async () => {
    const said: string[] = [];
    expect(await findDevice([missing, present], undefined, (sentence) => said.push(sentence))).toBe(device);
    expect(said).toEqual(["telltale: running on wasm, because cpu is not here: it is not installed"]);
  });

  test("what was passed over is said once, whoever asks, and however often", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    for (let i = 0; i < 3; i++) await findDevice([missing, present]);
    expect(warn.mock.calls).toEqual([["telltale: running on wasm, because cpu is not here: it is not installed"]]);
    warn.mockRestore();
  });

  test("the preferred one is taken silently", async () => {
    const said: string[] = [];
    await findDevice([present, missing], undefined, (sentence) => said.push(sentence));
    expect(said).toEqual([]);
  });

  test("a device that is asked for is never replaced by another", async () => {
    await expect(findDevice([missing, present], "cpu")).rejects.toThrow("it is not installed");
    await expect(findDevice([missing, present], "gpu")).rejects.toThrow(
      'device: there is no "gpu" here; there are cpu, wasm',
    );
  });

  test("when none is here, all reasons are given", async () => {
    await expect(findDevice([missing])).rejects.toThrow(
      "device: none can be used; cpu is not here: it is not installed",
    );
  });
});

describe("when onnxruntime-node", () => {
  test.each([
    ["absent", /onnxruntime-node, the fast native engine, is not installed; /],
    [
      "broken",
      /onnxruntime-node, the fast native engine, does not load \(libonnxruntime\.so\.1: cannot open shared object file: No such file or directory\); /,
    ],
  ])("is %s, programs run on wasm, and one sentence names the cure", async (NATIVE, reason) => {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ["--import", path("without-native.mjs"), path("fallback.mjs")],
      { env: { ...process.env, NATIVE } },
    );
    const { device, y, reports } = JSON.parse(stdout);
    expect([device, y]).toEqual(["wasm", 9]);
    const notices = stderr.split("\n").filter((line) => line.startsWith("telltale:"));
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(reason);
    expect(notices[0]).toContain("ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node");
    expect(reports[0]).toMatchObject({ name: "cpu", here: false });
  });
});
