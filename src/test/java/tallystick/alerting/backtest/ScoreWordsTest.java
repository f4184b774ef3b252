package tallystick.alerting.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Suffering 1000 s, health 1000 s unless a case says otherwise. */
class ScoreWordsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 1000, 0, 0, never fired",
    "2, 1000, 1000, 1000, -30, fires most of the time",
    "2, 1000, 0, 1000, -30, no good period",
    "2, 950, 1000, 20, 30, good here",
    "2, 0, 1000, 0, 30, misses",
    "2, 0, 1000, 0, 301, misses",
    "2, 300, 1000, 20, 30, misses",
    "2, 600, 1000, 20, 301, late",
    "2, 400, 1000, 300, 400, 'misses, late, noisy'"
  })
  void anAlertsFiguresComeToWords(
      int firings, double covered, double healthy, double wrong, double delay, String words) {
    AlertScore.Hits hits = new AlertScore.Hits(1, 1);
    AlertScore score =
        new AlertScore(
            "a", hits, hits, firings, 0, List.of(delay), new AlertScore.Health(healthy, 1, 1),
            new FiringTime(1000, covered, healthy, 0, wrong, List.of()));
    assertThat(ScoreWords.says(score)).isEqualTo(words);
  }

  @Test
  void aPrecisionIsInPerCentAsTheSharesBesideItAre() {
    AlertScore.Hits hits = new AlertScore.Hits(1, 1);
    AlertScore.Health health = new AlertScore.Health(1000, 1, 1);
    FiringTime right = new FiringTime(1000, 950, 1000, 0, 0, List.of());
    FiringTime none = new FiringTime(1000, 0, 1000, 0, 0, List.of());

    assertThat(
            ScoreWords.precision(new AlertScore("a", hits, hits, 2, 0, List.of(), health, right)))
        .isEqualTo("100.0 %");
    assertThat(
            ScoreWords.precision(new AlertScore("a", hits, hits, 0, 0, List.of(), health, none)))
        .isEqualTo("never fired");
  }

  @Test
  void whereAllHealthBelongsToSufferingNobodyCanTell() {
    AlertScore.Hits hits = new AlertScore.Hits(1, 1);
    AlertScore score =
        new AlertScore(
            "a", hits, hits, 1, 0, List.of(30.0), new AlertScore.Health(300, 1, 1),
            new FiringTime(1000, 970, 300, 280, 0, List.of()));
    assertThat(ScoreWords.says(score)).isEqualTo(ScoreWords.NO_HEALTH);
  }
}
