package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.reach.ApiAccess;
import tallystick.reach.SecretPlace;

/** Secrets that are no Bearer key: where a scenario may keep them, and where not. */
class SecretPlacesTest {
  @TempDir private Path folder;

  private Scenario read(String request) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("a.yaml"),
            "workload: {rate: 1, prompt_tokens: 8, output_tokens: 2}\nduration: 1s\n"
                + "request: " + request + "\n");
    return ScenarioReader.read(file, List.of(), List.of());
  }

  @Test
  void aHeaderAFieldAndAParameterSayWhereTheirSecretIs() throws IOException {
    Path file = Files.writeString(folder.resolve("key.txt"), "of-the-file\n");
    Scenario scenario =
        read(
            "{headers: {X-Team: search, X-Goog-Api-Key: {env: GOOG}},"
                + " url_parameters: {api-version: v1, key: {file: key.txt}},"
                + " extra_body: {user: {env: WHO},"
                + " metadata: {env: prod, tokens: [{file: key.txt}]}}}");
    SecretPlace ofFile = new SecretPlace("", file.toString());
    assertThat(scenario.request().headers()).isEqualTo(Map.of("X-Team", "search"));
    assertThat(scenario.request().extraBody())
        .isEqualTo(
            "{\"user\":{\"env\":\"WHO\"},\"metadata\":{\"env\":\"prod\",\"tokens\":[{\"file\":\""
                + file + "\"}]}}");
    ApiAccess shown = scenario.access().shown("", Map.of("GOOG", "of-goog", "WHO", "me-myself"));
    assertThat(shown.allHeaders()).isEqualTo(Map.of("X-Goog-Api-Key", "of-goog"));
    assertThat(shown.at("http://a:1/v1")).isEqualTo("http://a:1/v1?api-version=v1&key=of-the-file");
    assertThat(shown.secrets())
        .isEqualTo(
            Map.of(
                new SecretPlace("GOOG", ""), "of-goog", new SecretPlace("WHO", ""), "me-myself",
                ofFile, "of-the-file"));
    assertThat(shown.redaction().of("of-goog me-myself of-the-file v1"))
        .isEqualTo("(the key) (the key) (the key) v1");
  }

  @Test
  void aVariableWithoutANameIsShownOne() {
    assertThatThrownBy(() -> read("{headers: {X-Key: {env: ''}}}"))
        .hasMessageContaining("X-Key.env")
        .hasMessageNotContaining("api_key_env");
    assertThatThrownBy(() -> read("{headers: {X-Key: {env: }}}"))
        .hasMessageContaining("X-Key.env")
        .hasMessageNotContaining("api_key_env");
  }

  @Test
  void aSecretThatIsNotThereIsNamedByItsPlace() throws IOException {
    Scenario scenario = read("{headers: {X-Goog-Api-Key: {env: GOOG}}}");
    assertThatThrownBy(() -> scenario.access().shown("", Map.of()))
        .hasMessage(
            "env GOOG: there is no such environment variable, or it is empty; export it before the"
                + " run");
    assertThatThrownBy(() -> scenario.access().shown("", Map.of("GOOG", "two\nlines")))
        .hasMessageContaining("env GOOG")
        .hasMessageContaining("X-Goog-Api-Key")
        .hasMessageNotContaining("two");
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "{headers: {X-Goog-Api-Key: planted}}",
    "{headers: {Ocp-Apim-Subscription-Key: 'planted'}}",
    "{headers: {Cookie: 'a=planted'}}",
    "{url_parameters: {sig: planted}}",
    "{extra_body: {api_key: planted}}",
    "{extra_body: {metadata: {userToken: planted}}}",
    "{extra_body: {metadata: [{auth: {value: planted}}]}}",
    "{extra_body: {api_keys: [planted]}}",
    "{extra_body: {auth: {env: planted, more: planted}}}"
  })
  void aSecretThatIsWrittenOutIsRefusedAndNotRepeated(String request) {
    assertThatThrownBy(() -> read(request))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("{env: NAME}")
        .hasMessageContaining("a.yaml:3")
        .hasMessageNotContaining("planted");
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "{extra_body: {stop_token_ids: [1, 2], thinking_token_budget: 100, author: me}}",
    "{extra_body: {use_auth: true, password: null}}",
    "{extra_body: {auth: {type: none}}}",
    "{extra_body: {response_format: {schema: {properties: {token: {type: string}}}}}}",
    "{headers: {X-Author: me, Idempotency-Key: a}}"
  })
  void whatOnlySoundsLikeASecretIsSent(String request) throws IOException {
    assertThat(read(request).access().secrets()).isEqualTo(SecretPlaces.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "{headers: {X-Key: {env: A, file: a.yaml}}}", "{headers: {X-Key: {}}}",
    "{headers: {X-Key: {environment: A}}}", "{headers: {X-Key: {env: 'a b'}}}",
    "{headers: {X-Key: {file: gone.txt}}}"
  })
  void aPlaceThatCannotBeReadIsAMistake(String request) {
    assertThatThrownBy(() -> read(request)).isInstanceOf(ScenarioException.class);
  }
}
