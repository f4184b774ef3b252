package tallystick.scenario;

/** A number and the words that agree with it. */
public final class Counted {
  private Counted() {}

  /** For example {@code 1 scrape repeats} or {@code 3 scrapes repeat}. */
  public static String of(long count, String one, String several) {
    return count + " " + word(count, one, several);
  }

  /** The words alone, beside a number that is written in another way. */
  public static String word(long count, String one, String several) {
    return count == 1 ? one : several;
  }
}
