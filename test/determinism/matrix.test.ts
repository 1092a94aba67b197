import { checkSomeOfMatrix } from "./matrix.js";

checkSomeOfMatrix();
