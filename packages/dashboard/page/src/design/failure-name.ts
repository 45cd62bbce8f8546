const names: Readonly<Record<string, string>> = {
  rejected: "parameter refused",
  context_length: "prompt too long",
  too_large: "request too large",
  credentials: "credentials or model refused",
  failed: "server error",
  overloaded: "overloaded",
  unreachable: "unreachable",
  timeout: "timeout",
  invalid_response: "invalid answer",
  ended: "request ended",
};

/** Names a class of failures of attempts. */
export const failureName = (failure: string): string => names[failure] ?? failure;
