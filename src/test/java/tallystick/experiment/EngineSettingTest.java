package tallystick.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineSettingTest {

  @ParameterizedTest
  @CsvSource({
    "64, 64, false", "64, 32, true", "0.9, 0.90, false", "2k, 2000, false", "2K, 2048, false",
    "256M, 268435456, false", "true, True, false", "bfloat16, torch.bfloat16, false",
    "auto, fp8, true", "64, None, true", "auto, auto, false"
  })
  void whatRunsIsOtherOnlyIfItMeansSomethingElse(String asked, String runs, boolean isOther) {
    EngineSetting setting =
        new EngineSetting("max_num_seqs", asked, runs, EngineSetting.Source.LOG);

    assertThat(setting.isOther()).isEqualTo(isOther);
    assertThat(setting.words()).isEqualTo(isOther ? runs + " (asked " + asked + ")" : runs);
  }
}
