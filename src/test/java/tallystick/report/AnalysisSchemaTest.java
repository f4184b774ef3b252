package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.analysis.result.RunAnalysis;

/**
 * {@code docs/schemas/analysis.schema.json} says what {@code analysis.json} holds: it is made from
 * the records that are written, {@code -Dupdate-schemas} writes it anew.
 */
class AnalysisSchemaTest {
  private static final Path FILE = Path.of("docs/schemas/analysis.schema.json");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  @Test
  void isThatOfTheRecordsThatAreWritten() throws IOException {
    ObjectNode made =
        RecordSchema.of(
            RunAnalysis.class,
            "urn:tallystick:analysis:" + RunAnalysis.CURRENT_FORMAT,
            "analysis.json of Tallystick, format " + RunAnalysis.CURRENT_FORMAT);
    if (System.getProperty("update-schemas") != null) {
      Files.writeString(FILE, JSON.writeValueAsString(made) + "\n");
    }
    assertThat(Files.readString(FILE))
        .as("%s; mvn test -Dtest=AnalysisSchemaTest -Dupdate-schemas writes it", FILE)
        .isEqualTo(JSON.writeValueAsString(made) + "\n");
  }

  @Test
  void theSampleAndEveryMadeAnalysisFollowIt() throws IOException {
    assertThat(faults(JSON.readTree(Path.of("reports/sample/analysis.json").toFile()))).isEmpty();
    for (RunAnalysis analysis : List.of(SampleAnalysis.of())) {
      assertThat(faults(written(analysis))).isEmpty();
    }
  }

  @Test
  void aFieldItDoesNotNameIsAFault() throws IOException {
    ObjectNode sample =
        (ObjectNode) JSON.readTree(Path.of("reports/sample/analysis.json").toFile());
    ((ObjectNode) sample.get("counts")).put("surprise", 1);
    assertThat(faults(sample)).singleElement().asString().contains("surprise");
  }

  @Test
  void saysOfEveryTimeItsUnit() throws IOException {
    for (JsonNode definition : JSON.readTree(FILE.toFile()).get("$defs")) {
      definition.path("properties").properties().stream()
          .filter(field -> field.getKey().endsWith("_seconds"))
          .forEach(
              field ->
                  assertThat(field.getValue().path("description").asText())
                      .as(field.getKey())
                      .containsIgnoringCase("second"));
    }
  }

  private static JsonNode written(RunAnalysis analysis) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AnalysisJson.write(analysis, out);
    return JSON.readTree(out.toByteArray());
  }

  private static List<String> faults(JsonNode document) throws IOException {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(Files.readString(FILE));
    return schema.validate(document).stream().map(Object::toString).toList();
  }
}
