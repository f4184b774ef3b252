package tallystick.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tallystick.run.Progress.EngineGauges;
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
    double waiting = 0;
    double running = 0;
    double usage = 0;
    double preemptions = 0;
    boolean known = false;
    for (int target : scraper.targets()) {
      Optional<ScrapeRow> row = scraper.latest(target).filter(ScrapeRow::isGood);
      if (row.isEmpty()) {
        continue;
      }
      known = true;
      List<Sample> samples = row.get().samples();
      waiting += sum(samples, MetricConcept.WAITING);
      running += sum(samples, MetricConcept.RUNNING);
      usage = Math.max(usage, largest(samples, MetricConcept.KV_CACHE_USAGE));
      double now = sum(samples, MetricConcept.PREEMPTIONS);
      preemptions += now - firstPreemptions.computeIfAbsent(target, key -> now);
    }
    return known
        ? new EngineGauges(waiting, running, usage, preemptions)
        : EngineGauges.UNKNOWN;
  }

  private double sum(List<Sample> samples, MetricConcept concept) {
    return samples.stream().filter(s -> is(s, concept)).mapToDouble(Sample::value).sum();
  }

  private double largest(List<Sample> samples, MetricConcept concept) {
    return samples.stream()
        .filter(s -> is(s, concept))
        .mapToDouble(Sample::value)
        .max()
        .orElse(0);
  }

  private boolean is(Sample sample, MetricConcept concept) {
    String name = sample.series().name();
    boolean isCopy =
        vocabulary.familyOf(name).filter(family -> family.isCopy(sample.series())).isPresent();
    return !isCopy && vocabulary.conceptOf(name).filter(concept::equals).isPresent();
  }
}
