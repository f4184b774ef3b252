package tallystick.experiment.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.scenario.Lengths;
import tallystick.scenario.RequestContent;
import tallystick.scenario.Workload.RequestClass;

class MixTest {
  private static RequestContent varied(Lengths prompt, Lengths output) {
    return Mix.varied(List.of(RequestClass.plain("chat", prompt, output)))
        .classes()
        .getFirst()
        .content();
  }

  @Test
  void theSecondMixHasLongerPromptsAndShorterAnswersWithinTheirBounds() {
    assertThat(
            varied(
                new Lengths.Lognormal(100, 0.5, 16, 500), new Lengths.Uniform(10, 40)))
        .isEqualTo(
            new RequestContent.Sampled(
                new Lengths.Lognormal(150, 0.5, 16, 500), new Lengths.Uniform(10, 20)));
  }

  @Test
  void anAnswerHasOneTokenAtLeast() {
    assertThat(varied(new Lengths.Fixed(7), new Lengths.Fixed(1)))
        .isEqualTo(
            new RequestContent.Sampled(new Lengths.Fixed(11), new Lengths.Fixed(1)));
  }
}
