package tallystick.runrecord;

/** How a run's made-up prompts went over the wire, and so how far their lengths can be trusted. */
public enum PromptForm {
  /** Not recorded, or the run ended before it was settled. */
  UNKNOWN,
  /** Token ids: exact lengths. Conversations are text all the same, for they hold answers. */
  TOKEN_IDS,
  /** Words, as many as the server's {@code /tokenize} said make the wanted tokens. */
  FITTED_TEXT,
  /** Words, one for each wanted token, because the server does not tell how it counts. */
  TEXT,
  /** The plan has no made-up prompt. */
  GIVEN_TEXT
}
