#!/usr/bin/env node
// Starts the program of the package for this platform, with the same input, output and exit code.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `${process.platform}-${process.arch}`;
const name = "{npm-platform}" + platform;
const file = process.platform === "win32" ? "{command}.exe" : "{command}";

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(
    `{command}: the package ${name} is not installed. Either there is none for ${platform}, or optional dependencies were left out ` +
      "(`npm install --omit=optional`, or a lock file of another system). `cargo install {crate}` builds the command from its source.",
  );
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  // The file exists, so on Linux it is its loader that was not found.
  const reason = error.code === "ENOENT" && process.platform === "linux" ? "it needs glibc, and this system has another C library" : error.message;
  console.error(`{command}: ${program} cannot be started: ${reason}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(code ?? 128 + constants.signals[signal]);
});
