package tallystick.scenario;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the valid word a misspelt one was probably meant to be. */
public final class NearestKey {
  private NearestKey() {}

  /** A remedy for an unknown word: the nearest valid one, or all of them if none is near. */
  static String remedy(String word, Collection<String> valid) {
    return nearest(word, valid)
        .map(near -> "did you mean \"" + near + "\"?")
        .orElse("valid are " + String.join(", ", valid));
  }

  /** The valid word with the fewest changes, if two of three letters stay or it is longer. */
  public static Optional<String> nearest(String word, Collection<String> valid) {
    return valid.stream()
        .filter(v -> isNear(word.toLowerCase(Locale.ROOT), v.toLowerCase(Locale.ROOT)))
        .min(Comparator.comparingInt(v -> apart(word, v)));
  }

  private static boolean isNear(String word, String valid) {
    int longest = Math.max(word.length(), valid.length());
    int letters = valid.startsWith(word) ? 2 : 3;
    return letters * distance(word, valid) < Math.max(letters + 1, longest + letters - 2);
  }

  /** Who writes a word in capitals means the same word. */
  private static int apart(String word, String valid) {
    return distance(word.toLowerCase(Locale.ROOT), valid.toLowerCase(Locale.ROOT));
  }

  /** Insertions, deletions, replacements and swaps of neighbours that turn one into the other. */
  public static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        d[i][j] = i == 0 || j == 0 ? i + j : step(d, a, b, i, j);
      }
    }
    return d[a.length()][b.length()];
  }

  private static int step(int[][] d, String a, String b, int i, int j) {
    int replace = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int best = Math.min(replace, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
    boolean isSwap =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return isSwap ? Math.min(best, d[i - 2][j - 2] + 1) : best;
  }
}
