/**
 * The training of browser.test.ts, in a page that finds "telltale" by its import map. Leaves losses or an error in
 * `result`.
 */
import { devices, findDevice } from "telltale";
import {
  adam,
  filled,
  fullyConnected,
  gradient,
  input,
  meanSquaredError,
  program,
  Random,
  Session,
  tensor,
  trainingPass,
} from "telltale/engine";

async function train() {
  const device = await findDevice(devices);
  const sizes = { columns: 20, hidden: [16, 12], latent: 3, output: "sigmoid", dropout: 0.2 };
  const autoencoder = fullyConnected(sizes, Random.seeded(1));
  const x = input("x", ["n", 20]);
  const pass = trainingPass();
  const loss = meanSquaredError(autoencoder.decode(autoencoder.encode(x, pass), pass), x);
  const updates = adam()(autoencoder.parameters, gradient(loss, autoencoder.parameters), input("rate", []));
  const session = await Session.open(program({ outputs: { loss }, updates: [...updates, ...pass.updates] }), device);
  const random = Random.seeded(5);
  const data = Array.from({ length: 30 }, () => ({
    x: tensor("float32", [8, 20], random.uniforms(160)),
    rate: filled("float32", [], 1e-3),
  }));
  const outputs = await session.runMany(data, { random: Random.seeded(7) });
  return { device: device.description, losses: outputs.map((values) => values.loss.data[0]) };
}

globalThis.result = await train().catch((error) => ({ error: error.message }));
