package tallystick.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.Fault;

class EngineOptionsTest {

  @Test
  void flagsThatAreNotGivenLeaveTheScenarioItsWord() {
    EngineSettings settings =
        parse(Map.of("enable-prefix-caching", "false", "enable-per-request-metrics", "true"));
    assertThat(settings.scheduler().enablePrefixCaching()).isFalse();
    assertThat(settings.serving().enablePerRequestMetrics()).isTrue();
  }

  @Test
  void flagsBeatTheScenario() {
    EngineSettings settings =
        parse(
            Map.of("max-num-seqs", "3", "enable-prefix-caching", "false"),
            "--engine-max-num-seqs", "5", "--enable-prefix-caching");
    assertThat(settings.scheduler().maxNumSeqs()).isEqualTo(5);
    assertThat(settings.scheduler().enablePrefixCaching()).isTrue();
  }

  @Test
  void prefixCachingIsTurnedOffAsInVllm() {
    EngineSettings settings = parse(Map.of(), "--no-enable-prefix-caching");
    assertThat(settings.scheduler().enablePrefixCaching()).isFalse();
  }

  @Test
  void faultsAddUp() {
    EngineSettings settings = parse(Map.of(), "--fault", "cut:after=5", "--fault", "http503:p=1");
    assertThat(settings.faults())
        .isEqualTo(List.of(Fault.parse("cut:after=5"), Fault.parse("http503:p=1")));
  }

  @Test
  void anEmptyFaultIsRefused() {
    for (String[] given :
        List.of(
            new String[] {"--fault", ""},
            new String[] {"--fault", "cut:after=5", "--fault", " "})) {
      assertThatThrownBy(() -> parse(Map.of(), given))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a fault must not be empty");
    }
  }

  @Test
  void anotherEngineHasNoReleaseOfVllm() {
    assertThat(parse(Map.of(), "--family", "sglang").version())
        .isEqualTo("0.5.23+tallystick.sim");
    assertThatThrownBy(() -> parse(Map.of("vllm-version", "0.11.2"), "--family", "sglang"))
        .hasMessage("vllm-version is for the family vllm, and the family is sglang");
    assertThatThrownBy(() -> parse(Map.of(), "--engine-family", "unheard-of"))
        .hasMessageStartingWith("family must be one of vllm, sglang");
  }

  private static EngineSettings parse(Map<String, String> scenario, String... arguments) {
    Command command = new Command();
    new CommandLine(command).parseArgs(arguments);
    return command.options.settings(scenario);
  }

  /** A command that they are mixed into. */
  @CommandLine.Command
  private static final class Command {
    @CommandLine.Mixin private EngineOptions options;
  }
}
