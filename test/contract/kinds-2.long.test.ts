import { checkKinds } from "./checked-kinds.js";

checkKinds(2);
