package tallystick.promql;

/**
 * One word of an expression.
 *
 * @param kind what it is
 * @param text as written; for a string its content
 * @param at offset of its first character
 */
record Token(Kind kind, String text, int at) {
  /** The kinds of words. */
  enum Kind {
    WORD,
    NUMBER,
    DURATION,
    STRING,
    SYMBOL,
    END
  }

  boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  boolean isWord(String word) {
    return kind == Kind.WORD && text.equalsIgnoreCase(word);
  }
}
