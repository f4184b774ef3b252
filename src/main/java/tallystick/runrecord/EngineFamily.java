package tallystick.runrecord;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * An inference engine as its metrics show it: how their names begin, which labels they carry, and
 * how the engine counts.
 *
 * @param name one word, for example {@code vllm}
 * @param title what people call it, for example {@code vLLM}
 * @param page path where its server shows its metrics
 * @param prefix how each of its metrics begins, colon included; empty for names without one,
 *     which are then those of {@code names} alone
 * @param names what its metrics are called, in every form of a sample
 * @param before what collectors put before the prefix
 * @param labels its labels
 * @param counting how it counts
 * @param settings what the names of the families look like whose labels tell its settings; empty if
 *     it has none
 * @param edges finite bucket edges it is built with; none of a histogram that is not known so well
 */
public record EngineFamily(
    String name,
    String title,
    String page,
    String prefix,
    Set<String> names,
    List<String> before,
    Labels labels,
    Counting counting,
    String settings,
    Map<MetricConcept, List<Double>> edges) {

  /**
   * The labels that tell series of one metric apart.
   *
   * @param model name of the model; empty if the engine does not tell it
   * @param engine number of the engine behind one server, whose series are added up; empty if
   *     there is never more than one
   * @param finishReason why requests finished; empty if the engine does not tell it
   * @param copies where they differ, series are copies of one another and never added up
   * @param others further ones of its counters
   */
  public record Labels(
      String model, String engine, String finishReason, List<String> copies, List<String> others) {
    public Labels {
      copies = List.copyOf(copies);
      others = List.copyOf(others);
    }

    /** All of them. */
    public Set<String> own() {
      Set<String> own = new TreeSet<>(copies);
      own.addAll(others);
      own.addAll(List.of(model, engine, finishReason));
      return own;
    }
  }

  /**
   * How it counts, which decides what the client's counts are laid beside.
   *
   * @param tokensAtFinish whether tokens are counted when a request finishes, so that one that is
   *     left leaves none; otherwise as they are made
   * @param gapForEachToken whether k tokens of one step count as k gaps; otherwise as one
   * @param observedAtFinish histograms that get one observation when a request finishes
   */
  public record Counting(
      boolean tokensAtFinish, boolean gapForEachToken, List<MetricConcept> observedAtFinish) {
    public Counting {
      observedAtFinish = List.copyOf(observedAtFinish);
    }
  }

  public EngineFamily {
    names = Set.copyOf(names);
    before = List.copyOf(before);
    edges = Map.copyOf(edges);
  }

  /** The prefix as collectors write it that allow no colon. */
  public String escapedPrefix() {
    return prefix.replace(':', '_');
  }

  /** Whether it exposes names like this one, in either spelling and whatever stands before. */
  public boolean owns(String metric) {
    return begin(metric) >= 0;
  }

  /** Whether a name is spelled without the colon. */
  public boolean isEscaped(String metric) {
    int begin = begin(metric);
    return begin >= 0 && !metric.startsWith(prefix, begin);
  }

  /** A metric's name without its prefix; another's name stays as it is. */
  public String withoutPrefix(String metric) {
    int begin = begin(metric);
    return begin >= 0 ? metric.substring(begin + prefix.length()) : metric;
  }

  /**
   * The name as the engine itself exposes it, whatever a collector made of it; empty for a name
   * that is not of this family.
   */
  public Optional<String> exposedName(String collected) {
    return owns(collected) ? Optional.of(prefix + withoutPrefix(collected)) : Optional.empty();
  }

  /** Every way in which a collector may write the name that the engine exposes. */
  List<String> spellings(String exposed) {
    String bare = exposed.substring(prefix.length());
    return Stream.concat(Stream.of(""), before.stream())
        .flatMap(one -> Stream.of(one + prefix + bare, one + escapedPrefix() + bare))
        .distinct()
        .toList();
  }

  /** Where the prefix begins in a name; below 0 where it is not one of this family. */
  private int begin(String metric) {
    if (prefix.isEmpty()) {
      return names.contains(metric) ? 0 : -1;
    }
    if (begins(metric, 0)) {
      return 0;
    }
    for (String one : before) {
      if (metric.startsWith(one) && begins(metric, one.length())) {
        return one.length();
      }
    }
    return -1;
  }

  private boolean begins(String metric, int at) {
    return metric.startsWith(prefix, at) || metric.startsWith(escapedPrefix(), at);
  }

  /** Whether the labels of a metric tell the engine's settings. */
  public boolean tellsSettings(String metric) {
    return !settings.isEmpty() && metric.matches(settings);
  }

  /** Whether a series is a copy of another one and does not count. */
  public boolean isCopy(Series series) {
    return labels.copies().stream()
        .map(series::label)
        .anyMatch(rank -> !rank.isEmpty() && !rank.equals("0"));
  }
}
