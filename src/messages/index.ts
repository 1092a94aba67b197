export { CommandWriter, MAX_COMMAND_BYTES, WORDS_OF, readCommands } from "./command-words.js";
export { COMMANDS, FRAME_VERSION, FrameCodec, REPORTS, WordWriter, longAt } from "./frame.js";
export { packed, unpacked } from "./packed-value.js";
export {
  PREDICTED_US,
  REPORT_AT_US,
  REPORT_KIND,
  REPORT_NODE,
  REPORT_PLACE,
  REPORT_VALUE,
  REPORT_WORDS,
  ReportWriter,
} from "./report-words.js";
