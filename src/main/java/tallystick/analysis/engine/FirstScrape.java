package tallystick.analysis.engine;

import java.util.List;
import java.util.Optional;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;

/**
 * From which counts the first scrape of a target that came in the middle of a run is subtracted: an
 * engine that had served nothing, or began after the ledger did, hides nothing of the run.
 */
final class FirstScrape {
  /** A server tells its time in whole seconds, and two clocks are compared. */
  private static final double MARGIN_SECONDS = 2;

  private FirstScrape() {}

  /**
   * The scrape that the ledger of a target begins with; empty if none can be told, or one is known.
   *
   * @param target what was read of it before
   * @param ledgerNanos when the ledger of all targets began
   */
  static Optional<ScrapeRow> countedFrom(ScrapeRow first, TargetReading target, long ledgerNanos) {
    if (target.beganBefore() || target.hasBegun()) {
      return Optional.empty();
    }
    List<SeriesTrack> tracks =
        first.samples().stream().map(FirstScrape::track).filter(FirstScrape::isEngines).toList();
    boolean servedNothing =
        tracks.stream().anyMatch(SeriesTrack::isCumulative)
            && tracks.stream().filter(SeriesTrack::isCumulative).allMatch(t -> t.value() == 0);
    if (servedNothing) {
      return Optional.of(first);
    }
    double began =
        tracks.stream()
            .filter(track -> track.kind() == SeriesTrack.Kind.BIRTH)
            .mapToDouble(SeriesTrack::value)
            .min()
            .orElse(Double.NaN);
    if (first.dateUtcSeconds() == ScrapeRow.NO_DATE || Double.isNaN(began)) {
      return Optional.empty();
    }
    double age = first.dateUtcSeconds() - began;
    double bornNanos = first.startedNanos() - age * 1e9;
    return bornNanos > ledgerNanos + MARGIN_SECONDS * 1e9
        ? Optional.of(new ScrapeRow(
            first.target(), (long) bornNanos, (long) bornNanos, List.of(), "",
            ScrapeRow.NO_DATE, 0))
        : Optional.empty();
  }

  private static SeriesTrack track(Sample sample) {
    return new SeriesTrack(sample, true, 0);
  }

  private static boolean isEngines(SeriesTrack track) {
    return track.concept().isPresent() || track.kind() == SeriesTrack.Kind.BIRTH;
  }
}
