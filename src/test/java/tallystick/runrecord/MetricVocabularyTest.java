package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricVocabularyTest {
  private final MetricVocabulary vocabulary = MetricVocabulary.standard();

  @Test
  void knowsACounterWithAndWithoutTotalInBothSpellings() {
    for (String name :
        List.of(
            "vllm:num_preemptions",
            "vllm:num_preemptions_total",
            "vllm_num_preemptions",
            "vllm_num_preemptions_total")) {
      assertThat(vocabulary.conceptOf(name)).contains(MetricConcept.PREEMPTIONS);
    }
  }

  @Test
  void knowsAHistogramByEachOfItsParts() {
    for (String part : List.of("", "_bucket", "_sum", "_count")) {
      assertThat(vocabulary.conceptOf("vllm:iteration_tokens_total" + part))
          .contains(MetricConcept.ITERATION_TOKENS);
    }
  }

  @Test
  void takesACreationTimeForNoMeasurement() {
    assertThat(vocabulary.conceptOf("vllm:prompt_tokens_created")).isEmpty();
    assertThat(vocabulary.conceptOf("vllm:time_to_first_token_seconds_created")).isEmpty();
  }

  @Test
  void givesOlderNamesTheSameConceptAndMarksThemRemoved() {
    assertThat(vocabulary.conceptOf("vllm:time_per_output_token_seconds_count"))
        .contains(MetricConcept.ITL);
    assertThat(vocabulary.conceptOf("vllm:gpu_cache_usage_perc"))
        .contains(MetricConcept.KV_CACHE_USAGE);
    EngineFamily vllm = vocabulary.families().getFirst();
    assertThat(vocabulary.namesOf(MetricConcept.KV_CACHE_USAGE, vllm))
        .extracting(MetricVocabulary.Entry::removed)
        .containsExactly(false, true);
  }

  @Test
  void keepsPromptTokensApartFromTheRequestHistogramOfTheSameWords() {
    assertThat(vocabulary.conceptOf("vllm:prompt_tokens_total"))
        .contains(MetricConcept.PROMPT_TOKENS);
    assertThat(vocabulary.conceptOf("vllm:request_prompt_tokens_sum"))
        .contains(MetricConcept.REQUEST_PROMPT_TOKENS);
  }

  @Test
  void namesEveryConcept() {
    assertThat(Arrays.stream(MetricConcept.values()).map(vocabulary::namesOf))
        .allSatisfy(names -> assertThat(names).isNotEmpty());
  }

  @Test
  void knowsEveryNameOfTheNewestReleases() {
    assertThat(namesIn("vllm", "0.33")).hasSize(138);
    assertThat(namesIn("vllm", "0.32.0")).hasSize(126);
    assertThat(namesIn("sglang", "0.5.23")).hasSize(184);
    assertThat(namesIn("sglang", "0.4.6"))
        .contains("sglang:inter_token_latency_seconds", "sglang:gen_throughput")
        .doesNotContain("sglang:time_per_output_token_seconds");
  }

  @Test
  void knowsTypeAndLifeOfANameThatHasNoMeaningHere() {
    MetricName name = vocabulary.nameOf("vllm_kv_offload_load_bytes_total").orElseThrow();
    assertThat(name.type()).isEqualTo(Series.Type.COUNTER);
    assertThat(name.life().words()).isEqualTo("since 0.24");
    assertThat(vocabulary.conceptOf("vllm_kv_offload_load_bytes_total")).isEmpty();
    assertThat(vocabulary.nameOf("sglang:routing_key_all_req_count")).map(MetricName::type)
        .contains(Series.Type.GAUGE);
    assertThat(vocabulary.nameOf("vllm:nothing_of_the_kind")).isEmpty();
  }

  private List<String> namesIn(String engine, String release) {
    EngineFamily family =
        vocabulary.families().stream()
            .filter(each -> each.name().equals(engine))
            .findFirst()
            .orElseThrow();
    return vocabulary.namesOf(family).stream()
        .filter(name -> name.life().isExposedIn(EngineRelease.read(release).orElseThrow(), true))
        .map(MetricName::family)
        .toList();
  }

  @Test
  void tellsWhoseANameIsInEitherSpelling() {
    for (String name : List.of("sglang:num_running_reqs", "sglang_token_usage", "sglang:new")) {
      assertThat(vocabulary.familyOf(name)).map(EngineFamily::title).contains("SGLang");
    }
    assertThat(vocabulary.familyOf("vllm_prompt_tokens_total")).map(EngineFamily::name)
        .contains("vllm");
    assertThat(vocabulary.familyOf("http_requests_total")).isEmpty();
  }

  @Test
  void givesAnotherEnginesNamesTheSameConcepts() {
    EngineFamily sglang = vocabulary.families().get(1);
    assertThat(vocabulary.conceptOf("sglang:num_retracted_requests_total"))
        .contains(MetricConcept.PREEMPTIONS);
    assertThat(vocabulary.conceptOf("sglang_token_usage")).contains(MetricConcept.KV_CACHE_USAGE);
    assertThat(vocabulary.namesOf(MetricConcept.TTFT, sglang))
        .extracting(MetricVocabulary.Entry::family)
        .containsExactly("sglang:time_to_first_token_seconds");
    assertThat(vocabulary.namesOf(MetricConcept.DECODE_TIME, sglang)).isEmpty();
    assertThat(sglang.edges().get(MetricConcept.ITL)).startsWith(.002, .004).endsWith(6.0, 8.0);
    assertThat(sglang.counting().tokensAtFinish()).isTrue();
    assertThat(sglang.labels().finishReason()).isEmpty();
  }

  @Test
  void seesThroughWhatACollectorPutsBeforeTheName() {
    EngineFamily vllm = vocabulary.families().getFirst();
    assertThat(vllm.exposedName("ray_vllm_num_requests_running"))
        .contains("vllm:num_requests_running");
    assertThat(vllm.exposedName("vllm:num_requests_running"))
        .contains("vllm:num_requests_running");
    assertThat(vllm.exposedName("sglang:num_running_reqs")).isEmpty();
  }

  @Test
  void takesAllButTheFirstOfSeveralRanksForCopies() {
    EngineFamily sglang = vocabulary.families().get(1);
    String name = "sglang:num_running_reqs";
    Series.Type gauge = Series.Type.GAUGE;
    assertThat(sglang.isCopy(Series.of(name, Map.of("tp_rank", "0"), gauge))).isFalse();
    assertThat(sglang.isCopy(Series.of(name, Map.of(), gauge))).isFalse();
    assertThat(sglang.isCopy(Series.of(name, Map.of("tp_rank", "1"), gauge))).isTrue();
  }

  @Test
  void anEngineMayHaveNoLabelOfItsModelOrItsNumber() {
    EngineFamily family =
        EngineFamilyReader.read(
            "x",
            "engine-x.txt",
            List.of(
                "title: X", "prefix: x_", "tokens are counted: as they are made",
                "gaps are counted: one for each step"),
            Set.of());
    assertThat(family.labels().model()).isEmpty();
    assertThat(family.labels().engine()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "vllm:num_requests_running", "vllm_num_requests_running", "ray_vllm:num_requests_running",
        "ray_vllm_num_requests_running", "kserve_vllm:num_requests_running"
      })
  void seesThroughWhatCollectorsPutBeforeAName(String name) {
    EngineFamily vllm = vocabulary.familyOf(name).orElseThrow();
    assertThat(vllm.title()).isEqualTo("vLLM");
    assertThat(vllm.withoutPrefix(name)).isEqualTo("num_requests_running");
    assertThat(vocabulary.conceptOf(name)).contains(MetricConcept.RUNNING);
  }

  @Test
  void namesWithoutAPrefixAreThoseThatAreKnownAlone() {
    assertThat(vocabulary.familyOf("num_requests_running").orElseThrow().title())
        .isEqualTo("NVIDIA NIM");
    // Of NIM's two counts of requests that finished, this one has the reason.
    assertThat(vocabulary.conceptOf("request_finish_total"))
        .contains(MetricConcept.REQUEST_SUCCESS);
    assertThat(vocabulary.conceptOf("request_success_total")).isEmpty();
    assertThat(vocabulary.familyOf("num_requests_walking")).isEmpty();
  }

  @Test
  void saysNothingOfAStranger() {
    assertThat(vocabulary.conceptOf("vllm:something_new_total")).isEmpty();
  }
}
