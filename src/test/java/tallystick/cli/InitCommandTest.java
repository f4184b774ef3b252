package tallystick.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tallystick.plan.Planner;
import tallystick.scenario.Scenario;
import tallystick.scenario.ScenarioReader;

class InitCommandTest {
  /** A screen of 30 lines shows one whole. */
  private static final int MOST_LINES = 30;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "schema")
  void everyScenarioIsReadWithoutANoteAndPlanned(InitCommand.Kind kind) throws IOException {
    CommandRun printed = CommandRun.of("init", kind.name());
    assertThat(printed.code()).isZero();
    assertThat(printed.output().lines()).hasSizeLessThanOrEqualTo(MOST_LINES);
    assertThat(printed.output())
        .startsWith("# yaml-language-server: $schema=scenario.schema.json\n");

    Path file = Files.writeString(folder.resolve("my.yaml"), printed.output());
    List<String> notes = new ArrayList<>();
    Scenario scenario = ScenarioReader.read(file, List.of(), List.of(), false, notes::add);
    assertThat(notes).isEmpty();
    assertThat(scenario.name()).isEqualTo(kind.name());
    assertThat(Planner.plan(scenario, scenario.seed()).requests()).hasSizeGreaterThan(100);
  }

  /** What is commented out is to be used, too. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "schema")
  void itsFirstLevelKeysInCommentsAreKeys(InitCommand.Kind kind) throws IOException {
    String text = kind.text().replaceAll("(?m)^# ((?:target|model): )", "$1");
    Path file = Files.writeString(folder.resolve("my.yaml"), text);
    Scenario scenario = ScenarioReader.read(file, List.of(), List.of(), false, note -> {});
    assertThat(scenario.targets()).hasSize(1);
  }

  @Test
  void theSchemaIsTheOneOfTheDocuments() throws IOException {
    assertThat(CommandRun.of("init", "schema").output())
        .isEqualTo(Files.readString(Path.of("docs/schemas/scenario.schema.json")));
  }

  @Test
  void withoutANameOrWithAWrongOneItSaysWhichThereAre() {
    for (CommandRun wrong : List.of(CommandRun.of("init"), CommandRun.of("init", "caht"))) {
      assertThat(wrong.code()).isEqualTo(2);
      assertThat(wrong.output()).contains("chat, closed, ramp, conversation, agents, schema");
    }
  }
}
