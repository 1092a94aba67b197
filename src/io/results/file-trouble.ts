import { InputError } from "../input-error.js";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its parent folder does not exist",
  ENOTDIR: "part of its path is a file, not a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left on the device",
  EDQUOT: "the disk quota is used up",
  EFBIG: "a file would be larger than is allowed",
  ENAMETOOLONG: "the name is too long",
  EBUSY: "it is in use",
  EIO: "the device reports an error",
  EMFILE: "too many open files",
  ELOOP: "too many symbolic links",
  EINVAL: "the name cannot be used",
  EISDIR: "it is a folder",
  EEXIST: "it exists",
  ENOTEMPTY: "it exists and is not empty",
};

/** What a user is told of a place in which nothing can be written. `place` is the path or the option as given. */
export function cannotWrite(place: string, message: string): InputError {
  return new InputError([{ file: place, line: 0, column: 0, message }]);
}

/**
 * An error of the file system or of the database's file output as an InputError about `place`; any other error as it is.
 */
export function asWriteError(error: unknown, place: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" && "syscall" in error) {
    return cannotWrite(place, `cannot write: ${REASONS[code] ?? code}`);
  }
  // The database has no codes; its file errors start so.
  if (/^IO Error: /.test(error.message)) {
    return cannotWrite(place, `cannot write: ${error.message.slice("IO Error: ".length).split("\n", 1)[0]}`);
  }
  return error;
}
