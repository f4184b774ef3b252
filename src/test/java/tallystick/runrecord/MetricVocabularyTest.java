package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    assertThat(vocabulary.namesOf(MetricConcept.KV_CACHE_USAGE))
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
  void saysNothingOfAStranger() {
    assertThat(vocabulary.conceptOf("vllm:something_new_total")).isEmpty();
  }
}
