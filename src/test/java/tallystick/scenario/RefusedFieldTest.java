package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefusedFieldTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "[{'type': 'extra_forbidden', 'loc': ('body', 'ignore_eos')}]|ignore_eos=false",
        "body.ignore_eos: Extra inputs are not permitted|ignore_eos=false",
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            + "|token_limit=max_completion_tokens",
        "Unknown field max_completion_tokens|token_limit=max_tokens",
        "Unrecognized argument max_completion_tokens, use max_tokens|token_limit=max_tokens",
        "body.stream_options.continuous_usage_stats: extra|continuous_usage=false",
        "stream_options is not supported|usage=false",
        "body.stream_options.include_usage: not permitted|usage=false"
      })
  void namesTheSwitchOfTheFieldThatIsRefused(String words, String setting) {
    assertThat(RefusedField.remedy(words)).hasValueSatisfying(
        remedy -> assertThat(remedy).endsWith("use --set request." + setting + "."));
  }

  @Test
  void namesTheSwitchesOfAllOfThem() {
    assertThat(RefusedField.remedy("extra fields: ignore_eos, stream_options"))
        .hasValue(
            "The server rejects ignore_eos and stream_options: use"
                + " --set request.ignore_eos=false --set request.usage=false.");
  }

  @Test
  void namesTheSwitchOfAFieldThatIsRefusedBesideALimitThatIsTooLarge() {
    assertThat(RefusedField.remedy("max_tokens: at most 64; ignore_eos: extra input forbidden"))
        .hasValue("The server rejects ignore_eos: use --set request.ignore_eos=false.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max_tokens is too large: 5000. The context has 4096",
        "max_tokens is too large: 90. This model supports at most 64 completion tokens",
        "max_completion_tokens is not allowed to exceed 64",
        "max_tokens: unexpected value 90, must be between 1 and 64",
        "extra inputs are not permitted: my_max_tokens",
        "the model is not supported",
        ""
      })
  void hasNoSwitchForOtherRefusals(String words) {
    assertThat(RefusedField.remedy(words)).isEmpty();
  }
}
