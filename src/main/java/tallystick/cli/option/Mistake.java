package tallystick.cli.option;

import java.util.function.Supplier;

/** A mistake of the user's on the command line, in words that say what to type instead. */
public final class Mistake extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A mistake of the command that runs. */
  public Mistake(String words) {
    super(words);
  }

  /** What was typed, or what is wrong with it. */
  public static <T> T orSay(Supplier<T> typed) {
    return orSay("", typed);
  }

  /** The same, told after some words, such as the option's name. */
  public static <T> T orSay(String before, Supplier<T> typed) {
    try {
      return typed.get();
    } catch (IllegalArgumentException e) {
      throw new Mistake(before + e.getMessage());
    }
  }
}
