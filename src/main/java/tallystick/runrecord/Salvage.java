package tallystick.runrecord;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tallystick.plan.LoopShape;
import tallystick.plan.Phase;
import tallystick.plan.Settings;
import tallystick.scenario.Endpoint;
import tallystick.scenario.Scenario;
import tallystick.scenario.Scenario.RequestForm;

/**
 * What stands in for a manifest or a plan that cannot be read, so that the rows of a damaged record
 * can still speak. A field is taken only if the file goes on behind it; the rest is unknown.
 */
final class Salvage {
  /** Long enough that no scrape is called late or lost although nobody knows the interval. */
  private static final long SCRAPE_INTERVAL_NANOS = 15_000_000_000L;

  private Salvage() {}

  /** The manifest as far as it can be read; a run that nobody closed where that part is lost. */
  static Manifest manifest(Path file, String runId) {
    ObjectNode known = fieldsOf(file);
    Manifest unknown =
        new Manifest(
            Manifest.CURRENT_FORMAT, runId, "unknown", Manifest.Source.UNKNOWN, 0, "", "",
            List.of(), Map.of(), Map.of(), Map.of(), new Manifest.Clock(0, 0, 0),
            new Manifest.Ending(
                Manifest.Ending.State.OPEN, "manifest.json is damaged or missing", 0, 0, 0, 0),
            PromptForm.UNKNOWN);
    ObjectNode whole = RecordJson.MAPPER.valueToTree(unknown);
    known.retain(whole.properties().stream().map(Map.Entry::getKey).toList());
    known.properties().forEach(field -> setIfReadable(whole, field.getKey(), field.getValue()));
    return toManifest(whole);
  }

  /** Settings that say nothing but what the manifest knows: no objective, no measured phase. */
  static Settings settings(Manifest manifest) {
    return new Settings(
        manifest.scenario(),
        manifest.seed(),
        Endpoint.COMPLETIONS,
        manifest.model(),
        manifest.targets(),
        LoopShape.OPEN,
        0,
        List.of(new Phase(Phase.WARMUP, true, 0, 0, 0)),
        List.of(),
        new Settings.Timing(
            Settings.Timing.UNBOUNDED_NANOS,
            SCRAPE_INTERVAL_NANOS,
            Settings.Timing.UNBOUNDED_NANOS),
        new RequestForm(false, false, false, "", Map.of()),
        manifest.labels(),
        List.of(),
        Scenario.Access.PLAIN,
        Scenario.StopRules.NEVER,
        List.of());
  }

  private static ObjectNode fieldsOf(Path file) {
    ObjectNode known = RecordJson.MAPPER.createObjectNode();
    try (InputStream stream = Files.newInputStream(file);
        JsonParser in = RecordJson.MAPPER.createParser(stream)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        return known;
      }
      JsonToken next = in.nextToken();
      while (next == JsonToken.FIELD_NAME) {
        String name = in.currentName();
        in.nextToken();
        JsonNode value = in.readValueAsTree();
        // Reading on proves that the value was not cut.
        next = in.nextToken();
        known.set(name, value);
      }
    } catch (IOException e) {
      // The file ends here or holds something else: what was read until then is all there is.
      return known;
    }
    return known;
  }

  private static void setIfReadable(ObjectNode whole, String name, JsonNode value) {
    ObjectNode attempt = whole.deepCopy();
    attempt.set(name, value);
    try {
      RecordJson.whole(attempt, Manifest.class);
      whole.set(name, value);
    } catch (IOException | RuntimeException e) {
      // A field of another shape is as good as missing.
      whole.set(name, whole.get(name));
    }
  }

  private static Manifest toManifest(ObjectNode tree) {
    try {
      return RecordJson.MAPPER.treeToValue(tree, Manifest.class);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
