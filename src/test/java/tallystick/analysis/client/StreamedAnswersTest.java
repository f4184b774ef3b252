package tallystick.analysis.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import tallystick.analysis.MadeRequest;
import tallystick.analysis.result.Figure;
import tallystick.analysis.result.Finding;

/** Which answers were made before they were streamed, and which only look so. */
class StreamedAnswersTest {
  private static final int MANY = 40;

  @Test
  void aProxyThatHoldsAnswersBackIsNamed() {
    StreamedAnswers answers = read(MANY, i -> answer(2, 64, 0.00003));

    assertThat(onlyFinding(answers).code()).isEqualTo(Finding.Code.FAKE_STREAMING);
    assertThat(onlyFinding(answers).text()).contains("40 of 40");
  }

  @Test
  void anAnswerInOneChunkIsNamed() {
    StreamedAnswers answers =
        read(MANY, i -> MadeRequest.request(i, i).ttft(2).gaps().tokens(-1).usage(10, 64));

    assertThat(onlyFinding(answers).code()).isEqualTo(Finding.Code.FAKE_STREAMING);
  }

  @Test
  void aFirstTokenInTimeDoesNotHideThatTheRestCameInOneRead() {
    double[] gaps = new double[63];
    Arrays.fill(gaps, 0.00002);
    gaps[0] = 1.5;
    StreamedAnswers answers =
        read(MANY, i -> MadeRequest.request(i, i).ttft(0.1).gaps(gaps).usage(10, 64));

    assertThat(onlyFinding(answers).code()).isEqualTo(Finding.Code.FAKE_STREAMING);
  }

  @Test
  void aProxyThatHandsOnPiecesIsNoFakeStreamButIsNamed() {
    double[] gaps = new double[63];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = i % 16 == 15 ? 0.3 : 0.00003;
    }
    StreamedAnswers answers =
        read(MANY, i -> MadeRequest.request(i, i).ttft(0.4).gaps(gaps).usage(10, 64));

    assertThat(onlyFinding(answers).code()).isEqualTo(Finding.Code.ANSWERS_IN_PIECES);
    assertThat(onlyFinding(answers).text()).contains("40 of 40");
  }

  @Test
  void answersThatBeginTheLaterTheLongerTheyAreWereMadeBefore() {
    // 20 ms for each token before the first is sent, then 1 ms for each.
    StreamedAnswers answers = read(MANY, i -> answer(0.02 * (20 + i), 20 + i, 0.001));

    assertThat(onlyFinding(answers).code()).isEqualTo(Finding.Code.FAKE_STREAMING);
    assertThat(onlyFinding(answers).text()).contains("the later the longer");
  }

  @Test
  void aLongPrefillIsNoClaimButAQuestion() {
    StreamedAnswers answers = read(MANY, i -> answer(5, 20 + i % 7, 0.01));

    assertThat(onlyFinding(answers).code()).isEqualTo(Finding.Code.LATE_FIRST_CONTENT);
    assertThat(onlyFinding(answers).severity()).isEqualTo(Finding.Severity.NOTE);
  }

  @Test
  void aLongPrefillThatTheEngineTellsOfIsNothing() {
    StreamedAnswers answers = read(MANY, i -> answer(5, 20, 0.01));

    assertThat(answers.findings(Figure.of(5), Figure.of(4.9))).isEmpty();
  }

  @Test
  void shortAnswersAndFastEnginesAreNothing() {
    assertThat(findings(read(MANY, i -> answer(0.5, 1, 0)))).isEmpty();
    assertThat(findings(read(MANY, i -> answer(0.5, 8, 0.00001)))).isEmpty();
    // 2,000 tokens a second after 20 ms.
    assertThat(findings(read(MANY, i -> answer(0.02, 64, 0.0005)))).isEmpty();
  }

  @Test
  void chunksOfAFewTokensAreNothing() {
    int[] tokens = new int[16];
    Arrays.fill(tokens, 4);
    double[] gaps = new double[15];
    Arrays.fill(gaps, 0.04);

    assertThat(
            findings(
                read(
                    MANY,
                    i -> MadeRequest.request(i, i).gaps(gaps).tokens(tokens).usage(10, 64))))
        .isEmpty();
  }

  @Test
  void aFewAnswersAtOnceAreCountedWithoutAVerdict() {
    StreamedAnswers answers =
        read(MANY, i -> i < 4 ? answer(2, 64, 0.00003) : answer(0.2, 64, 0.02));

    assertThat(onlyFinding(answers).code()).isEqualTo(Finding.Code.ANSWERS_AT_ONCE);
    assertThat(onlyFinding(answers).text()).contains("4 of 40");
  }

  private static MadeRequest answer(double ttft, int tokens, double gap) {
    double[] gaps = new double[tokens - 1];
    Arrays.fill(gaps, gap);
    return MadeRequest.request(0, 10).ttft(ttft).gaps(gaps).usage(10, tokens);
  }

  private static StreamedAnswers read(int count, IntFunction<MadeRequest> shape) {
    StreamedAnswers answers = new StreamedAnswers();
    for (int i = 0; i < count; i++) {
      answers.read(shape.apply(i).build());
    }
    return answers;
  }

  private static List<Finding> findings(StreamedAnswers answers) {
    return answers.findings(Figure.missing("none"), Figure.missing("none"));
  }

  private static Finding onlyFinding(StreamedAnswers answers) {
    assertThat(findings(answers)).hasSize(1);
    return findings(answers).get(0);
  }
}
