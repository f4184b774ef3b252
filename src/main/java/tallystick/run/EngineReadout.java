package tallystick.run;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tallystick.run.Progress.EngineGauges;
import tallystick.run.Progress.Waits;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.scrape.Scraper;

/** What the engines' latest scrapes say, for people who watch the run. One thread. */
final class EngineReadout {
  private final Scraper scraper;
  private final MetricVocabulary vocabulary = MetricVocabulary.standard();
  private final Map<Integer, Double> firstPreemptions = new HashMap<>();

  EngineReadout(Scraper scraper) {
    this.scraper = scraper;
  }

  EngineGauges gauges() {
    Sums all = new Sums();
    boolean known = false;
    for (int target : scraper.targets()) {
      Optional<ScrapeRow> row = scraper.latest(target).filter(ScrapeRow::isGood);
      if (row.isEmpty()) {
        continue;
      }
      known = true;
      double before = all.preemptions;
      row.get().samples().forEach(all::take);
      double now = all.preemptions - before;
      all.preemptions = before + now - firstPreemptions.computeIfAbsent(target, key -> now);
    }
    return known ? all.gauges() : EngineGauges.UNKNOWN;
  }

  /** One pass over the samples of all targets. */
  private final class Sums {
    private double waiting;
    private double running;
    private double usage;
    private double preemptions;
    private final Map<MetricConcept, double[]> histograms = new EnumMap<>(MetricConcept.class);

    private void take(Sample sample) {
      String name = sample.series().name();
      Optional<MetricConcept> concept = vocabulary.conceptOf(name);
      if (concept.isEmpty() || isCopy(sample)) {
        return;
      }
      switch (concept.get()) {
        case WAITING -> waiting += sample.value();
        case RUNNING -> running += sample.value();
        case KV_CACHE_USAGE -> usage = Math.max(usage, sample.value());
        case PREEMPTIONS -> preemptions += sample.value();
        case TTFT, ITL -> histogram(concept.get(), name, sample.value());
        default -> {}
      }
    }

    private void histogram(MetricConcept concept, String name, double value) {
      double[] sums = histograms.computeIfAbsent(concept, any -> new double[2]);
      if (name.endsWith("_sum")) {
        sums[0] += value;
      } else if (name.endsWith("_count")) {
        sums[1] += value;
      }
    }

    private EngineGauges gauges() {
      double[] first = histograms.getOrDefault(MetricConcept.TTFT, new double[2]);
      double[] gap = histograms.getOrDefault(MetricConcept.ITL, new double[2]);
      return new EngineGauges(
          waiting, running, usage, preemptions, new Waits(first[0], first[1], gap[0], gap[1]));
    }
  }

  private boolean isCopy(Sample sample) {
    return vocabulary
        .familyOf(sample.series().name())
        .filter(family -> family.isCopy(sample.series()))
        .isPresent();
  }
}
