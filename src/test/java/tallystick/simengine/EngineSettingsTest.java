package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineSettingsTest {

  @Test
  void flagsMayBeWrittenWithUnderscores() {
    EngineSettings settings =
        EngineSettings.ofFlags(
            Map.of("num_gpu_blocks_override", "140", "block_size", "32", "seed", "4"));
    assertThat(settings.scheduler().numGpuBlocks()).isEqualTo(140);
    assertThat(settings.seed()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({
    "max-num-seqs, 0, max-num-seqs must be >= 1",
    "max-num-seqs, many, max-num-seqs must be a whole number",
    "num-gpu-blocks-override, 5, must hold max-model-len",
    "watermark, 2, watermark must be between 0 and 1",
    "scheduling-policy, random, must be fcfs or priority",
    "enable-prefix-caching, yes, must be true or false",
    "stream-interval, 0, stream-interval must be >= 1",
    "num-gpu-blocks-override, 0, must hold max-model-len",
    "max-num-batched-tokens, 0, max-num-batched-tokens must be >= 1",
    "block-size, 0, block-size must be >= 1",
    "profile, h200, profile must be one of",
    "end-token-share, 2, end-token-share must be between 0 and 1",
    "http-timeout-keep-alive, 0, http-timeout-keep-alive must be > 0",
    "profil, x, unknown engine flag"
  })
  void whatCannotBeIsNamed(String flag, String value, String message) {
    assertThatThrownBy(() -> EngineSettings.ofFlags(Map.of(flag, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"stall:at=1s,for=1s,engine=1", "slow:decode=2,engine=1"})
  void aFaultOfAnEngineThatIsNotThereIsRefused(String fault) {
    assertThatThrownBy(() -> EngineSettings.ofFlags(Map.of("fault", fault)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("engine must be below data-parallel-size");
  }

  @Test
  void theHelpNamesEveryEngineThatCanBeSimulated() {
    assertThat(EngineFlag.named("family").description())
        .startsWith("Engine whose metrics it shows: vllm or sglang");
  }

  @Test
  void faultsAreReadInTheirUnits() {
    Map<String, String> flags =
        Map.of(
            "fault", "stall:at=10s,for=500ms,engine=1;cut:after=5", "data-parallel-size", "2");
    assertThat(EngineSettings.ofFlags(flags).faults())
        .containsExactly(
            new Fault.Stall(10_000_000_000L, 500_000_000L, 1),
            new Fault.Stream(Fault.Stream.Harm.CUT, 5, 1));
  }

  @Test
  void aTimeOfAFaultWithoutAUnitIsToldSo() {
    assertThatThrownBy(() -> Fault.parse("stall:at=10"))
        .hasMessage(
            "at=10 has no unit: write at=10s for seconds or at=10ms for milliseconds");
    assertThatThrownBy(() -> Fault.parse("slow:decode=3,for=2.5")).hasMessageContaining("for=2.5s");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stall", "stall:at=1s", "cut:after=0", "http503:p=2", "drop-token:at=x", "burn",
        "cut:after=1e12", "drop-token:at=1e30", "stall:at=NaN,for=1s", "stall:at=-5s,for=1s",
        "stall:at=1s,for=1e300s", "slow:decode=1e308"
      })
  void anUnreadableFaultIsRefused(String fault) {
    assertThatThrownBy(() -> Fault.parse(fault)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSlowEngineMustBeOneOfThem() {
    Map<String, String> beyond =
        Map.of("fault", "slow:decode=3,engine=2", "data-parallel-size", "2");
    assertThatThrownBy(() -> EngineSettings.ofFlags(beyond))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("engine must be below data-parallel-size, was 2 of 2");
  }
}
