package tallystick.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.alerting.backtest.Backtested;
import tallystick.alerting.lint.Lint;
import tallystick.alerting.review.AlertFigures;
import tallystick.alerting.watch.Watched;
import tallystick.experiment.fit.FitAnswer;

/**
 * What lint, backtest, watch, alerts and fit print for programs, as a schema each: made from the
 * records that are written, {@code -Dupdate-schemas} writes them anew.
 */
class RulesSchemaTest {
  private static final Path SCHEMAS = Path.of("docs/schemas");
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Command, and what it writes. */
  enum Document {
    LINT(Lint.Findings.class),
    BACKTEST(Backtested.Figures.class),
    WATCH(Watched.Figures.class),
    ALERTS(AlertFigures.class),
    FIT(FitAnswer.Fitted.Figures.class);

    private final Class<?> figures;

    Document(Class<?> figures) {
      this.figures = figures;
    }

    private String command() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void isThatOfTheRecordsThatAreWritten(Document document) throws IOException {
    Path file = SCHEMAS.resolve(document.command() + ".schema.json");
    String made =
        JSON.writeValueAsString(
                RecordSchema.of(
                    document.figures, "urn:tallystick:" + document.command(),
                    "tally " + document.command() + " --json"))
            + "\n";
    if (System.getProperty("update-schemas") != null) {
      Files.writeString(file, made);
    }
    assertThat(Files.readString(file))
        .as("%s; mvn test -Dtest=RulesSchemaTest -Dupdate-schemas writes it", file)
        .isEqualTo(made);
  }

  @ParameterizedTest
  @EnumSource
  void everyFrozenDocumentFollowsIt(Document document) throws IOException {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(VersionFlag.V202012)
            .getSchema(Files.readString(SCHEMAS.resolve(document.command() + ".schema.json")));
    try (Stream<Path> files = Files.list(GOLDEN.resolve(document.command()))) {
      List<Path> all =
          files
              .filter(file -> file.toString().endsWith(".json"))
              .filter(file -> !file.toString().endsWith(".sarif.json"))
              .toList();
      assertThat(all).isNotEmpty();
      for (Path file : all) {
        assertThat(schema.validate(JSON.readTree(file.toFile()))).as("%s", file).isEmpty();
      }
    }
  }
}
