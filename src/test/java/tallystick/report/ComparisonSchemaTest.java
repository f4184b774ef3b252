package tallystick.report;

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
import tallystick.experiment.regress.ComparisonFigures;

/**
 * {@code docs/schemas/comparison.schema.json} says what {@code comparison.json} holds: it is made
 * from the records that are written, {@code -Dupdate-schemas} writes it anew.
 */
class ComparisonSchemaTest {
  private static final Path FILE = Path.of("docs/schemas/comparison.schema.json");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @Test
  void isThatOfTheRecordsThatAreWritten() throws IOException {
    ObjectNode made =
        RecordSchema.ofFigures(
            ComparisonFigures.class,
            "urn:tallystick:comparison:" + ComparisonFigures.FORMAT,
            "comparison.json of Tallystick, format " + ComparisonFigures.FORMAT);
    if (System.getProperty("update-schemas") != null) {
      Files.writeString(FILE, JSON.writeValueAsString(made) + "\n");
    }
    assertThat(Files.readString(FILE))
        .as("%s; mvn test -Dtest=ComparisonSchemaTest -Dupdate-schemas writes it", FILE)
        .isEqualTo(JSON.writeValueAsString(made) + "\n");
  }

  @Test
  void everyEndFollowsItAndAFieldItDoesNotNameIsAFault() throws IOException {
    for (String kind : MadeComparisons.all().keySet()) {
      JsonNode written = JSON.readTree(AnswerFiles.json(MadeComparisons.answer(kind)));
      assertThat(faults(written)).as(kind).isEmpty();
      ((ObjectNode) written).put("surprise", 1);
      assertThat(faults(written)).singleElement().asString().contains("surprise");
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
