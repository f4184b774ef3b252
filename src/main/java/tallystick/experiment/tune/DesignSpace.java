package tallystick.experiment.tune;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.math3.random.SobolSequenceGenerator;

/**
 * Which settings are tried: every combination, or of very many a part that is spread evenly.
 *
 * @param factors flags and their values
 * @param cells what is tried
 * @param current the cell that everything is compared with
 */
public record DesignSpace(List<Factor> factors, List<Configuration> cells, Configuration current) {
  /** Of more combinations than these only a part is tried. */
  static final int MOST_FULL = 30; // a block of 30 runs of a minute takes half an hour

  /** Sobol points that are tried of more: about as many runs as the largest full grid. */
  private static final int SPREAD = 24;

  /**
   * A flag of the engine and the values to try; numbers stand in their order.
   *
   * @param flag as scenarios write it, for example {@code max_num_seqs}
   */
  public record Factor(String flag, List<String> values) {
    /**
     * Reads {@code max_num_seqs=8,16,64}.
     *
     * @throws IllegalArgumentException if it is written otherwise
     */
    static Factor of(String text) {
      int equals = text.indexOf('=');
      List<String> values =
          equals < 1
              ? List.of()
              : Arrays.stream(text.substring(equals + 1).split(",", -1))
                  .map(String::strip)
                  .toList();
      if (values.isEmpty() || values.contains("")) {
        throw new IllegalArgumentException(
            "what varies is written as max_num_seqs=8,16,64, was \"" + text + "\"");
      }
      String flag = DesignSpace.flag(text.substring(0, equals));
      boolean areNumbers = values.stream().allMatch(Factor::isNumber);
      Set<String> different =
          areNumbers ? new TreeSet<>(Comparator.comparing(BigDecimal::new)) : new HashSet<>();
      different.addAll(values);
      if (different.size() < values.size()) {
        throw new IllegalArgumentException(flag + " names a value twice: " + values);
      }
      return new Factor(flag, areNumbers ? List.copyOf(different) : values);
    }

    private static boolean isNumber(String value) {
      return value.matches("[+-]?\\d{1,18}(\\.\\d{1,18})?");
    }

    /** Whether there may be values beyond this one: it is the smallest or the largest number. */
    boolean isEdge(String value) {
      return values.size() > 1
          && values.stream().allMatch(Factor::isNumber)
          && (value.equals(values.getFirst()) || value.equals(values.getLast()));
    }
  }

  /** A flag as scenarios write it, however it was typed. */
  public static String flag(String typed) {
    return typed.strip().replaceFirst("^--", "").replace('-', '_');
  }

  /**
   * The grid of what varies.
   *
   * @param varied each as {@code flag=value,value}
   * @param now flag → value of today; a flag that it does not name has its middle value
   * @throws IllegalArgumentException if there is nothing to choose from
   */
  public static DesignSpace of(List<String> varied, Map<String, String> now) {
    List<Factor> factors = varied.stream().map(Factor::of).toList();
    Map<String, String> current = new LinkedHashMap<>();
    for (Factor factor : factors) {
      if (current.put(factor.flag(), value(factor, now)) != null) {
        throw new IllegalArgumentException(factor.flag() + " varies twice: name it once");
      }
    }
    Set<Map<String, String>> settings = new LinkedHashSet<>();
    long all = combinations(factors);
    if (all < 2) {
      throw new IllegalArgumentException(
          "there is nothing to choose from: name at least two values, for example"
              + " --vary max_num_seqs=8,16,64");
    }
    if (all <= MOST_FULL) {
      settings.addAll(every(factors));
    } else {
      settings.add(current);
      settings.addAll(spread(factors));
    }
    List<Configuration> cells = new ArrayList<>();
    settings.forEach(one -> cells.add(new Configuration(cells.size(), one)));
    Configuration today =
        cells.stream().filter(cell -> cell.settings().equals(current)).findFirst().orElseThrow();
    return new DesignSpace(factors, cells, today);
  }

  private static String value(Factor factor, Map<String, String> now) {
    String named = now.getOrDefault(factor.flag(), "");
    if (!named.isEmpty() && !factor.values().contains(named)) {
      throw new IllegalArgumentException(
          factor.flag() + " is " + named + " now, which is not among " + factor.values()
              + ": add it, so that the others can be compared with it");
    }
    return named.isEmpty() ? factor.values().get((factor.values().size() - 1) / 2) : named;
  }

  private static List<Map<String, String>> every(List<Factor> factors) {
    List<Map<String, String>> all = List.of(Map.of());
    for (Factor factor : factors) {
      List<Map<String, String>> more = new ArrayList<>();
      for (Map<String, String> one : all) {
        for (String value : factor.values()) {
          Map<String, String> next = new LinkedHashMap<>(one);
          next.put(factor.flag(), value);
          more.add(next);
        }
      }
      all = more;
    }
    return all;
  }

  /** Sobol points: the first of them fill the space evenly, however many there are. */
  private static Set<Map<String, String>> spread(List<Factor> factors) {
    SobolSequenceGenerator sobol = new SobolSequenceGenerator(factors.size());
    sobol.skipTo(1);
    Set<Map<String, String>> points = new LinkedHashSet<>();
    while (points.size() < SPREAD) {
      double[] point = sobol.nextVector();
      Map<String, String> one = new LinkedHashMap<>();
      for (int i = 0; i < point.length; i++) {
        List<String> values = factors.get(i).values();
        one.put(factors.get(i).flag(), values.get((int) (point[i] * values.size())));
      }
      points.add(one);
    }
    return points;
  }

  /** Whether every combination is tried. */
  boolean isFull() {
    return cells.size() == combinations(factors);
  }

  /** Whether there may be better values beyond those of a cell. */
  boolean isAtTheEdge(Configuration cell) {
    return factors.stream().anyMatch(factor -> factor.isEdge(cell.settings().get(factor.flag())));
  }

  private static long combinations(List<Factor> factors) {
    return factors.stream()
        .mapToLong(factor -> factor.values().size())
        .reduce(1, (a, b) -> a * b);
  }

  /** The flags, for example {@code max_num_seqs x max_num_batched_tokens}. */
  String words() {
    return String.join(" x ", factors.stream().map(Factor::flag).toList());
  }

  /** The text by which a journal knows it; it holds the names that the types had in format 2. */
  String asJournalsKnowIt() {
    return toString().replace("DesignSpace[", "Grid[").replace("Configuration[", "Cell[");
  }
}
