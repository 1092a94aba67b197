/** Opcodes of commands. A staged launch is one for racks that simulate attempts in stages. */
export const LAUNCH_MAP = 1;
export const LAUNCH_REDUCE = 2;
export const MAPS_FINISHED = 3;
export const KILL = 4;
export const STAGED_MAP = 5;
export const STAGED_REDUCE = 6;
export const MAPS_ADVANCED = 7;
export const COMMIT = 8;
export const OPEN_READ = 9;
export const CLOSE_READ = 10;
export const OFFERED = 11;
export const COPY_BLOCK = 12;
/** Words of each command: opcode, node, heartbeat time since the slice began, slot or place, then operands. */
export const WORDS_OF = [0, 7, 11, 4, 4, 17, 22, 5, 4, 7, 4, 5, 7];

/** The longest command, in bytes. */
export const MAX_COMMAND_BYTES = 88;
