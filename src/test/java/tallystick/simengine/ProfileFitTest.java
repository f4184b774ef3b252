package tallystick.simengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class ProfileFitTest {
  private static final String RECORDING = "/simengine/fit";

  @Test
  void findsTheTermsThatMadeTheStepsAmongNoiseAndStalls() {
    StepTimeProfile truth =
        new StepTimeProfile(
            "truth", 2e6, 8000, 1.2, 50_000, 0, StepTimeProfile.ApiServerTime.NONE, 0.2);
    SplittableRandom random = new SplittableRandom(1);
    List<StepLog.Step> steps = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      long tokens = i % 20 == 0 ? random.nextInt(2000) : 0;
      StepWork work =
          new StepWork(
              tokens,
              tokens * random.nextDouble() * 1500,
              random.nextInt(30),
              random.nextInt(4000));
      double stall = i % 50 == 7 ? 6 : 1;
      double noise = Math.exp(0.2 * random.nextGaussian());
      steps.add(new StepLog.Step(truth.meanNanos(work) * noise * stall, work));
    }
    ProfileFit.StepFit fit = ProfileFit.steps(steps);
    // Means of a log-normal factor lie exp(0.02) above its median, the truth.
    assertThat(fit.terms()[0]).isCloseTo(2e6, Percentage.withPercentage(5));
    assertThat(fit.terms()[1]).isCloseTo(8000, Percentage.withPercentage(10));
    assertThat(fit.terms()[2]).isCloseTo(1.2, Percentage.withPercentage(25));
    assertThat(fit.terms()[3]).isCloseTo(50_000, Percentage.withPercentage(5));
    assertThat(fit.terms()[4]).isLessThan(20);
    assertThat(fit.noise()).isCloseTo(0.2, within(0.02));
    assertThat(fit.stallShare()).isCloseTo(0.02, within(0.003));
  }

  @Test
  void findsTheApiServersTimesInTheWaitsTheyMade() {
    StepTimeProfile.ApiServerTime truth =
        new StepTimeProfile.ApiServerTime(400_000, 1_100_000, 60_000, false);
    ProfileFit.StepFit steps =
        new ProfileFit.StepFit(new double[] {2e6, 8000, 0, 50_000, 0}, new double[5], 0, 0, 0);
    List<Integer> prompts = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      prompts.add(20 + 10 * i);
    }
    double cpuNanos = 30 * 1_500_000.0 + 30 * 200 * 60_000.0;
    FitRecording empty = new FitRecording(List.of(), List.of(), prompts, 200, cpuNanos);
    double[] waits = ProfileFit.simulatedWaits(empty, steps.profile(truth), engine());
    FitRecording recording =
        new FitRecording(
            List.of(), List.of(Arrays.stream(waits).boxed().toList()), prompts, 200, cpuNanos);
    StepTimeProfile.ApiServerTime found = ProfileFit.apiServer(recording, steps, engine());
    assertThat(found.parseNanos()).isCloseTo(400_000, Percentage.withPercentage(20));
    assertThat(found.submitNanos()).isCloseTo(1_100_000, Percentage.withPercentage(20));
    assertThat(found.outputNanos()).isCloseTo(60_000, Percentage.withPercentage(20));
  }

  @Test
  void tinyCpuIsWhatTheRecordedBurstsOfARealEngineGive() {
    StepTimeProfile committed = StepTimeProfile.named("tiny-cpu");
    StepTimeProfile fit = ProfileFit.fit(FitRecording.ofResource(RECORDING), engine());
    Percentage rounding = Percentage.withPercentage(2);
    assertThat(committed.baseNanos()).isCloseTo(fit.baseNanos(), rounding);
    assertThat(committed.prefillTokenNanos()).isCloseTo(fit.prefillTokenNanos(), rounding);
    assertThat(committed.prefillPairNanos()).isCloseTo(fit.prefillPairNanos(), rounding);
    assertThat(committed.decodeSequenceNanos()).isCloseTo(fit.decodeSequenceNanos(), rounding);
    assertThat(committed.kvTokenNanos()).isCloseTo(fit.kvTokenNanos(), rounding);
    assertThat(committed.noise().ofStep()).isCloseTo(fit.noise().ofStep(), rounding);
    assertThat(committed.apiServer().parseNanos())
        .isCloseTo(fit.apiServer().parseNanos(), rounding);
    assertThat(committed.apiServer().submitNanos())
        .isCloseTo(fit.apiServer().submitNanos(), rounding);
    assertThat(committed.apiServer().outputNanos())
        .isCloseTo(fit.apiServer().outputNanos(), rounding);
  }

  /** The fit of a recording as a profile file has it, with what tells how good it is. */
  static List<String> lines(FitRecording recording) {
    ProfileFit.StepFit steps = ProfileFit.steps(recording.steps());
    StepTimeProfile fit = ProfileFit.fit(recording, engine());
    double[] real = ProfileFit.medianCurve(recording.waits());
    double[] simulated = ProfileFit.simulatedWaits(recording, fit, engine());
    return List.of(
        line("# steps %d, stalls %.1f %% of them and %.1f %% of the time",
            recording.steps().size(), 100 * steps.stallShare(), 100 * steps.stallTimeShare()),
        line("# standard errors %s ns", Arrays.toString(steps.standardErrors())),
        line("# wait of first, middle, last request: real %.1f, %.1f, %.1f ms,"
                + " simulated %.1f, %.1f, %.1f ms",
            real[0] / 1e6, real[real.length / 2] / 1e6, real[real.length - 1] / 1e6,
            simulated[0] / 1e6, simulated[real.length / 2] / 1e6,
            simulated[real.length - 1] / 1e6),
        line("base_us=%.0f", fit.baseNanos() / 1e3),
        line("prefill_token_us=%.3f", fit.prefillTokenNanos() / 1e3),
        line("prefill_pair_us=%.6f", fit.prefillPairNanos() / 1e3),
        line("decode_sequence_us=%.2f", fit.decodeSequenceNanos() / 1e3),
        line("kv_token_us=%.4f", fit.kvTokenNanos() / 1e3),
        line("request_parse_us=%.0f", fit.apiServer().parseNanos() / 1e3),
        line("request_submit_us=%.0f", fit.apiServer().submitNanos() / 1e3),
        line("output_us=%.2f", fit.apiServer().outputNanos() / 1e3),
        line("noise=%.3f", fit.noise()));
  }

  private static EngineSettings engine() {
    return EngineSettings.ofFlags(Map.of("num-gpu-blocks-override", "140", "block-size", "32"));
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
