package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.report.RecordSchema;

/**
 * {@code docs/schemas/capacity.schema.json} says what {@code capacity.json} holds: it is made from
 * the records that are written, {@code -Dupdate-schemas} writes it anew.
 */
class CapacitySchemaTest {
  private static final Path FILE = Path.of("docs/schemas/capacity.schema.json");
  private static final Path GOLDEN = Path.of("src/test/resources/golden/capacity");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @Test
  void isThatOfTheRecordsThatAreWritten() throws IOException {
    ObjectNode made =
        RecordSchema.ofFigures(
            CapacityFigures.class,
            "urn:tallystick:capacity:" + CapacityFigures.FORMAT,
            "capacity.json of Tallystick, format " + CapacityFigures.FORMAT);
    if (System.getProperty("update-schemas") != null) {
      Files.writeString(FILE, JSON.writeValueAsString(made) + "\n");
    }
    assertThat(Files.readString(FILE))
        .as("%s; mvn test -Dtest=CapacitySchemaTest -Dupdate-schemas writes it", FILE)
        .isEqualTo(JSON.writeValueAsString(made) + "\n");
  }

  @Test
  void everyEndFollowsItAndAFieldItDoesNotNameIsAFault() throws IOException {
    for (String name : MadeEnds.all().keySet()) {
      JsonNode kept = JSON.readTree(GOLDEN.resolve(name + ".json").toFile());
      assertThat(faults(kept)).as(name).isEmpty();
      ((ObjectNode) kept).put("surprise", 1);
      assertThat(faults(kept)).singleElement().asString().contains("surprise");
    }
  }

  private static List<String> faults(JsonNode document) throws IOException {
    return JsonSchemaFactory.getInstance(VersionFlag.V202012)
        .getSchema(Files.readString(FILE))
        .validate(document).stream()
        .map(Object::toString)
        .toList();
  }
}
