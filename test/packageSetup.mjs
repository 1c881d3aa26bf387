// @ts-check
import { installHost, whyNot } from "./host/install.mjs";
import { runNode } from "./host/process.mjs";
import { packTarball, tarball } from "./host/tarball.mjs";
import { pack, packaged } from "./host/vsix.mjs";

/** Before tests of what ships: builds it, packs both products, and installs the VS Code that they run in. */
export default async function setup() {
  if (process.env["RPC_VSIX"] === undefined) {
    await runNode(["esbuild.js", "--production"]);
    await Promise.all([pack(packaged), packTarball(tarball)]);
    process.env["RPC_VSIX"] = packaged;
    process.env["RPC_TARBALL"] = tarball;
  }
  if (whyNot() === undefined) await installHost();
}
