// Runs a test program compiled for wasm32-unknown-unknown. It has no output: a failed test traps.
import { readFile } from "node:fs/promises";

const module = await WebAssembly.compile(await readFile(process.argv[2]));
const { exports } = await WebAssembly.instantiate(module, {});
process.exit(exports.main(0, 0));
