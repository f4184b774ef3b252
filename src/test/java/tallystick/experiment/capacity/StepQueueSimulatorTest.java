package tallystick.experiment.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.StepTimeProfile;
import tallystick.virtualrun.VirtualReplay;

/** Beside the simulated engine, which keeps every block. */
class StepQueueSimulatorTest {
  private static final double SECOND = 1e9;
  private static final int PREEMPTING = 180;
  private static final StepTimeProfile PROFILE =
      new StepTimeProfile(
          "planned", 8e6, 20e3, 3, 50e3, 40, StepTimeProfile.ApiServerTime.NONE, 0);

  private static InferredEngineModel engine(int sequences, int blocks) {
    return new InferredEngineModel(
        new InferredEngineModel.Costs(8e-3, 20e-6, 3e-9, 50e-6, 40e-9, 0), sequences, 512,
        16.0 * (blocks - 1), 16);
  }

  private static List<RequestRow> schedule(double perSecond) {
    return schedule(11, perSecond, 700);
  }

  /** Poisson arrivals, prompts of 20 tokens up to the longest, answers of 1 to 119. */
  static List<RequestRow> schedule(long seed, double perSecond, int longest) {
    SplittableRandom random = new SplittableRandom(seed);
    List<RequestRow> rows = new ArrayList<>();
    double at = 0;
    for (int i = 0; i < 600; i++) {
      at -= Math.log(1 - random.nextDouble()) / perSecond;
      long nanos = Math.round(at * SECOND);
      int prompt = random.nextInt(20, longest);
      int output = random.nextInt(1, 120);
      rows.add(
          new RequestRow(
              i, "main", "default", i, 0, "r" + i, prompt, output,
              new RequestRow.Times(nanos, nanos, -1, -1, nanos, nanos, nanos, nanos, -1),
              RequestRow.Chunks.NONE, new RequestRow.Usage(prompt, output, 0),
              new RequestRow.Ending(Outcome.OK, 200, "length", ""),
              RequestRow.EngineTimings.NONE));
    }
    return rows;
  }

  private record Answer(double first, double last, double gap) {}

  private static Answer[] onServer(List<RequestRow> rows, InferredEngineModel engine) {
    Answer[] answers = new Answer[rows.size()];
    List<ArrivedRequest> arrivals =
        rows.stream()
            .map(
                row ->
                    new ArrivedRequest(
                        row.times().started() / SECOND, 0, "", row.promptTokens(), 0,
                        row.maxTokens()))
            .toList();
    new StepQueueSimulator(
            engine, (i, first, last, gap) -> answers[i] = new Answer(first, last, gap))
        .play(arrivals);
    return answers;
  }

  private static Answer[] onEngine(List<RequestRow> rows, int sequences, int blocks) {
    EngineSettings settings =
        EngineSettings.ofFlags(
                Map.of(
                    "max-num-seqs", "" + sequences, "num-gpu-blocks-override", "" + blocks,
                    "max-num-batched-tokens", "512", "max-model-len", "1024"))
            .with(PROFILE);
    Answer[] answers = new Answer[rows.size()];
    for (RequestRow row : VirtualReplay.of(rows, settings, 0)) {
      long[] at = row.chunks().arrivalNanos();
      double gap = 0;
      for (int i = 1; i < at.length; i++) {
        gap = Math.max(gap, at[i] - at[i - 1]);
      }
      answers[row.index()] =
          new Answer(at[0] / SECOND, at[at.length - 1] / SECOND, gap / SECOND);
    }
    return answers;
  }

  @ParameterizedTest
  @CsvSource({"8, 6", "16, 12", "64, 14", "64, 40"})
  void whereTheCacheHasRoomItAnswersAsTheEngineDoes(int sequences, double perSecond) {
    List<RequestRow> rows = schedule(perSecond);
    Answer[] expected = onEngine(rows, sequences, 20_000);
    Answer[] answers = onServer(rows, engine(sequences, 20_000));

    for (int i = 0; i < answers.length; i++) {
      assertThat(answers[i].first).as("first %d", i).isCloseTo(expected[i].first, within(1e-6));
      assertThat(answers[i].last).as("last %d", i).isCloseTo(expected[i].last, within(1e-6));
      assertThat(answers[i].gap).as("gap %d", i).isCloseTo(expected[i].gap, within(1e-6));
    }
  }

  /** Blocks are not counted one by one, so a request may come in a step earlier or later. */
  @Test
  void whereTheCacheIsFullItAnswersNearlyAsTheEngineDoes() {
    List<RequestRow> rows = schedule(11);
    double[] expected = means(rows, onEngine(rows, 64, PREEMPTING));
    double[] means = means(rows, onServer(rows, engine(64, PREEMPTING)));
    double[] roomy = means(rows, onServer(rows, engine(64, 20_000)));

    assertThat(roomy[0]).isLessThan(expected[0] / 2);
    assertThat(means[0]).isCloseTo(expected[0], within(0.15 * expected[0]));
    assertThat(means[1]).isCloseTo(expected[1], within(0.15 * expected[1]));
  }

  private static double[] means(List<RequestRow> rows, Answer[] answers) {
    double first = 0;
    double last = 0;
    for (int i = 0; i < answers.length; i++) {
      double started = rows.get(i).times().started() / SECOND;
      first += (answers[i].first - started) / answers.length;
      last += (answers[i].last - started) / answers.length;
    }
    return new double[] {first, last};
  }

  @Test
  void aRequestThatNeverFitsComesInAlone() {
    List<RequestRow> rows = schedule(1).subList(0, 20);

    assertThat(onServer(rows, engine(64, 4))).doesNotContainNull();
  }
}
