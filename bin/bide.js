#!/usr/bin/env node
try {
  const { codeFolder, keepCompiledCode } = await import("./code.js");
  keepCompiledCode();
  await import(new URL("cli/main.js", codeFolder()));
} catch (error) {
  // Node could not even read the code; what tells users of everything else is part of it.
  if (error?.code !== "EMFILE" && error?.code !== "ENFILE") throw error;
  const { open_files: limit } = process.report.getReport().userLimits ?? {};
  process.stderr.write(
    `bide: too many open files: the limit of this process is ${limit?.soft ?? "too low"} (ulimit -n)\n`,
  );
  process.exit(3);
}
