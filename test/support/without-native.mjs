/**
 * Makes onnxruntime-node fail as it does in the wild, for the child process that imports this file first:
 * NATIVE=absent (npm left it out) or NATIVE=broken (its library does not load).
 */
import { register } from "node:module";

const absent = `Object.assign(new Error("Cannot find package 'onnxruntime-node'"), { code: "ERR_MODULE_NOT_FOUND" })`;
const broken = `new Error("libonnxruntime.so.1: cannot open shared object file: No such file or directory\\n    at somewhere")`;
const hooks = `export async function resolve(specifier, context, next) {
  if (specifier === "onnxruntime-node") throw ${process.env.NATIVE === "absent" ? absent : broken};
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
