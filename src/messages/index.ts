export { CommandWriter, MAX_COMMAND_BYTES, WORDS_OF, readCommands } from "./command-words.js";
export { COMMANDS, FRAME_VERSION, FrameCodec, FrameError, REPORTS, WordWriter, longAt } from "./frame.js";
export { PREDICTED_US, REPORT_WORDS, ReportWriter, checkReports } from "./report-words.js";
