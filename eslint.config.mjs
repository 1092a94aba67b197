import tseslint from "typescript-eslint";

/** What is wrong in any JavaScript. */
const anyCode = {
  "array-callback-return": "error",
  "default-case-last": "error",
  eqeqeq: "error",
  "no-async-promise-executor": "error",
  "no-case-declarations": "error",
  "no-compare-neg-zero": "error",
  "no-cond-assign": "error",
  "no-constant-binary-expression": "error",
  "no-constant-condition": ["error", { checkLoops: "allExceptWhileTrue" }],
  "no-control-regex": "error",
  "no-debugger": "error",
  "no-dupe-else-if": "error",
  "no-duplicate-case": "error",
  "no-duplicate-imports": ["error", { allowSeparateTypeImports: true }],
  "no-empty": "error",
  "no-empty-character-class": "error",
  "no-eval": "error",
  "no-fallthrough": "error",
  "no-irregular-whitespace": "error",
  "no-lonely-if": "error",
  "no-loss-of-precision": "error",
  "no-new-func": "error",
  "no-promise-executor-return": "error",
  "no-prototype-builtins": "error",
  "no-regex-spaces": "error",
  "no-self-assign": "error",
  "no-self-compare": "error",
  "no-sparse-arrays": "error",
  "no-template-curly-in-string": "error",
  "no-unreachable-loop": "error",
  "no-unsafe-finally": "error",
  "no-unsafe-optional-chaining": "error",
  "no-unused-labels": "error",
  "no-useless-assignment": "error",
  "no-useless-catch": "error",
  "no-useless-escape": "error",
  "no-useless-rename": "error",
  "no-useless-return": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "require-yield": "error",
  "use-isnan": "error",
  "valid-typeof": "error",
};

/** What the types can tell, beyond typescript-eslint's recommended set. */
const typedCode = {
  "@typescript-eslint/consistent-type-exports": "error",
  // `typeof import("…")` is how a library that is loaded lazily gets its type.
  "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
  "@typescript-eslint/no-deprecated": "error",
  "@typescript-eslint/no-floating-promises": "error",
  "@typescript-eslint/no-import-type-side-effects": "error",
  "@typescript-eslint/no-misused-promises": "error",
  "@typescript-eslint/no-unnecessary-boolean-literal-compare": "error",
  "@typescript-eslint/no-unnecessary-template-expression": "error",
  "@typescript-eslint/no-unsafe-argument": "error",
  "@typescript-eslint/no-unsafe-assignment": "error",
  "@typescript-eslint/no-unsafe-call": "error",
  "@typescript-eslint/no-unsafe-member-access": "error",
  "@typescript-eslint/no-unsafe-return": "error",
  "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
  "@typescript-eslint/no-useless-constructor": "error",
  "@typescript-eslint/prefer-readonly": "error",
  "@typescript-eslint/promise-function-async": ["error", { checkArrowFunctions: false }],
  "@typescript-eslint/require-array-sort-compare": ["error", { ignoreStringArrays: false }],
  "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
  "@typescript-eslint/return-await": ["error", "in-try-catch"],
  "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
  "@typescript-eslint/use-unknown-in-catch-callback-variable": "error",
};

const CLI_PRINTS =
  "Only src/cli prints or exits: whoever uses a run as a library, or reads --json, gets nothing else on the terminal.";
const NO_CLOCK = "Virtual time is the only time here: a run that reads a clock cannot be repeated.";
const SYNCHRONOUS =
  "What decides results is synchronous: the order in which promises and timers settle is not part of a scenario.";

const ofTheTerminal = ["exit", "exitCode", "stdout", "stderr"].map((property) => ({
  object: "process",
  property,
  message: CLI_PRINTS,
}));

const ofOtherStreams = ["stdout", "stderr"].map((property) => ({
  object: "process",
  property,
  message:
    "Write by cli/terminal.ts, which makes foreign names harmless: they could set titles, forge lines or answer for the user.",
}));

const ownDraws = {
  object: "Math",
  property: "random",
  message: "Draw from a named stream (core/kernel): Math.random cannot be seeded, so the run could not be repeated.",
};

const LAST_BIT_UNSPECIFIED = [
  ...["acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp", "expm1", "hypot"],
  ...["log", "log10", "log1p", "log2", "pow", "sin", "sinh", "tan", "tanh"],
];
const unspecifiedMath = LAST_BIT_UNSPECIFIED.map((property) => ({
  object: "Math",
  property,
  message: `The language leaves the last bit of Math.${property} open, so fingerprints could differ between machines: use the functions of core/kernel.`,
}));

const unspecifiedPower = {
  selector:
    ":matches(BinaryExpression[operator='**']:not([left.type='Literal'][right.type='Literal']), AssignmentExpression[operator='**='])",
  message:
    "The language leaves the last bit of ** open unless both sides are constants: multiply, or use the functions of core/kernel.",
};

const spreadLiteral = {
  selector: "ObjectExpression > SpreadElement > ObjectExpression",
  message: "Write the keys where they belong: a literal spread inside a literal only hides how long it is.",
};

const exactOnly = [
  { selector: ":function[async=true], AwaitExpression, ForOfStatement[await=true]", message: SYNCHRONOUS },
  {
    selector: "ForInStatement",
    message: "for-in also visits inherited keys, in an order nobody declared: use for-of over keys that are in order.",
  },
  {
    selector: "CallExpression[callee.property.name=/^(sort|toSorted)$/][arguments.length=0]",
    message: "Without a comparator sort compares numbers as text: say by what is sorted.",
  },
  {
    selector: "CallExpression[callee.property.name=/^(localeCompare|toLocale\\w+)$/]",
    message: "The answer depends on the language settings of the machine: compare with < or by code unit.",
  },
];

const noMachine = [
  ...["Date", "performance"].map((name) => ({ name, message: NO_CLOCK })),
  ...["Promise", "queueMicrotask", "setImmediate", "setInterval", "setTimeout"].map((name) => ({
    name,
    message: SYNCHRONOUS,
  })),
  ...["FinalizationRegistry", "WeakRef"].map((name) => ({
    name,
    message: "When memory is reclaimed is not part of a scenario.",
  })),
  { name: "process", message: "The core runs anywhere: whatever it needs of the machine is handed to it." },
  { name: "Intl", message: "The answer depends on the language settings of the machine." },
];

export default tseslint.config(
  { ignores: ["bundle/", "dist/", "node_modules/", "results/", "coverage/", "**/golden/"] },
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...anyCode,
      "no-restricted-syntax": ["error", spreadLiteral],
      "max-len": ["error", { code: 10_000, comments: 120, ignoreUrls: true }],
    },
  },
  { files: ["**/*.cjs"], languageOptions: { sourceType: "commonjs" } },
  {
    files: ["src/**/*.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...typedCode,
      "no-console": "error",
      "no-restricted-properties": ["error", ownDraws, ...ofTheTerminal],
      "no-restricted-imports": [
        "error",
        { paths: ["process", "node:process"].map((name) => ({ name, message: CLI_PRINTS })) },
      ],
    },
  },
  {
    files: ["src/cli/**/*.ts"],
    rules: { "no-restricted-imports": "off", "no-restricted-properties": ["error", ownDraws, ...ofOtherStreams] },
  },
  {
    files: ["src/cli/terminal.ts"],
    rules: { "no-restricted-properties": ["error", ownDraws] },
  },
  {
    files: ["src/core/**/*.ts", "src/experiments/**/*.ts", "src/messages/**/*.ts"],
    rules: {
      "no-restricted-globals": ["error", ...noMachine],
      "no-restricted-properties": ["error", ownDraws, ...ofTheTerminal, ...unspecifiedMath],
      "no-restricted-syntax": ["error", spreadLiteral, ...exactOnly, unspecifiedPower],
    },
  },
  {
    // Closed forms and summaries never decide what a simulation does, so their last bit is free.
    files: ["src/core/theory.ts", "src/core/record/**/*.ts", "src/core/platforms/*/record/**/*.ts"],
    rules: {
      "no-restricted-properties": ["error", ownDraws, ...ofTheTerminal],
      "no-restricted-syntax": ["error", spreadLiteral, ...exactOnly],
    },
  },
  {
    files: ["test/**/*.ts", "bench/**/*.ts", "*.ts"],
    extends: [tseslint.configs.recommended],
    rules: {
      "@typescript-eslint/no-unused-vars": typedCode["@typescript-eslint/no-unused-vars"],
      "no-restricted-properties": [
        "error",
        { ...ownDraws, message: "A failing test must fail again: draw from a seeded generator." },
        ...["describe", "it", "test"].map((object) => ({
          object,
          property: "only",
          message: "The other tests would not run.",
        })),
      ],
    },
  },
);
