/** For `node --import`: no thread can be started, in the words of Node where `ulimit -u` allows no more. */
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

threads.Worker = class {
  constructor() {
    throw Object.assign(new Error("EAGAIN"), { code: "ERR_WORKER_INIT_FAILED" });
  }
};
syncBuiltinESMExports();
