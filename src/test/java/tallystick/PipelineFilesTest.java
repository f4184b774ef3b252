package tallystick;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What can be said of the action and the hook without GitHub and pre-commit. */
class PipelineFilesTest {
  private static final YAMLMapper YAML = new YAMLMapper();

  /** The keys that GitHub documents for a step of a composite action. */
  private static final Set<String> OF_A_STEP =
      Set.of("name", "id", "if", "uses", "with", "run", "shell", "env", "working-directory",
          "continue-on-error");

  private static final Pattern EXPRESSION = Pattern.compile("(inputs|steps)\\.([\\w-]+)");

  @Test
  void theActionIsAsGitHubDocumentsIt() throws IOException {
    JsonNode action = YAML.readTree(Files.readString(Path.of("action.yml")));
    assertThat(action.fieldNames())
        .toIterable()
        .contains("name", "description", "runs")
        .isSubsetOf("name", "author", "description", "inputs", "outputs", "runs", "branding");
    for (Map.Entry<String, JsonNode> input : action.get("inputs").properties()) {
      assertThat(input.getValue().fieldNames()).toIterable()
          .contains("description").isSubsetOf("description", "required", "default");
      assertThat(input.getValue().has("required") || input.getValue().has("default"))
          .as(input.getKey())
          .isTrue();
    }
    action.get("outputs").forEach(output ->
        assertThat(output.fieldNames()).toIterable().containsExactly("description", "value"));
    assertThat(action.at("/runs/using").asText()).isEqualTo("composite");
    for (JsonNode step : action.at("/runs/steps")) {
      assertThat(step.fieldNames()).toIterable().isSubsetOf(OF_A_STEP);
      assertThat(step.has("uses") ^ (step.has("run") && step.has("shell")))
          .as(step.toString())
          .isTrue();
    }
  }

  /** What is not declared is empty without a word there. */
  @Test
  void theActionNamesOnlyInputsAndStepsThatThereAre() throws IOException {
    String text = Files.readString(Path.of("action.yml"));
    JsonNode action = YAML.readTree(text);
    Set<String> known = new TreeSet<>();
    action.get("inputs").fieldNames().forEachRemaining(name -> known.add("inputs." + name));
    action.at("/runs/steps").forEach(step -> known.add("steps." + step.path("id").asText()));
    List<String> named = new ArrayList<>();
    for (Matcher found = EXPRESSION.matcher(text); found.find(); ) {
      named.add(found.group());
    }
    assertThat(named).contains("inputs.scenario", "steps.load");
    assertThat(known).containsAll(named);
    action.at("/runs/steps").forEach(step ->
        assertThat(step.path("run").asText()).as("typed by strangers").doesNotContain("${{"));
  }

  @Test
  void theHookTakesRuleFilesAndNotTheirTests() throws IOException {
    JsonNode hook = YAML.readTree(Files.readString(Path.of(".pre-commit-hooks.yaml"))).get(0);
    assertThat(hook.fieldNames()).toIterable().contains("id", "name", "entry", "language");
    Pattern files = Pattern.compile(hook.get("files").asText());
    Pattern exclude = Pattern.compile(hook.get("exclude").asText());
    for (String rules : List.of("rules.yaml", "alerts/my-rules.yml", "a/vllm-alerts.yaml")) {
      assertThat(files.matcher(rules).find() && !exclude.matcher(rules).find()).isTrue();
    }
    for (String other : List.of("alerts/values.yaml", "rules_test.yaml", "rules.txt")) {
      assertThat(files.matcher(other).find() && !exclude.matcher(other).find()).isFalse();
    }
  }
}
