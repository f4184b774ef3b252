package tallystick.alerting.rules;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tallystick.alerting.RuleWords;
import tallystick.alerting.derivation.ClientCounts;
import tallystick.promql.PromTime;

/**
 * How much users must suffer before an alert can see it, in the client's own counts: over every one
 * of the ranges, all ending now, more than a share of the requests missed the objective.
 *
 * @param shares all of which must be exceeded
 */
public record SufferingPredicate(List<Share> shares) {
  /**
   * One range.
   *
   * @param rangeMillis its length; a run that is younger gives what it has
   * @param ratio the share that must be exceeded
   * @param leastRequests of all requests in it
   * @param leastBad requests that must have missed the objective
   */
  public record Share(long rangeMillis, double ratio, long leastRequests, long leastBad) {
    private boolean holds(List<ClientCounts.Count> counts, long windowMillis, int end) {
      int from = (int) Math.max(0, end - Math.max(1, rangeMillis / windowMillis));
      long observed = 0;
      long bad = 0;
      for (ClientCounts.Count count : counts.subList(from, end)) {
        observed += count.observed();
        bad += count.observed() - count.good();
      }
      return bad > ratio * observed && observed >= leastRequests && bad >= leastBad;
    }

    private String words() {
      return String.format(
          Locale.ROOT, "%s %% of %srequests in %s%s", RuleWords.number(100 * ratio),
          leastRequests > 1 ? "at least " + leastRequests + " " : "", PromTime.text(rangeMillis),
          leastBad > 1 ? " (at least " + leastBad + ")" : "");
    }
  }

  public SufferingPredicate {
    shares = List.copyOf(shares);
  }

  /** One range in which so many requests must have missed the objective. */
  public static SufferingPredicate of(long rangeMillis, double ratio, long leastBad) {
    return new SufferingPredicate(List.of(new Share(rangeMillis, ratio, 1, leastBad)));
  }

  /** One range of so many requests. */
  static SufferingPredicate among(long leastRequests, long rangeMillis, double ratio) {
    return new SufferingPredicate(List.of(new Share(rangeMillis, ratio, leastRequests, 1)));
  }

  /** The times in which one burden or another held, from the window that first showed it. */
  public static List<ClientCounts.Stretch> stretches(
      List<SufferingPredicate> any, ClientCounts client) {
    return client.stretches(i -> any.stream().anyMatch(burden -> burden.holds(client, i + 1)));
  }

  private boolean holds(ClientCounts client, int end) {
    return shares.stream()
        .allMatch(share -> share.holds(client.counts(), client.windowMillis(), end));
  }

  /** For example {@code more than 5 % of requests in 5m miss the objective}. */
  public static String words(List<SufferingPredicate> any) {
    return any.stream()
        .map(
            burden ->
                burden.shares().stream().map(Share::words).collect(Collectors.joining(" and ")))
        .collect(Collectors.joining(", or ", "more than ", " miss the objective"));
  }
}
