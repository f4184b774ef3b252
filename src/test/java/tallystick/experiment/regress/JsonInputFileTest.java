package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.experiment.Journal;

/** A baseline lies in a repository: people edit it, and merges damage it. */
class JsonInputFileTest {
  private static String text() {
    try {
      return Journal.text(new Baseline(1, "made", "an engine", MadeRuns.of(0.5, 0.51, 0.52)));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void refused(UnaryOperator<String> edit, String why) {
    String edited = edit.apply(text());
    assertThat(edited).isNotEqualTo(text());
    assertThatThrownBy(() -> JsonInputFile.baseline("b.json", edited))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("b.json")
        .hasMessageContaining(why)
        .message()
        .doesNotContain("tallystick.", "java.");
  }

  @Test
  void aBaselineIsReadAsItWasWritten() {
    assertThat(JsonInputFile.baseline("b.json", text()).runs())
        .isEqualTo(JsonInputFile.baseline("b.json", "\uFEFF" + text()).runs())
        .isEqualTo(MadeRuns.of(0.5, 0.51, 0.52));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run_id", "metrics", "missing", "ttft", "e2e", "load", "likeness", "settings", "engine",
        "doubts"
      })
  void aRunThatLacksAPartIsRefusedAndThePartNamed(String part) {
    refused(text -> with(text, run -> run.remove(part)), "does not tell its " + part);
    refused(text -> with(text, run -> run.putNull(part)), "does not tell its " + part);
  }

  @Test
  void aPartThatIsEmptyInsideIsRefused() {
    refused(text -> with(text, run -> run.withObject("/load").remove("schedule")), "schedule");
    refused(text -> with(text, run -> run.withObject("/likeness").putNull("machine")), "likeness");
    refused(text -> with(text, run -> run.withArray("/doubts").addNull()), "doubts");
    refused(text -> with(text, run -> run.withArray("/doubts").addObject()), "doubts");
  }

  private static String with(String text, Consumer<ObjectNode> edit) {
    try {
      JsonNode all = Journal.MAPPER.readTree(text);
      edit.accept((ObjectNode) all.get("runs").get(1));
      return Journal.text(all);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void figuresThatHaveNoRatioAreRefused() {
    for (String wrong : List.of("-1", "0", "null", "\"NaN\"")) {
      refused(text -> text.replaceFirst("\"TTFT_P95\" : 0.5", "\"TTFT_P95\" : " + wrong), ":");
    }
    refused(text -> text.replaceFirst("\"TTFT_P95\" : 0.5", "\"TTFT_P95\" : -1"), "above 0");
    refused(text -> text.replaceFirst("\"requests\" : 500", "\"requests\" : 0"), "requests");
  }

  @Test
  void whatThisBuildDoesNotKnowIsNamed() {
    refused(text -> text.replaceFirst("TTFT_P95", "TTFT_P42"), "TTFT_P42");
    refused(text -> text.replaceFirst("\"engine\"", "\"motor\""), "motor");
  }

  @Test
  void whatAMergeLeavesIsRefused() {
    refused(text -> text + text, "b.json");
    refused(text -> "<<<<<<< ours\n" + text, "b.json:1");
    refused(text -> text.replaceFirst("\"engine\"", "\"scenario\""), "scenario");
    refused(text -> text.substring(0, text.length() / 2), "b.json");
    refused(text -> "null", "says nothing");
    refused(text -> "[]", "not such a file");
  }
}
