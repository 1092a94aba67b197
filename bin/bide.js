#!/usr/bin/env node
const { codeFolder, keepCompiledCode } = await import("./code.js");
keepCompiledCode();
await import(new URL("cli/main.js", codeFolder()));
