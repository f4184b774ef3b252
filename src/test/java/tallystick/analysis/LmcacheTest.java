package tallystick.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static tallystick.analysis.MadeRequest.request;
import static tallystick.analysis.SmallRun.value;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.LoadAccount;
import tallystick.analysis.result.Reconciliation.Id;
import tallystick.analysis.result.Reconciliation.Status;
import tallystick.analysis.result.RunAnalysis;
import tallystick.runrecord.MetricConcept;
import tallystick.runrecord.MetricVocabulary;
import tallystick.runrecord.Sample;
import tallystick.runrecord.ScrapeRow;
import tallystick.runrecord.Series;
import tallystick.scrape.ExpositionParser;

/** What LMCache 0.5.6 showed beside a real vLLM, which was asked four prompts three times each. */
class LmcacheTest {
  private static final int PROMPT_TOKENS = 200; // of the first prompt; each next one has 40 more

  private static List<Sample> idle;
  private static List<Sample> after;

  @BeforeAll
  static void readTheExpositions() throws IOException {
    idle = samples("metrics-lmcache-idle.prom");
    after = samples("metrics-lmcache-after.prom");
  }

  @Test
  void hitsAreThoseOfTheConnectorAndTimesItsOwn() {
    LoadAccount.ExternalCache cache = analysis(idle, after).load().externalCache();
    // Of a prompt that was found whole, vLLM still computes one token.
    assertThat(value(cache.hitRatio())).isEqualTo(1982.0 / 3120);
    assertThat(value(cache.retrieveSeconds()))
        .isEqualTo(shown("lmcache:time_to_retrieve_sum") / 8, within(1e-12));
    assertThat(value(cache.storeSeconds()))
        .isEqualTo(shown("lmcache:time_to_store_sum") / 4, within(1e-12));
  }

  @Test
  void beforeVllmCountedThemHitsAreItsOwnToo() {
    String counted = "vllm:external_prefix_cache";
    LoadAccount.ExternalCache cache =
        analysis(without(counted, idle), without(counted, after)).load().externalCache();
    // Each prompt is looked up in whole chunks of 32 tokens: 192, 224, 256 and 320 of them.
    assertThat(value(cache.hitRatio())).isEqualTo(2.0 / 3);
  }

  @Test
  void theAccountOfTheEngineBesideItIsWhole() {
    assertThat(analysis(idle, after).reconciliation().rows())
        .filteredOn(row -> List.of(Id.R1, Id.R2, Id.R3, Id.R4, Id.R6, Id.R7).contains(row.id()))
        .hasSize(6)
        .allMatch(row -> row.status() == Status.EXACT);
  }

  @Test
  void eachOfItsConceptsIsThereWithItsTypeAndLabels() {
    MetricVocabulary vocabulary = MetricVocabulary.standard();
    Map<MetricConcept, Series.Type> types =
        Map.of(
            MetricConcept.LMCACHE_LOOKUP_TOKENS, Series.Type.COUNTER,
            MetricConcept.LMCACHE_LOOKUP_HITS, Series.Type.COUNTER,
            MetricConcept.LMCACHE_RETRIEVE_TIME, Series.Type.HISTOGRAM,
            MetricConcept.LMCACHE_STORE_TIME, Series.Type.HISTOGRAM);
    types.forEach(
        (concept, type) ->
            assertThat(after)
                .filteredOn(sample -> vocabulary.means(sample.series().name(), concept))
                .isNotEmpty()
                .allSatisfy(
                    sample -> {
                      assertThat(sample.series().type()).isEqualTo(type);
                      assertThat(vocabulary.entryOf(sample.series().name()).orElseThrow().type())
                          .isEqualTo(type);
                      // Its model is the path or name that was loaded, not the one that is served.
                      assertThat(sample.series().labels())
                          .containsEntry("model_name", "tiny-llama")
                          .containsEntry("served_model_name", "tiny")
                          .containsEntry("role", "worker")
                          .containsEntry("worker_id", "0");
                    }));
  }

  private static RunAnalysis analysis(List<Sample> first, List<Sample> last) {
    MadeRun run = new MadeRun().window(10, 69);
    for (int i = 0; i < 12; i++) {
      run.requests.add(
          request(i, 10 + i).usage(PROMPT_TOKENS + i % 4 * 40, 8).ttft(0.05).build());
    }
    run.scrapes.add(row(9, first));
    run.scrapes.add(row(40, last));
    run.scrapes.add(row(72, last));
    return run.analyze();
  }

  private static ScrapeRow row(int second, List<Sample> samples) {
    return new ScrapeRow(0, MadeRun.nanos(second), MadeRun.nanos(second) + 1_000_000, samples, "");
  }

  private static List<Sample> without(String prefix, List<Sample> samples) {
    return samples.stream().filter(one -> !one.series().name().startsWith(prefix)).toList();
  }

  private static double shown(String name) {
    return after.stream()
        .filter(sample -> sample.series().name().equals(name))
        .mapToDouble(Sample::value)
        .sum();
  }

  private static List<Sample> samples(String file) throws IOException {
    try (InputStream stream = LmcacheTest.class.getResourceAsStream("/scrape/" + file)) {
      return new ExpositionParser().parse(stream.readAllBytes(), "text/plain");
    }
  }
}
