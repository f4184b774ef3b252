package tallystick.simengine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what vLLM logs of each step under {@code --enable-logging-iteration-details}, with the
 * time in seconds before each line.
 */
final class StepLog {
  private static final Pattern LINE =
      Pattern.compile(
          "([\\d.]+) .*Iteration\\(\\d+\\): (\\d+) context requests, (\\d+) context tokens,"
              + " (\\d+) generation requests, (\\d+) generation tokens, iteration elapsed time:"
              + " [\\d.]+ ms.*usage: ([\\d.]+)%.*");

  /** A burst's first step begins after at least this much quiet. */
  private static final double QUIET_SECONDS = 0.3;

  private StepLog() {}

  /** One line of the log. */
  private record Line(
      double atSeconds,
      long prefillTokens,
      int decodes,
      long recomputedTokens,
      double kvUsage) {}

  /**
   * A step as far as a fit needs it.
   *
   * @param periodNanos from the step before to this one, both as they reached the API server
   * @param work what it computed
   */
  record Step(double periodNanos, StepWork work) {}

  /**
   * The steps of the last burst in a log that follow another step at once.
   *
   * @param lines of the log
   * @param promptTokens of the burst's requests in the order of their first tokens, which is the
   *     order in which the scheduler took them in
   * @param kvTokens tokens the whole cache holds
   */
  static List<Step> lastBurst(List<String> lines, List<Integer> promptTokens, long kvTokens) {
    Prefills prefills = new Prefills(promptTokens);
    List<Step> steps = new ArrayList<>();
    Line before = null;
    for (Line line : lastBurst(lines)) {
      double recomputedPairs = line.recomputedTokens * (line.recomputedTokens / 2.0);
      StepWork work =
          new StepWork(
              line.prefillTokens + line.recomputedTokens,
              recomputedPairs + prefills.pairs(line.prefillTokens),
              line.decodes,
              Math.round(line.kvUsage * kvTokens));
      if (before != null) {
        steps.add(new Step((line.atSeconds - before.atSeconds) * 1e9, work));
      }
      before = line;
    }
    return steps;
  }

  private static List<Line> lastBurst(List<String> lines) {
    List<Line> burst = new ArrayList<>();
    for (String line : lines) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        Line next = read(matcher);
        boolean isNew =
            !burst.isEmpty() && next.atSeconds - burst.getLast().atSeconds > QUIET_SECONDS;
        if (isNew) {
          burst.clear();
        }
        burst.add(next);
      }
    }
    return burst;
  }

  /** Prompts computed one after another, in chunks. */
  private static final class Prefills {
    private final Deque<Integer> prompts;
    private long computed;

    Prefills(List<Integer> promptTokens) {
      prompts = new ArrayDeque<>(promptTokens);
    }

    /** Pairs of a token computed and a token it attends to, for the next tokens in line. */
    double pairs(long tokens) {
      double pairs = 0;
      long left = tokens;
      while (left > 0) {
        long taken = Math.min(left, prompts.getFirst() - computed);
        pairs += taken * (computed + taken / 2.0);
        computed += taken;
        left -= taken;
        if (computed == prompts.getFirst()) {
          prompts.removeFirst();
          computed = 0;
        }
      }
      return pairs;
    }
  }

  private static Line read(Matcher matcher) {
    int generating = Integer.parseInt(matcher.group(4));
    // A resumed sequence is counted as generating; what it computes above one token is prefill.
    long recomputed = Long.parseLong(matcher.group(5)) - generating;
    return new Line(
        Double.parseDouble(matcher.group(1)),
        Long.parseLong(matcher.group(3)),
        generating - (recomputed > 0 ? 1 : 0),
        recomputed,
        Double.parseDouble(matcher.group(6)) / 100);
  }
}
