/** Finds a device twice and runs a program, with what has been built. Run by devices.test.ts in a child process. */
const built = new URL("../../dist/src/", import.meta.url);
const load = (path) => import(new URL(path, built).href);
const { devices } = await load("doors/node.js");
const { findDevice, listDevices } = await load("runtime/device.js");
const { Session } = await load("runtime/session.js");
const { program } = await load("runtime/program.js");
const { input } = await load("graph/node.js");
const { multiply } = await load("graph/elementwise.js");
const { filled } = await load("tensor/tensor.js");

await findDevice(devices);
const device = await findDevice(devices);
const x = input("x", []);
const session = await Session.open(program({ outputs: { y: multiply(x, x) } }), device);
const { y } = await session.run({ x: filled("float32", [], 3) });
console.log(JSON.stringify({ device: device.name, y: y.data[0], reports: await listDevices(devices) }));
