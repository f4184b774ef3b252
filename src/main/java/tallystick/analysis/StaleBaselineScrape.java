package tallystick.analysis;

import java.util.List;
import java.util.OptionalLong;
import tallystick.analysis.client.HarnessAccount;
import tallystick.analysis.client.MeasuredWindow;
import tallystick.analysis.result.Finding;
import tallystick.analysis.result.Finding.Code;
import tallystick.runrecord.HarnessRow.Mark;
import tallystick.runrecord.Manifest;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.scenario.Formatted;

/**
 * Whether the counters that the ledger begins with were old ones: at the scrape before the window
 * they must hold what the client received in the warm-up. What they lack is counted in the window
 * as soon as they move again, and then looks like somebody else's requests. Asked of one target.
 */
final class StaleBaselineScrape {
  /** Engines that count tokens in another way than their answers do are not far from them. */
  private static final double LEAST_SHARE = 0.1;

  private final OptionalLong fromNanos;
  private final OptionalLong toNanos;
  private final boolean isOneTarget;
  private double before = Double.NaN;
  private double after = Double.NaN;
  private long received;

  /** Nothing read so far. */
  StaleBaselineScrape(Manifest manifest, HarnessAccount harness, MeasuredWindow window) {
    this.fromNanos = harness.at(Mark.Kind.QUIET_BEFORE_WARMUP);
    this.toNanos = window.quietBefore();
    this.isOneTarget = manifest.targets().size() == 1;
  }

  /** Takes a scrape; those up to the window count. */
  void read(ScrapeRow row) {
    if (!row.isGood() || fromNanos.isEmpty() || toNanos.isEmpty()) {
      return;
    }
    if (row.startedNanos() <= fromNanos.getAsLong()) {
      before = tokens(row);
    } else if (row.startedNanos() <= toNanos.getAsLong()) {
      after = tokens(row);
    }
  }

  /** Takes a request of the warm-up. */
  void read(RequestRow row) {
    boolean isWhole = row.ending().outcome() == Outcome.OK && row.usage().isKnown();
    if (isWhole && toNanos.isPresent() && row.times().ended() <= toNanos.getAsLong()) {
      received += row.usage().completionTokens();
    }
  }

  /** Puts what happened in the place of what it looks like; leaves the findings if nothing did. */
  void tell(List<Finding> findings) {
    double grown = after - before;
    // Counters that fall tell of a restart, and those that nobody showed tell nothing.
    boolean isShort = isOneTarget && grown >= 0 && received - grown > LEAST_SHARE * received;
    boolean isTold = has(findings, Code.FROZEN_EXPORTER);
    boolean isMistaken =
        isShort
            && findings.removeIf(
                finding ->
                    finding.code() == Code.FOREIGN_TRAFFIC
                        || finding.code() == Code.ENGINE_COUNTS_LESS && (isTold || grown == 0));
    if (isMistaken && !isTold) {
      findings.add(new Finding(Code.FROZEN_EXPORTER,
          Formatted.of(
              "The engine's counters stood still before the window: they lacked %.0f of the %d"
                  + " output tokens of the warm-up.",
              received - grown, received),
          List.of("What they lacked is counted in the window as soon as they move again."),
          "metrics_url may show another server, or a frozen copy."));
    }
  }

  private static boolean has(List<Finding> findings, Code code) {
    return findings.stream().anyMatch(finding -> finding.code() == code);
  }

  /** Of all its engines and models; an engine may show the counter with its first request. */
  private static double tokens(ScrapeRow row) {
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    return row.samples().stream()
        .filter(one -> vocabulary.means(one.series().name(), MetricConcept.GENERATION_TOKENS))
        .mapToDouble(Sample::value)
        .sum();
  }
}
