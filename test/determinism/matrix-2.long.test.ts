import { checkMatrix } from "./matrix.js";

checkMatrix(2);
