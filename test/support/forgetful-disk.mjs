import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded before bide: notes in the file FORGETFUL_LOG what is on the disk for certain, at each call that makes
 * something so: the contents of a file when it is synced, the names in a folder when that is. All else is lost when the
 * power goes.
 */
const log = process.env.FORGETFUL_LOG;
if (log !== undefined && isMainThread) {
  const {
    appendFileSync,
    fsyncSync,
    fdatasyncSync,
    writeFileSync,
    lstatSync,
    readdirSync,
    readFileSync,
    readlinkSync,
  } = fs;
  const idOf = (path) => {
    const { ino, birthtimeNs } = lstatSync(path, { bigint: true });
    return `${ino}-${birthtimeNs}`;
  };
  const note = (path) => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return;
    if (!found.isDirectory()) {
      return appendFileSync(log, `${JSON.stringify({ id: idOf(path), data: readFileSync(path, "base64") })}\n`);
    }
    const entries = readdirSync(path, { withFileTypes: true }).map((entry) => {
      return [entry.name, idOf(`${path}/${entry.name}`), entry.isDirectory() ? "folder" : "file"];
    });
    appendFileSync(log, `${JSON.stringify({ id: idOf(path), entries })}\n`);
  };
  const pathOf = (descriptor) => readlinkSync(`/proc/self/fd/${descriptor}`);
  fs.fsyncSync = (descriptor) => {
    fsyncSync(descriptor);
    note(pathOf(descriptor));
  };
  fs.fdatasyncSync = (descriptor) => {
    fdatasyncSync(descriptor);
    note(pathOf(descriptor));
  };
  fs.writeFileSync = (path, data, options) => {
    writeFileSync(path, data, options);
    if (typeof options === "object" && options?.flush === true) note(String(path));
  };
  syncBuiltinESMExports();
}
